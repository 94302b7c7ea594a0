# Programs without memory: a limit set before memspy or by the program itself, allocation until malloc fails, and limits that
# leave Valgrind too little.
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

# No file may grow beyond so many KB: the stream's memory, which is none on a disk, is counted all the
# same. It is there in spite of a soft limit, with less of it below a hard one; the program has its own.
# grown NAME LIMIT ULIMIT-OPTIONS
grown() {
	(
		ulimit "$3" -f "$2"
		exec "$MEMSPY" run --machine dash --db "$1.db" -- sh -c 'ulimit -S -f; ulimit -H -f; exit 6' >"$1.out" 2>"$1.err"
	)
	got=$?
	[ $got = 6 ] || fail "$1: exit status $got: $(grep ^memspy: "$1.err")"
	[ "$(tr '\n' ' ' <"$1.out")" = "$(ulimit "$3" -f "$2"; sh -c 'ulimit -S -f; ulimit -H -f' | tr '\n' ' ')" ] ||
		fail "$1: the program's limits: $(cat "$1.out")"
	grep -q '^TOTAL APPLICATION STATISTICS' "$1.err" || fail "$1: no report"
}
for limit in 1000 700; do
	grown "soft-$limit" $limit -S
	grown "hard-$limit" $limit -SH
	for kind in soft hard; do
		[ "$(sqlite3 "$kind-$limit.db" 'pragma integrity_check; select exit_status from run')" = $'ok\n6' ] ||
			fail "$kind-$limit: it is not kept: $(grep ^memspy: "$kind-$limit.err")"
	done
done
# Room for the stream, and none for a database: said, and nothing is left of it.
for kind in soft hard; do
	grown "$kind-150" 150 "$([ $kind = soft ] && echo -S || echo -SH)"
	[ "$(grep '^memspy:' "$kind-150.err" | head -n 2)" = "memspy: $kind-150.db: could not use the database: no file may grow that large (ulimit -f shows the limit)
memspy: this run will be reported, but not kept (--db FILE names another)" ] || fail "$kind-150: says $(grep '^memspy:' "$kind-150.err")"
	[ -z "$(find . -name "$kind-150.db*")" ] || fail "$kind-150: leaves $(ls "$kind"-150.db*)"
done
# Room for nothing: said before anything is made, and before the program is run.
(
	ulimit -f 20
	"$MEMSPY" run --machine dash --db nothing.db touch ran >out 2>err
	[ $? = 125 ]
) || fail "ulimit -f 20: exit status"
grep -q '^memspy: cannot make [0-9]* bytes of shared memory for the stream (a limit .*ulimit -H -f shows it): File too large$' err ||
	fail "ulimit -f 20: says $(cat err)"
[ -z "$(find . -name 'nothing.db*' -o -name ran)" ] || fail "ulimit -f 20: leaves $(find . -name 'nothing.db*' -o -name ran)"
finish
