# Allocations whose call paths differ in one call are distinguished by the calls in the program and its libraries.
. "$SRC/tests/cli/run/lib.bash"
plugins=("$PROGRAMS/plugin" "$PROGRAMS/plugin-b")

"$MEMSPY" run -q --frontend native --db runs.db --json -o whole.json -- "$PROGRAMS/paths" "${plugins[@]}" >out 2>err ||
	fail "exit status $?, $(cat err)"
python3 - <<'END' | LC_ALL=C sort
import collections, json, re
found = collections.Counter()
for d in json.load(open("whole.json"))["data"]:
    if "> take " in d["full_name"]:
        calls = re.findall(r"(\w+) \((?:paths|(plugin|plugin-b))\.c:", re.sub(".*> handle ", "handle ", d["full_name"]))
        # Two libraries may lie at the same place, one after the other: their paths are one then.
        found[" ".join(f + (":library" if library else "") for f, library in calls)] += d["objects"]
for path, objects in found.items():
    print(objects, path)
END

# Idle, without traced references: as many paths and allocations are recorded as when all is traced.
count() { "$MEMSPY" check --json "$1" | tr ',{}' '\n\n\n' | sed -n "s/^ *\"$2\": *//p"; }
"$MEMSPY" run -q --frontend native --db runs.db --trace whole.trace -- "$PROGRAMS/paths" || fail "traced: exit status $?"
MEMSPY_NATIVE_IDLE=1 "$MEMSPY" run -q --frontend native --sample 1/100 --db runs.db --trace idle.trace -- "$PROGRAMS/paths" 2>err ||
	fail "idle: exit status $?, $(cat err)"
for what in paths allocations; do
	[ "$(count idle.trace $what)" = "$(count whole.trace $what)" ] || fail "idle: $(count idle.trace $what) $what, traced $(count whole.trace $what)"
done
[ "$(count idle.trace packed)" -gt 0 ] || fail "idle: no block was recorded in a word"
[ $failures = 0 ]
