# Ctrl-C keeps the run, whether the terminal sends it to all or somebody to memspy alone.
. "$SRC/tests/cli/run/lib.bash"

# begin NAME HOW: starts it in a session of its own and waits until the program runs; sets $pid
begin() {
	rm -f "$1".{out,err,pid}
	setsid bash -c 'echo $$ >"$2.pid"; exec "$1" run --machine dash --db "$2.db" --json -o "$2.json" "$3" "$4" >"$2.out" 2>"$2.err"' \
		- "$MEMSPY" "$1" "$PROGRAMS/ends" "$2" &
	job=$!
	for ((i = 0; i < 200; i++)); do
		grep -qs ready "$1.out" && break
		sleep 0.05
	done
	pid=$(cat "$1.pid")
}

# over STATUS NAME
over() {
	wait "$job"
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

# memspy itself is killed: the program goes on or ends, but does not hang.
begin murder forever
kill -KILL "$pid"
wait "$job" 2>/dev/null
for ((i = 0; i < 100; i++)); do
	pgrep -s "$pid" >/dev/null || break
	sleep 0.05
done
left=$(pgrep -s "$pid")
if [ -n "$left" ]; then
	grep -h State "/proc/$(echo "$left" | head -n 1)/status"
	kill -KILL -- "-$pid"
	echo "(the program ran on without memspy)"
fi
finish
