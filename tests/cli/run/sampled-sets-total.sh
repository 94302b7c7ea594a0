# With --sample-sets the number of references is known and the totals match it, also if a small cache misses so often that
# extrapolated misses exceed the references of some instructions.
. "$SRC/tests/cli/run/lib.bash"
for every in 2 4; do
	"$MEMSPY" run -q --db runs.db --l1 4K,4,64 --sample-sets 1/$every --json -o sets.json -- sh -c 'i=0; while [ $i -lt 3000 ]; do i=$((i + 1)); done' ||
		fail "1/$every: exit status $?"
	python3 - <<'END' || fail "1/$every"
import json
report = json.load(open("sets.json"))
references = sum(report["totals"]["references"].values())
assert references == report["run"]["sampling"]["total"], (references, report["run"]["sampling"]["total"])
END
	"$MEMSPY" report --db runs.db --by bin --csv >bins.csv
	python3 - <<'END' || fail "1/$every: bins"
import csv
for row in csv.DictReader(open("bins.csv")):
    assert int(row["references"]) >= int(row["L1_misses"]), row
END
done
finish
