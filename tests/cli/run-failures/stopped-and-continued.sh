# The program, memspy, or both are stopped and continued: nothing is lost, nothing ends early.
. "$SRC/tests/cli/run/lib.bash"

until_true() {
	local i
	for ((i = 0; i < 1200; i++)); do
		"$@" && return
		sleep 0.05
	done
	return 1
}

stopped() {
	[ "$(cut -d ' ' -f 3 "/proc/$1/stat" 2>/dev/null)" = T ]
}

# check NAME WHOM: stops it while the program waits, lets the program work, continues it
check() {
	local name=$1 pid program whom
	mkfifo "$name.in"
	setsid --fork bash -c 'echo $$ >'"$name.pid"'; exec "$@"' - "$MEMSPY" run -q --machine dash \
		--db "$name.db" --json -o "$name.json" "$PROGRAMS/ends" input \
		<"$name.in" >"$name.out" 2>"$name.err" &
	exec 9>"$name.in"
	until_true grep -qs ready "$name.out" || fail "$name: it does not start"
	pid=$(cat "$name.pid")
	program=$(program_of "$pid")
	case $2 in
	program) whom=$program ;;
	memspy) whom=$pid ;;
	both) whom=-$pid ;; # as Ctrl-Z does
	esac
	kill -STOP -- "$whom"
	until_true stopped "${whom#-}" || fail "$name: it is not stopped"
	exec 9>&-
	grep -q 'done' "$name.out" && fail "$name: the program went on without its reader"
	kill -CONT -- "$whom"
	until_true test -s "$name.json" || fail "$name: it does not end"
	until_true eval "! kill -0 $pid 2>/dev/null" || fail "$name: memspy does not end"
	[ "$(cat "$name.out")" = $'ready\ndone' ] || fail "$name: prints $(cat "$name.out")"
	[ ! -s "$name.err" ] || fail "$name: says $(cat "$name.err")"
	expect "$name" <<'END'
bin('mark', 'marks').writes == 10001000
report['run']['end'] == 'exited'
report['run']['exit_status'] == 0
END
}
check one program
check two memspy
check three both
finish
