# The disk is full, or memspy is killed, at each single write to the database: earlier runs stay, the run is stored whole or not
# at all, the report is printed, and the messages are right.
. "$SRC/tests/cli/run/lib.bash"
gcc -shared -fPIC -o fault.so "$SRC/tests/cli/replay/fault.c" -ldl || exit 2
export ASAN_OPTIONS="$ASAN_OPTIONS:verify_asan_link_order=0"
printf '0 1000\n1 2000\n0 1000\n' >trace.din

# replay DB: the report, without the line that differs from run to run
replay() {
	"$MEMSPY" replay -f din --machine dash --db "$1" trace.din >out 2>err
	status=$?
	# A run that was not kept has no next command, nor the empty line before it.
	sed '/^Run: /d; /^Next: /d' out | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' >report
}

faulty() {
	LD_PRELOAD=$PWD/fault.so FAULT=$1 FAULT_AT=$2 replay "$3" 2>/dev/null # the shell's "Killed"
}

# runs DB: how many, or 0 where it is not even made
runs() {
	local answer
	answer=$(sqlite3 "$1" 'pragma integrity_check; select count(*) from run' 2>&1 | sort | tr '\n' ' ')
	case $answer in
	[0-9]*' ok ') echo "${answer% ok }" ;;
	*'no such table: run'*' ok ') echo 0 ;;
	*) echo "-1 (damaged: $answer)" ;;
	esac
}

replay before.db
[ $status = 0 ] || fail "without a fault: $(cat err)"
cp report expected

# loop KIND STATUS: for a database that is made and for one that holds a run
loop() {
	local kind=$1 want=$2 held k
	for held in 0 1; do
		for ((k = 0; k < 1000; k++)); do
			rm -f db*
			[ $held = 0 ] || cp before.db db
			faulty "$kind" "$k" db
			[ $status != 0 ] || break
			check "$kind $k, $held runs before" || break
		done
		[ "$k" -gt 20 ] || fail "$kind, $held runs before: only $k writes"
		[ "$k" -lt 1000 ] || fail "$kind, $held runs before: it never succeeds"
		[ "$(runs db)" = $((held + 1)) ] || fail "$kind, $held runs before: no fault, $(runs db) runs"
	done
}

check() {
	local found
	[ "$status" = "$want" ] || fail "$1: exit status $status: $(cat err)"
	if [ "$kind" = full ]; then
		[ "$(wc -l <err)" = 1 ] || fail "$1: says $(cat err)"
		grep -q '^memspy: db: could not .*\(full\|No space left on device\)' err || fail "$1: says $(cat err)"
		cmp -s report expected || fail "$1: the report: $(diff report expected | head -n 5)"
	fi
	found=$(runs db)
	if [ "$kind" = full ]; then
		[ "$found" = $held ] || fail "$1: $found runs"
	else
		[ "$found" = $held ] || [ "$found" = $((held + 1)) ] || fail "$1: $found runs"
	fi
	# It can be used as if nothing had been.
	replay db
	[ "$status" = 0 ] || fail "$1: afterwards: $(cat err)"
	[ "$(runs db)" = $((found + 1)) ] || fail "$1: afterwards $(runs db) runs"
	[ "$failures" -lt 5 ]
}

loop full 1
loop kill 137
finish
