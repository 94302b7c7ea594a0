# A program without memory: the limit set before memspy or by the program itself, everything taken
# until malloc says no, and limits that leave Valgrind too little.
. "$SRC/tests/cli/run/lib.bash"

# took NAME: it came to the end of its memory (status 3), each block was seen, each page written
took() {
	[ "$status" = 3 ] || fail "$1: exit status $status: $(grep -v aspacem "$1.err" | head -n 5)"
	[ ! -s "$1.err" ] || fail "$1: says $(head -n 5 "$1.err")"
	read -r blocks limit <"$1.out"
	[ "$blocks" -gt 0 ] || fail "$1: no memory at all"
	[ "$limit" = "$2" ] || fail "$1: sees a limit of $limit, expected $2"
	expect "$1" <<END
data('char.block').objects == $blocks
data('char.block').bytes == $blocks << 20
bin('touch', 'char.block').writes == $blocks * 256
report['run']['end'] == 'exited'
END
}

profile own "$PROGRAMS/limits" 400
took own 400
native=$("$PROGRAMS/limits" 400 | cut -d ' ' -f 1)
[ "$blocks" -le "$native" ] || fail "own: $blocks blocks, $native without memspy"

# (Not with a sanitizer in memspy, which takes terabytes of address space.)
small() {
	bash -c 'ulimit -v 400000 && exec "$MEMSPY" --version' >/dev/null 2>&1
}
! small || (
	ulimit -v 400000
	profile before "$PROGRAMS/limits"
	took before 0
	exit "$failures"
) || fail "with ulimit -v 400000"

# A program that needs nothing leaves memspy what there is.
! small || for limit in 200000 250000 300000 350000 400000; do
	(ulimit -v $limit && exec "$MEMSPY" run -q --db small.db -- "$PROGRAMS/walk") >small.out 2>&1 ||
		fail "with ulimit -v $limit: $(tail -n 1 small.out)"
done

# Too little for Valgrind, which must translate code: what was done is kept, and the words say what to do.
profile little --frontend valgrind -- "$PROGRAMS/limits" 1 code
[ "$status" = 125 ] || fail "little: exit status $status"
grep -v aspacem little.err >words
[ "$(cat words)" = "memspy: the run ends early: Valgrind ran out of memory. A limit on the address space (ulimit -v, or RLIMIT_AS set by the program) must leave it 100 MB more than the program needs" ] ||
	fail "little: says $(head -n 5 words)"
expect little <<'END'
report['run']['end'] == 'lost'
bin('step', 'seen').writes > 0
END
[ "$(sqlite3 little.db 'select ended from run')" = lost ] || fail "little: it is not kept"

# Too little for memspy itself.
echo 'memspy: nothing' >err
! small || (
	ulimit -v 24000
	"$MEMSPY" run -q --machine dash --db none.db "$PROGRAMS/walk" >out 2>err
	[ $? = 125 ]
) || fail "ulimit -v 24000: exit status"
grep -q '^memspy: \|error while loading shared libraries' err || fail "ulimit -v 24000: says $(cat err)"

# No file may grow: the stream needs none on a disk, but its memory is counted.
(
	ulimit -f 500
	"$MEMSPY" run -q --machine dash --db none.db "$PROGRAMS/walk" >out 2>err
	[ $? = 125 ]
) || fail "ulimit -f 500: exit status"
grep -q '^memspy: cannot make [0-9]* bytes of shared memory: File too large$' err || fail "ulimit -f 500: says $(cat err)"
finish
