# memspy reports children that are not followed and take much processor time, with the command that follows them; it does
# not report short or followed ones. What counts is the share, not the time: 0.1 s of a short program are much.
. "$SRC/tests/cli/run/lib.bash"
cat >busy.c <<'END'
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
int main(int argc, char *argv[])
{
	pid_t child = fork();

	while (child == 0 && (double)clock() / CLOCKS_PER_SEC < atof(argv[1]))
		;
	return child > 0 && waitpid(child, NULL, 0) != child;
}
END
gcc -O1 -o busy busy.c || fail "gcc busy.c"
# left NAME SECONDS OPTION...: a child takes so much processor time
left() {
	name=$1 seconds=$2
	shift 2
	"$MEMSPY" run -q --db runs.db --l1 4K,4,64 "$@" -- ./busy $seconds >/dev/null 2>"$name.err" || fail "$name: exit status $?"
}
says='^memspy: processes that ./busy started took [0-9.]* m\?s of processor time, and were not followed; this follows them, too: memspy run --follow-forks ./busy 0.[81]$'
left native 0.8 --frontend native
left brief 0.1 --frontend native
left sampled 0.8 --frontend native --sample 1/10
left valgrind 0.8 --frontend valgrind
for name in native brief sampled valgrind; do
	grep -q "$says" $name.err || fail "$name: says $(cat $name.err)"
done
# Under Valgrind, programs that a script executes are not followed.
"$MEMSPY" run -q --db runs.db --l1 4K,4,64 --frontend valgrind -- sh -c './busy 0.1; true' 2>&1 | grep -q '^memspy: processes that sh started' ||
	fail "script: nothing is said"
left short 0 --frontend native
left followed 0.8 --frontend native --follow-forks
for name in short followed; do
	grep -q 'were not followed' $name.err && fail "$name: says $(cat $name.err)"
done
finish
# A program executes another in its place: which of the two started them is not known, and only the first can be followed.
cat >becomes.c <<'END'
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
	pid_t child = fork();

	if (child == 0)
		return execl("./busy", "busy", "0.1", (char *)0);
	waitpid(child, 0, 0);
	return execl("./busy", "busy", "0", (char *)0);
}
END
gcc -O1 -o becomes becomes.c || fail "gcc becomes.c"
left=$("$MEMSPY" run -q --db runs.db --l1 4K,4,64 --frontend native ./becomes 2>&1 >/dev/null | grep 'were not followed')
[[ $left == "memspy: processes that ./becomes, or "*" in its place, started took "*"memspy run --follow-forks ./becomes" ]] ||
	fail "becomes: says $left"
