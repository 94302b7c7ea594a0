# Between windows allocations are recorded as one word each, and in records of their own while the program is traced; also those
# of handlers, and those of a program that is killed while a record is open.
count() { "$MEMSPY" check --json "$1" | tr ',{}' '\n\n\n' | sed -n "s/^ *\"$2\": *//p"; }
failures=0
fail() { echo "$1" && failures=$((failures + 1)); }

"$MEMSPY" run -q --frontend native --db runs.db --trace whole.trace -- "$PROGRAMS/packed" || fail "traced: exit status $?"
MEMSPY_NATIVE_IDLE=1 "$MEMSPY" run -q --frontend native --sample 1/100 --db runs.db --trace idle.trace -- "$PROGRAMS/packed" 2>idle.err ||
	fail "idle: exit status $?, $(cat idle.err)"
MEMSPY_NATIVE_IDLE=1 "$MEMSPY" run -q --frontend native --sample 1/100 --db runs.db --trace killed.trace -- "$PROGRAMS/packed" kill 2>killed.err
[ $? = 137 ] || fail "killed: $(cat killed.err)"
for what in allocations frees; do
	whole=$(count whole.trace $what)
	[ "${whole:-0}" -gt 29000 ] || fail "traced: $whole $what"
	for way in idle killed; do
		[ "$(count $way.trace $what)" = "$whole" ] || fail "$way: $(count $way.trace $what) $what, traced $whole"
	done
done
[ "$(count whole.trace packed)" = 0 ] || fail "traced: $(count whole.trace packed) packed records"
[ "$(count idle.trace packed)" -gt 0 ] || fail "idle: $(count idle.trace packed) packed records"
for way in whole idle killed; do
	"$MEMSPY" check $way.trace >check.out || fail "$way: $(cat check.out)"
done
# Nor is what it frees where there is nothing: its heap may begin at a low address.
gcc -O1 -no-pie -o low "$SRC/tests/programs/packed.c" || fail "gcc -no-pie"
MEMSPY_NATIVE_IDLE=1 "$MEMSPY" run -q --frontend native --sample 1/100 --db runs.db --trace low.trace -- ./low 2>low.err || fail "low: exit status $?, $(cat low.err)"
[ "$(count low.trace unknown_frees) $(count low.trace frees)" = "0 $(count whole.trace frees)" ] ||
	fail "low: $(count low.trace unknown_frees) of $(count low.trace frees) frees where nothing was allocated, traced $(count whole.trace frees)"
echo "$failures failed"
[ $failures = 0 ]
