# --list shows stored gains beside the predicted ones: of all runs, or of one.
db=$("$DBS/make" core)
"$MEMSPY" verify --db "$db" --list
stored() {
	sqlite3 "$db" "insert into verification (run, verification, verified, before, after, rounds, before_seconds,
		after_seconds, measured, measured_low, measured_high, kind, data, predicted, predicted_low, predicted_high)
		values ($1)"
}
stored "1, 0, '2026-11-18T10:31:02Z', './old', './new', 7, 0.12, 0.048, 0.6, 0.58, 0.61, 'split', 'task.task', 0.54, 0.28, 0.78"
stored "1, 1, '2026-11-18T11:00:00Z', './old', './new 2', 3, 0.12, 0.15, -0.25, -0.3, -0.2, 'fusion', null, 0.5, 0.2, 0.8"
stored "2, 0, '2026-11-18T12:00:00Z', './old', './new', 1, 2.5, 1, 0.6, 0.6, 0.6, null, null, 0, 0, 0"
COLUMNS=160 "$MEMSPY" verify --db "$db" --list
echo "one run:"
"$MEMSPY" verify --db "$db" --list --run @2 --csv | tr -d '\r'
"$MEMSPY" verify --db "$db" --list --json --run @1 | python3 -c '
import json, sys
for v in json.load(sys.stdin)["verifications"]:
    p = v["prediction"]
    print(v["run"], v["verified"], v["rounds"], v["before"]["command"], v["after"]["median_seconds"], v["gain"]["measured"],
          p["run"], p["kind"], p["data"], p["predicted"], p["low"], p["high"])'
echo "errors:"
try() { "$MEMSPY" verify --db "$db" --list "$@" 2>&1 | sed "s|$db|DB|"; }
try --run @9
try ./old ./new
"$MEMSPY" verify --db missing.db --list 2>&1 || echo "status $?"
