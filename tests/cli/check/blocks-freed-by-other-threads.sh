# Blocks that one thread allocates and another frees: each free is recorded in order, and internal frees of the allocator are
# not recorded.
. "$SRC/tests/cli/run/lib.bash"
for frontend in native valgrind; do
	[ $frontend = valgrind ] || [ -e "$BUILD/frontends/memspy-native.so" ] || continue
	for processors in 1 4; do
		name="$frontend, $processors processors"
		"$MEMSPY" run -q --frontend $frontend --processors $processors --db runs.db --trace blocks.trace \
			-- "$PROGRAMS/foreign-frees" 4000 >/dev/null 2>&1 || fail "$name: exit status $?"
		"$MEMSPY" check --json blocks.trace >blocks.json || fail "$name: $(cat blocks.json)"
		python3 - blocks.json <<'END' || fail "$name: see above"
import json, sys
check = json.load(open(sys.argv[1]))
wrong = [(key, check[key]) for key in ("unknown_frees", "allocations_over_live") if check[key] != 0]
if check["records"]["allocations"] < 16000:
    wrong.append(check["records"])
if wrong:
    print(*wrong)
sys.exit(bool(wrong))
END
	done
done
finish
