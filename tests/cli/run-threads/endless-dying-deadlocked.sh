# Threads that never end, die, or deadlock: memspy ends as the program does, and keeps the run.
. "$SRC/tests/cli/run/lib.bash"
machine=(--machine sgi-4d-340 --processors 4)

profile never "${machine[@]}" -- "$PROGRAMS/thread-kinds" never
[ "$status" = 3 ] || fail "never: exit status $status; it says $(cat never.err)"
[ "$(cat never.out)" = enough ] || fail "never: prints $(cat never.out)"
expect never <<'END'
bin('work', 'own').refs == 2 * 100000 or bin('work', 'own').writes == 100000
bin('never_end', 'shared').writes > 1000
END

{
	profile dies "${machine[@]}" -- "$PROGRAMS/thread-kinds" dies
} 2>/dev/null
[ "$status" = 139 ] || fail "dies: exit status $status; it says $(cat dies.err)"
expect dies <<'END'
report['run']['end'] == 'signaled'
bin('work', 'own').writes > 0
END

# A child of a thread in the middle of its turn is followed, or left alone.
for follow in '' --follow-forks; do
	profile breeds "${machine[@]}" $follow -- "$PROGRAMS/thread-kinds" breeds
	[ "$status" = 0 ] || fail "breeds $follow: exit status $status; it says $(cat breeds.err)"
	[ "$(cat breeds.out)" = 'its child returned 3' ] ||
		fail "breeds $follow: prints $(cat breeds.out)"
done

# interrupted NAME: started in a session of its own, until it says that it is ready, then Ctrl-C
interrupted() {
	local i
	python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.setsid()
os.execv(sys.argv[1], sys.argv[1:])' "$MEMSPY" run "${machine[@]}" --db "$1.db" \
		--json -o "$1.json" "$PROGRAMS/thread-kinds" "$1" >"$1.out" 2>"$1.err" &
	pid=$!
	for ((i = 0; i < 200; i++)); do
		grep -qs ready "$1.out" && break
		sleep 0.05
	done
	sleep 0.2
	kill -INT -- "-$pid"
	for ((i = 0; i < 200; i++)); do
		kill -0 "$pid" 2>/dev/null || break
		sleep 0.05
	done
	kill -KILL -- "-$pid" 2>/dev/null && fail "$1: it does not end"
	wait "$pid" 2>/dev/null
	local got=$?
	[ $got = 130 ] || fail "$1: exit status $got; it says $(cat "$1.err")"
	grep -q 'was interrupted; what it did until then is kept' "$1.err" || fail "$1: says $(cat "$1.err")"
	expect "$1" <<'END'
report['run']['end'] == 'interrupted'
END
}

interrupted deadlock 2>/dev/null
interrupted forever 2>/dev/null
finish
