# With sampled sets, generated code records only references to sampled lines: programs behave as natively, and the trace equals
# a sampled replay of the whole trace.
. "$SRC/tests/cli/run/lib.bash"
[ "$(uname -m)" = x86_64 ] && own=-mno-red-zone
gcc -std=gnu17 -O1 -w -no-pie $own -o windows "$SRC/tests/cli/native/windows.c" || fail "gcc windows.c"
few=32K,8,64 many=64K,1,64 # 64 groups; 1024

same() {
	local name=$1 l1=$2 sets=$3 status
	shift 3
	timeout -s KILL 60 "$@" >alone.out 2>/dev/null
	status=$?
	timeout -s KILL 120 "$MEMSPY" run -q --frontend native --db runs.db --l1 $l1 --sample-sets $sets --trace $name.trace -- "$@" >$name.out 2>$name.err
	[ $? = $status ] || fail "$name: ends otherwise: $(cat $name.err)"
	cmp $name.out alone.out || fail "$name: prints something else"
	"$MEMSPY" check $name.trace >$name.check || fail "$name: $(cat $name.check)"
	rm -f $name.trace
}
for mode in flags strings operands branches vectors faults made signals; do
	same $mode $few 1/2 ./windows $mode
	same $mode-many $many 1/16 ./windows $mode
done
seq 1 3000 >text
same gzip $few 1/16 gzip -c text
same perl $many 1/2 perl -e '$h{$_ * 7919 % 1000} .= "x$_" for 1..10000; print length join ",", map {"$_$h{$_}"} sort keys %h'
same bash $few 1/16 bash -c 'for i in 1 2 3; do echo $(sort -r text | head -$i); done; trap "echo bye" EXIT; exit 3'

# A stack of the program's own: its references lie close to each other, and may be asked for together.
cat >frames.c <<'END_OF_C'
#include <stdio.h>
#include <ucontext.h>
static char own[1 << 16] __attribute__((aligned(4096)));
static ucontext_t before, inside;
static long sum;
static __attribute__((noinline)) long hop(long n, long a, long b, long c, long d, long e);
static __attribute__((noinline)) long down(long n, long a, long b, long c, long d, long e)
{
	volatile long x[40] = { a, b, c, d, e };
	long r = n == 0 ? a : hop(n - 1, b + x[n % 40], c, d, e, a ^ x[4]);
	return r * a + b * (c ^ d) + e + x[r & 31];
}
static long hop(long n, long a, long b, long c, long d, long e)
{
	long r = down(n, b, c, d, e, a);
	return r + a * (b ^ c) + d * e;
}
static void work(void)
{
	for (long i = 0; i < 400; i++)
		sum += down(i % 50, i, i + 1, i + 2, i + 3, i + 4);
}
int main(void)
{
	getcontext(&inside);
	inside.uc_stack.ss_sp = own;
	inside.uc_stack.ss_size = sizeof(own);
	inside.uc_link = &before;
	makecontext(&inside, work, 0);
	swapcontext(&before, &inside);
	return printf("%ld\n", sum) < 0;
}
END_OF_C
gcc -g -O2 -fno-pie -no-pie -o frames frames.c || fail "gcc frames.c"

# References that begin on one line and end on the next: of any size, at constant addresses, while flags are live, and longer than a line.
cat >crosses.c <<'END_OF_C'
#include <stdio.h>
typedef struct { char c[2]; } __attribute__((packed)) two;
typedef struct { unsigned v; } __attribute__((packed)) four;
typedef struct { unsigned long v; } __attribute__((packed)) eight;
typedef unsigned long sixteen __attribute__((vector_size(16), aligned(1)));
static char crossing[1 << 16] __attribute__((aligned(4096)));
static __attribute__((noinline)) unsigned long load(void)
{
	unsigned long sum = 0;
	for (long i = 0; i < (1 << 16) - 16; i += 7)
		sum += ((volatile four *)(crossing + i))->v + ((volatile eight *)(crossing + i))->v;
	for (long i = 1; i < (1 << 16) - 16; i += 31)
		sum += (*(volatile sixteen *)(crossing + i))[0];
	return sum;
}
static __attribute__((noinline)) void store(unsigned long n)
{
	for (long i = 3; i < (1 << 16) - 16; i += 5)
		((volatile eight *)(crossing + i))->v = n++;
}
#define AT(k) sum += ((volatile eight *)(crossing + 60 + 64 * (k)))->v;
#define EIGHT(k) AT(k) AT(k + 1) AT(k + 2) AT(k + 3) AT(k + 4) AT(k + 5) AT(k + 6) AT(k + 7)
static __attribute__((noinline)) unsigned long constants(void)
{
	unsigned long sum = 0;
	EIGHT(0) EIGHT(8) EIGHT(16) EIGHT(24) EIGHT(32) EIGHT(40) EIGHT(48) EIGHT(56)
	return sum;
}
static __attribute__((noinline)) unsigned long others(void)
{
	unsigned long sum = 0;
#ifdef __x86_64__
	for (long i = 0; i < (1 << 16) - 16; i += 13) {
		unsigned long less = i, word;
		__asm__ volatile("cmp $40000, %0\n\tmov (%2), %1\n\tsbb $0, %0" : "+r"(less), "=&r"(word) : "r"(crossing + i) : "cc");
		sum += less + (word & 1);
	}
	for (long i = 16; i < (1 << 16) - 1024; i += 80)
		__asm__ volatile("fxsave64 (%0)" : : "r"(crossing + i) : "memory");
	for (long i = 5; i < 31000; i += 1000) {
		void *to = crossing + i, *from = crossing + i + (1 << 15);
		long n = 300;
		__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
		n = 61;
		__asm__ volatile("rep movsq" : "+D"(to), "+S"(from), "+c"(n) : : "memory", "cc");
	}
#endif
	return sum;
}
int main(void)
{
	unsigned long sum = 0;
	for (int r = 0; r < 6; r++) {
		store(r);
		sum += load() + constants() + others();
	}
	return printf("%lu\n", sum) < 0;
}
END_OF_C
gcc -g -O1 -fno-pie -no-pie -o crosses crosses.c || fail "gcc crosses.c"

