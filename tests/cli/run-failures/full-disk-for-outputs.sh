# Full disks, file size limits and closed pipes for report and trace are reported, and the run is kept.
. "$SRC/tests/cli/run/lib.bash"

kept() {
	[ "$(sqlite3 "$1.db" 'pragma integrity_check; select count(*), ended, exit_status from run')" = $'ok\n'"1|exited|$2" ] ||
		fail "$1: it is not kept: $("$MEMSPY" runs --db "$1.db" 2>&1)"
}

# try NAME STATUS OPTIONS: `ends _exit`, whose own status is 6
try() {
	local name=$1 want=$2 got
	shift 2
	"$MEMSPY" run --machine dash --db "$name.db" "$@" >"$name.out" 2>"$name.err"
	got=$?
	[ $got = "$want" ] || fail "$name: exit status $got, expected $want: $(grep ^memspy: "$name.err")"
}

says() {
	[ "$(grep '^memspy:' "$1.err")" = "memspy: $2" ] || fail "$1: says $(grep '^memspy:' "$1.err")"
}

try report 125 -o /dev/full "$PROGRAMS/ends" _exit
says report '/dev/full: could not write: No space left on device'
kept report 6
try trace 125 --trace /dev/full "$PROGRAMS/ends" _exit
says trace '/dev/full: cannot write the trace: No space left on device; the trace is not whole'
grep -q '^TOTAL APPLICATION STATISTICS' trace.err || fail "trace: no report"
kept trace 6
"$MEMSPY" run --machine dash --db words.db "$PROGRAMS/ends" _exit >out 2>/dev/full
got=$?
[ $got = 125 ] || fail "words: exit status $got, expected 125"
kept words 6

# Somebody reads the beginning of the trace and goes.
mkfifo pipe
head -c 10 pipe >/dev/null &
try reader 125 --trace pipe "$PROGRAMS/ends" while
says reader 'pipe: cannot write the trace: Broken pipe; the trace is not whole'
kept reader 0

# Messages of memspy have no reader: that is not a failure, and the program ends as without memspy.
cat >unread.py <<'END'
import os, subprocess, sys
r, w = os.pipe()
os.close(r)
print(subprocess.run(sys.argv[1:], stderr=w).returncode)
END
[ "$(python3 unread.py "$MEMSPY" run --machine dash --db unread.db "$PROGRAMS/ends" _exit)" = 6 ] || fail "unread: status"
kept unread 6

# Files may not grow beyond 5 MB: room for memspy's memory, not for this trace.
(
	ulimit -f 5000
	# shellcheck disable=SC2016 # for the inner shell
	try grow 125 --trace grow.trace bash -c 'for ((i = 0; i < 3000; i++)); do x+=$i; done'
	says grow 'grow.trace: cannot write the trace: File too large; the trace is not whole'
	kept grow 0
	"$MEMSPY" check grow.trace >check.out 2>&1 && fail "grow: check finds a whole trace"
	exit $failures
) || fail "with ulimit -f"

# Nor for a database: the report is there, and what was kept stays.
"$MEMSPY" run -q --machine dash --db big.db "$PROGRAMS/ends" _exit
sqlite3 big.db "insert into string (text) select hex(randomblob(2600000))"
cp big.db before.db
for ((i = 5600; i >= 4800; i -= 200)); do
	cp before.db big.db
	(
		ulimit -f $i
		exec "$MEMSPY" run --machine dash --db big.db "$PROGRAMS/ends" _exit >out 2>err
	)
	got=$?
	runs=$(sqlite3 big.db 'pragma integrity_check; select count(*) from run' | tr '\n' ' ')
	grep -q '^TOTAL APPLICATION STATISTICS' err || fail "big $i: no report"
	words=$(grep '^memspy:' err)
	case "$got $runs$words" in
	'6 ok 2 ') ;;
	'6 ok 1 '*'this run will be reported, but not kept'*) ;;
	'125 ok 1 memspy: big.db: could not keep the run: '*) ;;
	*) fail "big $i: exit status $got, database: $runs; says: $words" ;;
	esac
done
finish
