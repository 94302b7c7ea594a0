# memspy is killed or terminated at any moment: the program runs on or ends as it would without memspy, nothing spins, and the
# database is intact.
. "$SRC/tests/cli/run/lib.bash"
mkdir tmp
export TMPDIR=$PWD/tmp

# begin NAME ARGUMENTS: memspy run in a session of its own, with file 9 as input; sets $pid and, when
# the program has said "ready", $program
begin() {
	local name=$1
	shift
	mkfifo "$name.in"
	# A shell's background jobs ignore SIGQUIT, and this one shall ignore nothing.
	python3 -c 'import os, signal, sys
for s in signal.SIGHUP, signal.SIGQUIT, signal.SIGPIPE:
    signal.signal(s, signal.SIG_DFL)
os.setsid()
os.execv(sys.argv[1], sys.argv[1:])' "$MEMSPY" run --machine dash --db "$name.db" \
		"$PROGRAMS/ends" "$@" <"$name.in" >"$name.out" 2>"$name.err" &
	pid=$!
	exec 9>"$name.in"
	until_true grep -qs ready "$name.out" || fail "$name: it does not start: $(cat "$name.err")"
	program=$(program_of "$pid")
}

# until_true COMMAND: waits until it succeeds, for a minute at most
until_true() {
	local i
	for ((i = 0; i < 1200; i++)); do
		"$@" && return
		sleep 0.05
	done
	return 1
}

gone() {
	! kill -0 "$1" 2>/dev/null
}

# asleep PID: in one of its calls for at least two looks, with no processor time between them
asleep() {
	local one two
	one=$(cut -d ' ' -f 3,14,15 "/proc/$1/stat" 2>/dev/null)
	sleep 0.2
	two=$(cut -d ' ' -f 3,14,15 "/proc/$1/stat" 2>/dev/null)
	[ "${one%% *}" = S ] && [ "$one" = "$two" ]
}

# whole NAME RUNS: the database is in order and holds so many runs
whole() {
	[ "$(sqlite3 "$1.db" 'pragma integrity_check')" = ok ] || fail "$1: the database is damaged"
	[ "$(sqlite3 "$1.db" 'select count(*) from run')" = "$2" ] || fail "$1: not $2 runs"
	[ "$2" != 0 ] || swept "$1"
	[ "$(ls -d "$1".db*)" = "$1.db" ] || fail "$1: left behind: $(ls -d "$1".db*)"
}

# What a memspy that was killed had kept for memspy serve, if it had run for a second, is taken away by the next run.
swept() {
	: >>"$1.db-live-$pid"
	"$MEMSPY" run -q --machine dash --db "$1.db" "$PROGRAMS/walk" || fail "$1: exit status $? afterwards"
}

# Killed before the program does its work: it does it all the same.
begin work input
kill -KILL "$pid"
wait "$pid" 2>/dev/null
exec 9>&-
until_true grep -q 'done' work.out || fail "work: the program did not finish"
until_true gone "$program" || fail "work: the program does not end"
whole work 0

# Killed while the program waits for room in the stream: it goes on. While it waits it sleeps.
begin full input
kill -STOP "$pid"
exec 9>&-
until_true asleep "$program" || fail "full: the program does not sleep without a reader"
grep -q 'done' full.out && fail "full: the program did not wait for its reader"
kill -KILL "$pid"
wait "$pid" 2>/dev/null
until_true grep -q 'done' full.out || fail "full: the program hangs"
until_true gone "$program" || fail "full: the program does not end"
whole full 0

# Killed while the program sleeps: both it and its child sleep on, until their input ends.
begin asleep child
child=$(pgrep -P "$program" | head -n 1)
kill -KILL "$pid"
wait "$pid" 2>/dev/null
until_true asleep "$program" || fail "asleep: the program spins"
until_true asleep "$child" || fail "asleep: its child spins"
exec 9>&-
until_true gone "$program" || fail "asleep: the program does not end"
until_true gone "$child" || fail "asleep: its child does not end"
[ "$(sort asleep.out | tr '\n' ' ')" = 'child done ready ' ] || fail "asleep: $(cat asleep.out)"
whole asleep 0

# Signals that ask memspy to end go to the program, and end both; the run is kept.
for signal in TERM HUP QUIT; do
	begin "$signal" forever
	kill "-$signal" "$pid"
	wait "$pid" 2>/dev/null
	got=$?
	[ $got = $((128 + $(kill -l "$signal"))) ] || fail "$signal: exit status $got: $(cat $signal.err)"
	gone "$program" || fail "$signal: the program is still there"
	grep -q 'was interrupted; what it did until then is kept' "$signal.err" || fail "$signal: words"
	grep -q '^TOTAL APPLICATION STATISTICS' "$signal.err" || fail "$signal: no report"
	whole "$signal" 1
done
[ -z "$(ls -A tmp)" ] || fail "left in TMPDIR: $(ls -A tmp)"
finish
