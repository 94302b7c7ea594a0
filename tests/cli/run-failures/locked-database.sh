# While another process locks the database, memspy waits for a limited time and says so; the report is printed in any case.
. "$SRC/tests/cli/run/lib.bash"
cat >lock.py <<'END'
# Locks the database, says so, holds it until standard input ends.
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("begin immediate")
print("locked", flush=True)
sys.stdin.read()
db.execute("rollback")
END

# lock DB: until `unlock`
lock() {
	coproc LOCK { exec python3 lock.py "$1"; }
	read -r word <&"${LOCK[0]}"
	[ "$word" = locked ] || fail "cannot lock $1"
}

unlock() {
	local holder=$LOCK_PID
	eval "exec ${LOCK[1]}>&-"
	wait "$holder"
}

run() {
	"$MEMSPY" run --machine dash --db "$@" >"$1.out" 2>"$1.err"
	got=$?
}

reported() {
	grep -q '^TOTAL APPLICATION STATISTICS' "$1.err" || fail "$1: no report"
}

# From the beginning to the end, and the database is to be made or brought up to date first.
: >new.db
lock new.db
run new.db "$PROGRAMS/walk"
unlock
[ $got = 0 ] || fail "new.db: exit status $got, expected 0"
[ "$(grep '^memspy:' new.db.err)" = 'memspy: new.db: could not use the database: another process has been writing to it for more than 10 seconds
memspy: this run will be reported, but not kept (--db FILE names another)' ] || fail "new.db: says $(grep '^memspy:' new.db.err)"
reported new.db

# At the beginning only: the run is kept after all.
: >later.db
lock later.db
run later.db "$PROGRAMS/ends" until freed &
pid=$!
for ((i = 0; i < 1200; i++)); do
	grep -qs ready later.db.out && break
	sleep 0.05
done
unlock
: >freed
wait $pid
grep -q '^memspy: later.db: can be written by now; the run is kept$' later.db.err ||
	fail "later.db: says $(grep '^memspy:' later.db.err)"
reported later.db
[ "$(sqlite3 later.db 'select count(*) from run')" = 1 ] || fail "later.db: the run is not kept"

# At the end only.
"$MEMSPY" run -q --machine dash --db end.db "$PROGRAMS/walk" || fail "end.db: first run"
lock end.db
run end.db "$PROGRAMS/ends" segv 2>/dev/null
unlock
[ $got = 125 ] || fail "end.db: exit status $got, expected 125"
reported end.db
grep -q '^memspy: .*ends was killed by signal 11' end.db.err || fail "end.db: the signal is not reported"
[ "$(tail -n 1 end.db.err)" = 'memspy: end.db: could not use the database: another process has been writing to it for more than 30 seconds' ] ||
	fail "end.db: says $(tail -n 1 end.db.err)"
[ "$(sqlite3 end.db 'pragma integrity_check; select count(*) from run')" = $'ok\n1' ] || fail "end.db: harmed"

# memspy is killed while it waits to keep the run: that is lost, but not with a trace, which is whole before.
"$MEMSPY" run -q --machine dash --db kill.db --trace kill.trace "$PROGRAMS/ends" until let >kill.out 2>kill.err &
pid=$!
for ((i = 0; i < 1200; i++)); do
	grep -qs ready kill.out && break
	sleep 0.05
done
lock kill.db
: >let
for ((i = 0; i < 400; i++)); do
	"$MEMSPY" check kill.trace >/dev/null 2>&1 && break
	sleep 0.05
done
kill -KILL $pid
wait $pid 2>/dev/null
unlock
[ "$(sqlite3 kill.db 'pragma integrity_check; select count(*) from run')" = $'ok\n0' ] || fail "kill.db: the run is kept, or it is harmed"
"$MEMSPY" replay -q --machine dash --db kill.db kill.trace 2>kill.err || fail "kill.trace: exit status $?"
[ ! -s kill.err ] || fail "kill.trace: says $(cat kill.err)"
[ "$(sqlite3 kill.db "select ended, exit_status from run")" = 'exited|0' ] || fail "kill.db: $(sqlite3 kill.db 'select ended, exit_status from run')"

# Reading needs no lock.
lock end.db
"$MEMSPY" report --db end.db >report 2>err || fail "report: $(cat err)"
unlock
grep -q '^TOTAL APPLICATION STATISTICS' report || fail "report: $(cat report)"
finish
