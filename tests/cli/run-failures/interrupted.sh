# Ctrl-C keeps the run, whether the terminal sends it to all processes or only memspy receives it.
. "$SRC/tests/cli/run/lib.bash"

# begin NAME HOW: starts it in a session of its own and waits until the program runs; sets $pid
begin() {
	rm -f "$1".{out,err}
	# A shell's background jobs ignore SIGINT: this one must not.
	python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.setsid()
os.execv(sys.argv[1], sys.argv[1:])' "$MEMSPY" run --machine dash --db "$1.db" \
		--json -o "$1.json" "$PROGRAMS/ends" "$2" >"$1.out" 2>"$1.err" &
	pid=$!
	for ((i = 0; i < 200; i++)); do
		grep -qs ready "$1.out" && break
		sleep 0.05
	done
}

# over STATUS NAME
over() {
	for ((i = 0; i < 200; i++)); do
		kill -0 "$pid" 2>/dev/null || break
		sleep 0.05
	done
	kill -KILL -- "-$pid" 2>/dev/null && fail "$2: it does not end"
	wait "$pid"
	local got=$?
	[ $got = "$1" ] || fail "$2: exit status $got, expected $1; it says $(cat "$2.err")"
	[ "$("$MEMSPY" runs --db "$2.db" --json | grep -c '"id"')" = 1 ] || fail "$2: it is not kept"
}

begin group forever
kill -INT -- "-$pid"
over 130 group 2>/dev/null
grep -q 'was interrupted; what it did until then is kept' group.err || fail "group: $(cat group.err)"
expect group <<'END'
bin('mark', 'marks').writes > 1000
report['run']['end'] == 'interrupted'
report['run']['exit_status'] == 2
END

begin alone forever
kill -INT "$pid"
over 130 alone 2>/dev/null
expect alone <<'END'
report['run']['end'] == 'interrupted'
END

begin term forever
kill -TERM "$pid"
over 143 term 2>/dev/null
expect term <<'END'
report['run']['exit_status'] == 15
END

# The program catches it, and ends in its own way.
begin catch catch
kill -INT -- "-$pid"
over 42 catch
expect catch <<'END'
report['run']['end'] == 'exited'
END

# A child that hangs does not keep memspy: one signal is enough, and the run of the child is kept too.
cat >hang.c <<'END'
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
	if (fork() == 0) {
		puts("ready");
		fflush(stdout);
		for (;;)
			pause();
	}
	wait(NULL);
	return 0;
}
END
gcc -o hang hang.c
setsid "$MEMSPY" run --machine dash --db hang.db --follow-forks ./hang >hang.out 2>hang.err &
pid=$!
for ((i = 0; i < 200; i++)); do
	grep -qs ready hang.out && break
	sleep 0.05
done
kill -TERM "$pid"
for ((i = 0; i < 400; i++)); do
	kill -0 "$pid" 2>/dev/null || break
	sleep 0.05
done
kill -0 "$pid" 2>/dev/null && fail "hang: one SIGTERM does not end it; it says $(cat hang.err)"
kill -KILL -- "-$pid" 2>/dev/null # the child runs on
{ wait "$pid"; } 2>/dev/null
[ "$("$MEMSPY" runs --db hang.db --json | grep -c '"id"')" = 2 ] || fail "hang: not both are kept: $(cat hang.err)"

# memspy itself is killed: the program does its work all the same.
begin murder while
kill -KILL "$pid"
wait "$pid" 2>/dev/null
for ((i = 0; i < 200; i++)); do
	grep -qs 'done' murder.out && break
	sleep 0.05
done
grep -qs 'done' murder.out || fail "murder: the program did not finish; it says $(cat murder.out)"
kill -KILL -- "-$pid" 2>/dev/null
finish
