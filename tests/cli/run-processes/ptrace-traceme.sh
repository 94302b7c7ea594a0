# A program that calls ptrace(PTRACE_TRACEME) handles its signals and ends as natively, in all modes.
. "$SRC/tests/cli/run/lib.bash"

# traced NAME HOW STATUS OUTPUT OPTION...
traced() {
	local name=$1 how=$2 expected=$3 output=$4 got
	shift 4
	{
		timeout -s KILL 60 "$MEMSPY" "$@" -q --db runs.db -o report.txt -- "$PROGRAMS/traceme" "$how" >"$name.out" 2>"$name.err"
	} 2>/dev/null
	got=$?
	[ $got = "$expected" ] || fail "$name $how: exit status $got; says $(cat "$name.err")"
	[ "$(cat "$name.out")" = "$output" ] || fail "$name $how: prints $(cat "$name.out")"
}

# each NAME OPTION...
each() {
	local name=$1
	shift
	traced "$name" '' 7 '5 handled' "$@"
	traced "$name" thread 7 '5 handled' "$@"
	traced "$name" stop 7 '5 handled' "$@"
	traced "$name" exec 0 '5 handled
executed' "$@"
	# Valgrind itself drops a signal that would end a tracee.
	[ "$name" = valgrind ] || traced "$name" term 143 '5 handled' "$@"
}
each valgrind run --frontend valgrind
if [ -e "$BUILD/frontends/memspy-native.so" ]; then
	each native run --frontend native
	each sampled run --frontend native --sample 1/10
	traced sample '' 7 '5 handled' sample
fi
expected='exited|0
exited|7'
[ ! -e "$BUILD/frontends/memspy-native.so" ] || expected+='
signaled|15'
ended=$(sqlite3 runs.db "select distinct ended, exit_status from run order by 1, 2")
[ "$ended" = "$expected" ] || fail "the runs ended so: $ended"
finish
