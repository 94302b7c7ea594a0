# Children run as without memspy, and are not counted.
. "$SRC/tests/cli/run/lib.bash"
# check HOW STATUS OUTPUT MARKS
check() {
	profile "$1" "$PROGRAMS/children" "$1"
	[ "$status" = "$2" ] || fail "$1: exit status $status, expected $2"
	[ "$(cat "$1.out")" = "$3" ] || fail "$1: prints $(cat "$1.out")"
	[ ! -s "$1.err" ] || fail "$1: says $(cat "$1.err")"
	expect "$1" <<END
bin('mark', 'marks').writes == $4
END
}
check system 5 'from the shell' 1000
check spawn 0 spawned 1000
check vfork 0 vforked 1000
check threads 6 '' 2000

# memspy waits for the program, not for what it left behind.
SECONDS=0
check orphan 0 '' 1000
[ $SECONDS -lt 8 ] || fail "orphan: it took $SECONDS seconds"

# Few files, a small stack.
(
	ulimit -n 16
	profile few "$PROGRAMS/children" spawn
	[ "$status" = 0 ] || { echo "few files: exit status $status: $(cat few.err)" && exit 1; }
) || fail "with 16 files"
(
	ulimit -s 256
	profile small "$PROGRAMS/children" vfork
	[ "$status" = 0 ] || { echo "a small stack: exit status $status: $(cat small.err)" && exit 1; }
) || fail "with a small stack"
finish
