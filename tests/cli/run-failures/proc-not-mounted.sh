# Without /proc, memspy run reports what is missing, and commands that do not need it work.
. "$SRC/tests/cli/run/lib.bash"
db=$("$DBS/make" matmul)
export db
# shellcheck disable=SC2016 # for the inner shell
unshare -m bash -c '
	umount -l /proc || exit
	"$MEMSPY" run --machine dash --db none.db "$PROGRAMS/walk" >out 2>err
	echo $? >status
	"$MEMSPY" report --db "$db" >report 2>&1 || echo "report: $?"
	"$MEMSPY" machine show dash >machine 2>&1 || echo "machine show dash: $?"
	"$MEMSPY" machine list >machines 2>&1 || echo "machine list: $?"
	"$MEMSPY" machine show host >host 2>&1 || echo "machine show host: $?"' >failed 2>&1
[ ! -s failed ] || fail "$(cat failed report machine machines host)"
[ "$(cat status)" = 125 ] || fail "run: exit status $(cat status), expected 125"
[ ! -s out ] || fail "run: on standard output: $(cat out)"
[ "$(cat err)" = 'memspy: /proc is not mounted (there is no /proc/self/maps), and Valgrind cannot run without it. Mount it: mount -t proc proc /proc' ] ||
	fail "run: says $(cat err)"
[ ! -e none.db ] || fail "run: makes a database for nothing"
"$MEMSPY" report --db "$db" | cmp - report || fail "report: not the same as with /proc"
"$MEMSPY" machine show dash | cmp - machine || fail "machine show: not the same as with /proc"

# The other thing that Valgrind needs from the system.
TMPDIR=$PWD/nowhere "$MEMSPY" run --machine dash --db none.db "$PROGRAMS/walk" >out 2>err
got=$?
[ $got = 125 ] || fail "no TMPDIR: exit status $got, expected 125"
[ "$(cat err)" = "memspy: $PWD/nowhere: Valgrind needs a folder for temporary files, and cannot write to this one; name another with TMPDIR: No such file or directory" ] ||
	fail "no TMPDIR: says $(cat err)"
finish