# Matrices and that stack lie in both runs where they lie; the program's own stacks do not.
for case in "$few Matrix $BUILD/examples/matmul 60" "$many Matrix $BUILD/examples/matmul 60" "$few own ./frames" "$many own ./frames" \
	"$few crossing ./crosses" "$many crossing ./crosses" "8K,4,32 crossing ./crosses"; do
	read -r l1 data program <<<"$case"
	"$MEMSPY" run -q --frontend native --db runs.db --l1 $l1 --trace whole.trace -- $program >/dev/null || fail "whole"
	"$MEMSPY" replay -q --db runs.db --l1 $l1 --workers 1 --sample-sets 1/16 --json -o replayed.json whole.trace || fail "replay"
	for name in live again; do
		"$MEMSPY" run -q --frontend native --db runs.db --l1 $l1 --workers 1 --sample-sets 1/16 --json -o $name.json -- \
			$program >/dev/null || fail $name
	done
	# The total is counted, and has no range.
	[ "$(sqlite3 runs.db 'select exact, total_low = total_high from sampling order by run desc limit 1')" = '1|1' ] ||
		fail "$l1: not counted: $(sqlite3 -line runs.db 'select * from sampling order by run desc limit 1')"
	python3 - $data <<'END2' || fail "$l1, $program: other references than those of a replay"
import json, sqlite3, sys
db = sqlite3.connect("runs.db")
last, = db.execute("select max(id) from run").fetchone()
def seen(name, back):
    run = json.load(open(name + ".json"))
    return run["totals"], {row[:3]: row[3] for row in db.execute("""select code.name, data.name, site.kind, sum(seen.refs) from sampled_reference seen
        join cell using (run, cell) join site using (run, site) join line using (run, line) join code using (run, code) join data using (run, data)
        where seen.run = ? and data.name like ? group by 1, 2, 3""", (last - back, sys.argv[1] + "%"))}, {(b["code"], b["data"]): b["references"]
        for b in run["bins"] if b["data"].startswith(sys.argv[1])}
(whole, replayed, replay_kinds), (total, live, counted), (other, again, _) = (seen(name, back) for name, back in (("replayed", 2), ("live", 1), ("again", 0)))
assert len(live) >= 2 and sum(live.values()) > 10000, live
assert all(live[key] == n for key, n in replayed.items()), (live, replayed)
assert total == other and live == again, (total, other)
# Also misses on lines that only the ends of references are on, which are not counted as references.
def misses(name):
    return {(b["code"], b["data"]): b["levels"][0]["misses"] for b in json.load(open(name + ".json"))["bins"] if b["data"] == "crossing"}
assert misses("live") == misses("replayed"), (misses("live"), misses("replayed"))
# In the whole program code has as many as it was executed; a replay, too, counts that. Start-up code that missed counts more often than it was
# executed, and who has most has fewer for it.
both = [(counted[key][kind], n) for key, kinds in replay_kinds.items() for kind, n in kinds.items()]
assert sum(abs(c - n) for c, n in both) <= 0.005 * sum(n for _, n in both), (counted, replay_kinds)
references = [sum(t["references"].values()) for t in (whole, total)]
assert abs(references[0] - references[1]) < 2000, references # the start-up is not the same
END2
done

# Of a program that is killed the only window has no end: its references are counted all the same.
cat >killed.c <<'END_OF_C'
#include <signal.h>
static volatile long a[1 << 16];
int main(void)
{
	for (int r = 0; r < 8; r++)
		for (int i = 0; i < 1 << 16; i++)
			a[i]++;
	return raise(SIGKILL);
}
END_OF_C
cc -O1 -o killed killed.c || fail "cc"
"$MEMSPY" run -q --frontend native --db killed.db --sample-sets 1/16 ./killed >/dev/null 2>&1
"$MEMSPY" run -q --frontend native --db killed.db ./killed >/dev/null 2>&1
"$MEMSPY" report --db killed.db --json -o killed.json @1 && "$MEMSPY" report --db killed.db --json -o whole.json @2 || fail "report of a killed program"
python3 - <<'END2' || fail "a killed program has other references by its sets than in all"
import json
sets, whole = (sum(json.load(open(name + ".json"))["totals"]["references"].values()) for name in ("killed", "whole"))
assert 1000000 < whole < 1100000 and abs(sets - whole) < 50, (sets, whole)
END2
finish
