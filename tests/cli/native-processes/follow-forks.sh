# --follow-forks with the native front-end gives the runs that tests/cli/run-processes/follow-forks.sh expects, also for programs executed
# by vfork, posix_spawn and a shell.
export MEMSPY_FRONTEND=native
. "$SRC/tests/cli/run/lib.bash"
(
	mkdir family && cd family || exit
	bash "$SRC/tests/cli/run-processes/follow-forks.sh" >../family.out
) || fail "the family: $(tail -n 5 family.out)"
diff family.out "$SRC/tests/cli/run-processes/follow-forks.sh.stdout.exact" || fail "the family differs"

# Which program came out of which.
for how in system spawn vfork; do
	profile $how --follow-forks -- "$PROGRAMS/children" $how
	sqlite3 $how.db "select '$how', frontend, relation, ended from run where parent is not null"
done

# A child that comes to nothing before its parent has ended: processor 0 has better things to do.
taskset -c 0 bash -c 'while [ $SECONDS -lt 60 ]; do :; done' 2>/dev/null &
busy=$!
for _ in 1 2 3 4 5; do
	profile idle --follow-forks -- "$PROGRAMS/family" idle
done
kill $busy 2>/dev/null
followed=$(sqlite3 idle.db "select count(*) from run where relation = 'fork'")
[ "$followed" = 5 ] || fail "idle: of 5 children $followed were followed"

# One that is loaded for a second, when its parent has ended long ago.
cat >slow.c <<'END'
#include <time.h>
static int three(void) { return 3; }
static int (*choose(void))(void)
{
	const struct timespec second = { 1, 0 };

	nanosleep(&second, 0);
	return three;
}
int chosen(void) __attribute__((ifunc("choose")));
int main(void) { return chosen(); }
END
gcc -O1 -o slow slow.c -Wl,-z,now || fail "gcc slow.c"
profile leave --follow-forks -- "$PROGRAMS/generations" leave ./slow
profile sampled --sample 1/100 --follow-forks -- "$PROGRAMS/generations" leave ./slow
for how in leave sampled; do
	found=$(sqlite3 $how.db "select relation, ended, exit_status from run where parent is not null")
	[ "$found" = 'fork|exited|3' ] || fail "$how: its child is $found"
done

# On several processors children are as whole as on one: nothing of the lanes is lost at their end. Start-up differs by a few references.
for processors in 1 2; do
	profile whole$processors --processors $processors --follow-forks -- bash -c 'for i in 1 2 3 4 5 6; do seq 1 2000 >/dev/null; done'
	sqlite3 whole$processors.db "select count(*), min(n) > 1000, max(n) < 1.02 * min(n) from (select sum(cell.refs) as n from cell
		join run on run.id = cell.run where parent is not null group by run.id)"
done

# How children were killed, however soon their parent waits for them: newer kernels inform other processes, too.
cat >die.c <<'END'
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
	for (int i = 0; i < 20; i++) {
		int pid = fork();

		if (pid == 0)
			raise(SIGTERM);
		waitpid(pid, 0, 0);
	}
	return 0;
}
END
gcc -O1 -o die die.c || fail "gcc die.c"
profile die --follow-forks -- ./die
found=$(sqlite3 die.db "select ended, exit_status, count(*) from run where parent is not null group by 1, 2")
IFS=. read -r major minor _ < <(uname -r)
[ $((major * 100 + ${minor%%[!0-9]*})) -lt 615 ] || [ "$found" = 'signaled|15|20' ] || fail "die: its children ended so: $found"

# What cannot be followed is not passed over in silence: programs that are linked statically, executed by way of fork, vfork and
# in the place of the program, and one that does not find memspy in its environment.
echo 'int main(void) { return 0; }' >alone.c
gcc -static -o alone alone.c || fail "gcc alone.c"
for how in './alone; ./alone; true' 'exec ./alone' 'env -i /bin/true; /bin/true; ./nowhere; true' \
	"/usr/bin/python3 -c 'import subprocess; subprocess.run([\"./alone\"]); subprocess.run([\"/bin/true\"])'"; do
	rm -f alone.db
	"$MEMSPY" run --follow-forks --db alone.db -o report.txt -- bash -c "$how" >out.txt 2>said.txt || fail "$how: status $?"
	sqlite3 alone.db "select who, times, reason from untraced where who <> 'loader'" | sed 's/it had ended before it could be looked at/it is statically linked, and loads no libraries/'
	grep -q '^memspy: [12] of its processes could not be followed, and ran alone: it' said.txt || fail "$how: says $(cat said.txt)"
	grep -q '^Children: [12] ran untraced: it' report.txt || fail "$how: reports $(head -n 8 report.txt)"
done
finish
