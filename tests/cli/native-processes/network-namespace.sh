# With --follow-forks, processes in another network namespace cannot reach memspy and are reported as untraced, whether executed
# or forked there; a failed exec is not counted.
. "$SRC/tests/cli/run/lib.bash"
cat >goes.c <<'END'
#define _GNU_SOURCE
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	(void)argv;
	if (unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0)
		return 1;
	execl("./nothing", "nothing", (char *)NULL);
	if (argc == 1)
		execl("/bin/true", "true", (char *)NULL);
	if (fork() == 0)
		_exit(0);
	wait(NULL);
	return 0;
}
END
gcc -O1 -g -o goes goes.c || fail gcc

# ran_alone NAME COMMAND...
ran_alone() {
	local name=$1
	shift
	timeout -s KILL 100 "$MEMSPY" run -q --frontend native --follow-forks --db "$name.db" "$@" 2>"$name.err" || fail "$name: exit status $?"
	grep -q '^memspy: 1 of its processes .*: memspy cannot be reached from its network namespace$' "$name.err" ||
		fail "$name: it says $(cat "$name.err")"
	[ "$(sqlite3 "$name.db" "select times, who from untraced where reason like '%network namespace'")" = '1|child' ] ||
		fail "$name: $(sqlite3 "$name.db" 'select * from untraced')"
}
ran_alone executes -- ./goes
ran_alone forks -- ./goes forks
ran_alone child -- sh -c './goes; exit 0'
ran_alone sampled --sample 1/10 -- ./goes forks
finish
