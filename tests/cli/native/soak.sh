# make soak's script: it passes what is the same, and tells what is not: with a front-end that changes what the program
# prints, how it ends, what it says, that hangs, and that stores nothing.
. "$SRC/tests/cli/run/lib.bash"
export TMPDIR=$PWD
soak() { "$SRC/tests/soak/run" "$@" --seconds 0 --only '^days-fork$' --keep kept >soak.out 2>&1; }

soak "$BUILD" || fail "the real one: $(cat soak.out)"
[ "$(tail -n 1 soak.out)" = "1 passed, 0 failed" ] || fail "the real one: $(cat soak.out)"
[ ! -e kept ] || fail "it keeps what did not fail"

mkdir -p odd/frontends odd/tests
touch odd/frontends/memspy-native.so
ln -s "$PROGRAMS" odd/tests/programs
# odd WANTED SCRIPT: a memspy that does this with the program's words
odd() {
	local wanted=$1
	printf '#!/bin/bash\ndb=$6\nwhile [ "$1" != -- ]; do shift; done\nshift\n%s\n' "$2" >odd/memspy
	chmod +x odd/memspy
	soak odd --limit 5 && fail "$wanted: passes"
	grep -q "^FAILED days-fork: $wanted" soak.out || fail "not '$wanted': $(cat soak.out)"
	[ "$(tail -n 1 soak.out)" = "0 passed, 1 failed" ] || fail "$wanted: $(cat soak.out)"
	[ -e kept/days-fork/traced.out ] || fail "$wanted: nothing is kept"
}
odd 'another stdout: > more' 'echo run >$db; "$@"; s=$?; echo more; exit $s'
odd 'another stderr: > more' 'echo run >$db; "$@"; s=$?; echo more >&2; exit $s'
odd 'exit status 6 instead of 5' 'echo run >$db; "$@"; exit 6'
odd 'killed after 5 seconds' 'echo run >$db; "$@"; sleep 1000'
odd 'nothing was traced' '"$@"'
finish
