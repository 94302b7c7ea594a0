# For the scripts in this folder that compare the two front-ends.
#
# The first level has many ways: stacks do not begin at the same place of a page, and with few ways a stack that meets a
# program's data in the same sets costs a per cent of its misses.
#
#   compare NAME HOW PROGRAM [ARGS]   runs it under both; references-match-valgrind.py says what must be the same, and what HOW is
. "$SRC/tests/cli/run/lib.bash"
export GLIBC_TUNABLES=

compare() {
	local name=$1 how=$2
	shift 2
	for frontend in native valgrind; do
		"$MEMSPY" run -q --frontend $frontend --db runs.db --l1 32K,32,64 --ll 8M,16,64 --json -o $frontend.json -- \
			"$@" >$frontend.out 2>$frontend.err || fail "$name: $frontend: exit status $?, $(cat $frontend.err)"
	done
	cmp native.out valgrind.out || fail "$name: another output"
	[ "$(cat native.err)" = "$(cat valgrind.err)" ] || fail "$name: says $(cat native.err)"
	python3 "$SRC/tests/cli/native/references-match-valgrind.py" "$name" native.json valgrind.json $how || failures=$((failures + 1))
}
