# include/memspy.h compiles without warnings in all versions of C and C++, can be disabled, and costs little without memspy; a
# C++ program uses it under every front-end.
. "$SRC/tests/cli/run/lib.bash"
cat >h.c <<'EOF'
#include "memspy.h"
int main(void)
{
	char a[8];
	MEMSPY_NAME(a, 8, "a");
	MEMSPY_UNNAME(a);
	MEMSPY_PHASE("p");
	MEMSPY_START();
	MEMSPY_STOP();
	memspy_phase("q");
	memspy_pool_free(memspy_pool_alloc(a, 8));
	free(memspy_alloc_named(8, "b"));
	return MEMSPY_RUNNING() + memspy_running();
}
EOF
cp h.c h.cc
compile() { # COMPILER SOURCE FLAGS
	local compiler=$1 source=$2
	shift 2
	command -v "$compiler" >/dev/null || return 0
	"$compiler" -Wall -Wextra -Werror "$@" -o h "$source" && ./h || fail "memspy.h: $compiler $*"
}
for c in gcc clang; do
	for flags in '-std=c90 -pedantic' '-std=c99 -pedantic' -std=c17 -DMEMSPY_DISABLE '-std=c11 -O2 -Wconversion'; do
		# shellcheck disable=SC2086
		compile $c h.c $flags -I"$SRC/include"
	done
done
for c in g++ clang++; do
	for year in 98 11 14 17 20; do
		compile $c h.cc -std=c++$year -pedantic -isystem "$SRC/include"
	done
	compile $c h.cc -std=c++20 -Wold-style-cast -isystem "$SRC/include"
	compile $c h.cc -std=c++17 -DMEMSPY_DISABLE -I"$SRC/include"
done
# Where there is no memspy for the processor it is nothing at all.
gcc -m32 -x c -E - </dev/null >/dev/null 2>&1 && {
	printf '#define size_t unsigned\nvoid *malloc(size_t);\n#include "%s"\nint f(void) { memspy_phase("p"); return memspy_running(); }\n' \
		memspy.h >small.c
	mkdir -p none && : >none/stddef.h && : >none/stdlib.h && sed -i '1i #define NULL ((void *)0)' small.c
	gcc -m32 -O2 -Wall -Wextra -Werror -Inone -I"$SRC/include" -c small.c && ! nm small.o | grep -q memspy_ || fail "memspy.h with -m32"
}

# Without memspy: a load and a branch that is not taken.
cat >cost.c <<'EOF'
#include "memspy.h"
void phase(void) { memspy_phase("solve"); }
void name(void *p) { memspy_name(p, 800, "table"); }
void unname(void *p) { memspy_unname(p); }
void start(void) { memspy_start(); }
void stop(void) { memspy_stop(); }
int running(void) { return memspy_running(); }
void *pool_alloc(void *p, size_t n) { return memspy_pool_alloc(p, n); }
void pool_free(void *p) { memspy_pool_free(p); }
EOF
for c in gcc clang; do
	command -v $c >/dev/null || continue
	$c -O2 -fPIC -I"$SRC/include" -c cost.c
	objdump -dr --no-show-raw-insn cost.o >cost.s
	python3 - $c <<'EOF' || fail "what it costs"
import re, sys
functions, at = {}, None
for line in open("cost.s"):
    head = re.match(r"[0-9a-f]+ <(\w+)>:", line)
    if head:
        at = functions.setdefault(head[1], [])
    elif re.match(r"\s+[0-9a-f]+:\s+R_", line):
        if "memspy_handler_" in line and at:
            at[-1] += " whom"
    elif at is not None and line.strip():
        at.append(line.split(":", 1)[1].strip())
good = True
for name in "phase name unname start stop running pool_alloc pool_free".split():
    code = functions[name]
    path = code[:next(i for i, c in enumerate(code) if c.startswith("ret"))]
    branches = [c for c in path if re.match(r"(j|b\.|cb|tb)", c)]
    looks = [c for c in path if "whom" in c and not c.startswith("adrp")]
    if len(branches) != 1 or len(looks) != 1 or any(re.match(r"(call|bl)\b", c) for c in path):
        print(sys.argv[1], name, path)
        good = False
sys.exit(not good)
EOF
done

cat >plus.cc <<'EOF'
#include "memspy.h"
#include <vector>
struct node { char bytes[1000]; };
static char arena[4000], *top = arena;
static __attribute__((noipa)) void touch(volatile char *p, size_t n) { while (n-- > 0) p[n] = 1; }
struct pool {
	__attribute__((noipa)) static void *take(size_t n) { void *p = top; top += n; return memspy_pool_alloc(p, n); }
};
int main()
{
	memspy_phase("pools");
	node *list = static_cast<node *>(pool::take(sizeof(node)));
	touch(list->bytes, 1000);
	memspy_pool_free(list);
	memspy_pool_free(memspy_pool_alloc(NULL, 100));
	std::vector<char> v(2000);
	memspy_name(&v[0], v.size(), "the vector");
	touch(&v[0], v.size());
	memspy_phase("named");
	void *named = memspy_alloc_named(500, "the named one");
	touch(static_cast<char *>(named), 500);
	memspy_stop();
	touch(arena, 4000);
	memspy_start();
	free(named);
	return memspy_running() - 1;
}
EOF
g++ -std=c++11 -O1 -g -I"$SRC/include" plus.cc -o plus || fail "g++ plus.cc"
for frontend in valgrind native; do
	[ $frontend = valgrind ] || [ -e "$BUILD/frontends/memspy-native.so" ] || continue
	profile_quiet $frontend --frontend $frontend -- ./plus
	expect $frontend <<'EOF'
bin('touch', 'node.list').writes == 1000
data('node.list').kind == 'heap'
bin('touch', 'the vector').writes == 2000
bin('touch', 'the named one').writes == 500
names('named') == ['the named one', 'the vector']
[p['name'] for p in report['phases']] == ['<start>', 'pools', 'named']
report['run']['stops'] == 1
EOF
done
finish
