# The native runtime without tracing records the same allocations as Valgrind's tool, and does not change the program's output.
. "$SRC/tests/cli/run/lib.bash"

counts() {
	"$MEMSPY" check "$1" >"$1.txt" || fail "$1: $(cat "$1.txt")"
	grep -E ' (allocations|frees)$' "$1.txt"
}

compare() {
	local name=$1
	shift
	MEMSPY_NATIVE_IDLE=1 "$MEMSPY" run -q --frontend native --db runs.db --trace native.trace -- "$@" \
		>native.out 2>native.err || fail "$name: exit status $?"
	"$MEMSPY" run -q --frontend valgrind --db runs.db --trace valgrind.trace -- "$@" >valgrind.out 2>/dev/null
	[ ! -s native.err ] || fail "$name: on standard error: $(cat native.err)"
	cmp native.out valgrind.out || fail "$name: another output"
	[ "$(counts native.trace)" = "$(counts valgrind.trace)" ] ||
		fail "$name: native $(counts native.trace), valgrind $(counts valgrind.trace)"
}
compare heap "$PROGRAMS/heap"
compare recursion "$PROGRAMS/recursion"
compare cpp "$PROGRAMS/cpp"
compare newmatrix "$PROGRAMS/newmatrix"

# An idle runtime in quiet mode records no allocations.
MEMSPY_NATIVE_IDLE=quiet "$MEMSPY" run -q --frontend native --db runs.db --trace quiet.trace -- "$PROGRAMS/heap" >quiet.out 2>quiet.err ||
	fail "quiet: exit status $?"
"$PROGRAMS/heap" | cmp - quiet.out || fail "quiet: another output"
[ "$(counts quiet.trace | awk '{ n += $1 } END { print n + 0 }')" = 0 ] || fail "quiet: $(counts quiet.trace)"

# The environment is as it was.
variables=(PATH="$PATH" A=1 ASAN_OPTIONS="$ASAN_OPTIONS" MEMSPY_NATIVE_IDLE=1
	LD_PRELOAD="$(gcc -print-file-name=libm.so.6)" B=2)
env -i "${variables[@]}" "$MEMSPY" run -q --frontend native --db runs.db -- /usr/bin/env >with.out
env -i "${variables[@]}" /usr/bin/env >without.out
cmp <(sort with.out) <(sort without.out) || fail "the environment differs: $(diff <(sort with.out) <(sort without.out))"
env -i PATH="$PATH" MEMSPY_NATIVE_IDLE=1 "$MEMSPY" run -q --frontend native --db runs.db -- /usr/bin/env >with.out
[ "$(sort with.out)" = "$(printf 'MEMSPY_NATIVE_IDLE=1\nPATH=%s' "$PATH")" ] || fail "the environment is $(cat with.out)"

# Where it cannot, that is said; auto then takes Valgrind, and says so when asked for by name.
gcc -static -o static -x c - <<<'int main(void) { return 0; }' || fail "gcc"
"$MEMSPY" run -q --frontend native --db runs.db -- ./static 2>err
[ $? = 126 ] || fail "a static program: $(cat err)"
grep -q 'cannot follow it: it is statically linked' err || fail "static: $(cat err)"
"$MEMSPY" run --frontend auto --db runs.db -- ./static 2>&1 >/dev/null | grep -q '^memspy: the Valgrind front-end follows the program: it is statically' ||
	fail "auto does not say why"
# So it does without --frontend; the usual choice is not reported.
"$MEMSPY" run --db runs.db -- ./static 2>&1 >/dev/null | grep -q '^memspy: the Valgrind front-end follows the program: it is statically' ||
	fail "it does not say that it takes Valgrind"
"$MEMSPY" run --db runs.db -o report.txt -- "$PROGRAMS/walk" 2>usual.err || fail "walk: exit status $?"
[ ! -s usual.err ] || fail "the usual choice is reported: $(cat usual.err)"
"$MEMSPY" run --frontend auto --db runs.db -o report.txt -- "$PROGRAMS/walk" 2>&1 | grep -q '^memspy: the native front-end follows the program: it is linked with glibc.s libraries, and is followed faster there$' ||
	fail "auto does not say that it takes the native one"
[ "$(sqlite3 runs.db "select group_concat(frontend) from (select frontend from run order by id desc limit 3)")" = native,native,valgrind ] ||
	fail "the front-ends of the last runs are others"
finish
