# Code that is generated at run time is traced, and so are its changes, by whichever thread; untraced instructions are counted
# and reported.
. "$SRC/tests/cli/run/lib.bash"
export GLIBC_TUNABLES=
[ "$(uname -m)" = x86_64 ] && returns=1000 || returns=0

# run MODE [OPTION...]: as natively
run() {
	local mode=$1
	shift
	timeout -s KILL 60 "$PROGRAMS/generated-code" $mode >alone.out || fail "$mode: status $? natively"
	rm -f $mode.db
	timeout -s KILL 120 "$MEMSPY" run -q --frontend native --db $mode.db --trace $mode.trace "$@" -- "$PROGRAMS/generated-code" $mode >$mode.out 2>$mode.err ||
		fail "$mode: status $?, $(cat $mode.err)"
	cmp $mode.out alone.out || fail "$mode: prints $(cat $mode.out), natively $(cat alone.out)"
	"$MEMSPY" check $mode.trace >checked || fail "$mode: $(cat checked)"
}

# seen MODE CODE: every reference of the code, and of who calls it
seen() {
	[ "$(sqlite3 $1.db "select sum(reads) from bin where code = '$2'")" = $((100000 + returns)) ] ||
		fail "$1: $2 reads $(sqlite3 $1.db "select sum(reads) from bin where code = '$2'") times, expected 100000 + $returns"
	[ "$(sqlite3 $1.db "select sum(writes) between 101000 and 112400 from bin where code = 'around'")" = 1 ] ||
		fail "$1: around writes $(sqlite3 $1.db "select sum(writes) from bin where code = 'around'") times"
}

for mode in calls rewritten toggled twice thread; do
	run $mode
	seen $mode '<generated code>'
	[ "$(sqlite3 $mode.db "select count(*) from untraced where who <> 'loader'")" = 0 ] || fail "$mode: says $(cat $mode.err)"
done
run own
seen own patched

# A fault where the code was; a trap that is stepped over: so often, and not longer than that takes.
run gone
seen gone '<generated code>'
run trap
seen trap '<generated code>'
[ "$(sqlite3 gone.db "select who, times from untraced where who <> 'loader'")" = 'program|100' ] || fail "gone: $(sqlite3 gone.db 'select * from untraced')"
[ "$(sqlite3 trap.db "select who, times from untraced where who <> 'loader'")" = 'program|1000' ] || fail "trap: $(sqlite3 trap.db 'select * from untraced')"
[ "$(sqlite3 trap.db "select seconds > 0 and seconds < processor_seconds from untraced, run where who = 'program'")" = 1 ] ||
	fail "trap: $(sqlite3 trap.db 'select seconds, processor_seconds from untraced, run')"
"$MEMSPY" report --db trap.db | tr '\n' ' ' | tr -s ' ' >report.txt
grep -q ' Counted: in part; the program ran untraced 1000 times, for [0-9.]* [mu]\?s of its [0-9.]* [mu]\?s of processor time: an instruction that the translator does not support [LM]' report.txt ||
	fail "trap: $(cut -c1-400 report.txt)"

grep -qx 'memspy: the program ran on untraced 1000 times: an instruction that the translator does not support' trap.err || fail "trap: says $(cat trap.err)"

# With a cache that begins again and again, in windows, and with sets that are left out: as natively.
export MEMSPY_NATIVE_CACHE=9
for mode in rewritten toggled twice own thread gone trap; do
	run $mode
	run $mode --sample 1/4 --window 20K
	run $mode --sample-sets 1/4
done
finish
