# With --follow-forks, children that call setuid() and chroot() to a folder without /proc are traced, and so are their children.
# Each of the four processes makes at least 10 MiB of reads and writes.
. "$SRC/tests/cli/run/lib.bash"
mkdir empty
frontends=valgrind
[ ! -e "$BUILD/frontends/memspy-native.so" ] || frontends='valgrind native'

# followed NAME OPTIONS -- ARGUMENTS
followed() {
	local name=$1 runs
	shift
	profile "$name" --follow-forks "$@"
	[ "$status" = 0 ] || fail "$name: exit status $status"
	[ ! -s "$name.err" ] || fail "$name: says $(cat "$name.err")"
	runs=$(sqlite3 "$name.db" "select count(*), min(refs) > 10 << 20 from (select sum(cell.refs) as refs from cell
		join run on run.id = cell.run where relation = 'fork' and ended = 'exited' and exit_status = 0 group by run.id)")
	[ "$runs" = '4|1' ] || fail "$name: its children are $(sqlite3 "$name.db" "select run.id, relation, ended, exit_status, sum(cell.refs)
		from run left join cell on cell.run = run.id group by 1")"
}
for frontend in $frontends; do
	followed "$frontend-setuid" --frontend $frontend -- "$PROGRAMS/workers"
	followed "$frontend-chroot" --frontend $frontend -- "$PROGRAMS/workers" chroot
done
followed processors --frontend valgrind --processors 4 -- "$PROGRAMS/workers" chroot
finish
