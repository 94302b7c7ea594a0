# memspy sample restricts a run to some code and data structures, begins where the program requests it, and records what memspy
# run records.
sample() {
	"$MEMSPY" sample --event page-faults --period 1 --buffer 2M -q --db runs.db --json -o out.json "$@" -- "$PROGRAMS/pages" 2>&1 >/dev/null
	python3 - <<'END'
import json
report = json.load(open("out.json"))
bins = {}
for b in report["bins"]:
    if b["data"].startswith("char.") or b["code"] in ("fill", "walk"):
        bins[b["code"], b["data"]] = b["events"]
print(sorted(bins.items()), report["totals"]["events"] > 7600)
END
}
echo "-- only data"
sample --only-data char.first --only-data 'char.e*'
echo "-- only code"
sample --only-code walk
echo "-- skip"
sample --skip 'char.*' --skip walk
echo "-- nothing there"
sample --only-data nothing
echo "-- a rule of a file, and without it"
echo "only data char.odd" >memspy.rules
sample --rules memspy.rules
sample --rules none --only-data char.second
rm memspy.rules
echo "-- from the first MEMSPY_START() on"
cat >starts.c <<'END'
#include <memspy.h>
#include <string.h>
enum { SIZE = 800 * 4096 };
int main(void)
{
	char *before = malloc(SIZE), *seen = malloc(SIZE);
	memset(before, 1, SIZE);
	memspy_start();
	memset(seen, 1, SIZE);
	return before[5] + seen[5] - 2;
}
END
gcc -g -O1 -I"$SRC/include" starts.c -o starts
for option in "" --start-stopped; do
	# shellcheck disable=SC2086
	"$MEMSPY" sample --event page-faults --period 1 -q $option --db runs.db --json -o out.json ./starts
	python3 - <<'END'
import json
report = json.load(open("out.json"))
print(sorted((d["name"], d["events"] >= 799) for d in report["data"] if d["name"].startswith("char.")), report["run"]["stops"])
END
done
echo "-- notes"
WEATHER=rain "$MEMSPY" sample --event page-faults -q --note 'in the rain' --keep-env WEATHER --tag wet --db notes.db "$PROGRAMS/walk" 2>/dev/null
"$MEMSPY" runs --db notes.db --csv | python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    print(row["tag"], row["note"])'
sqlite3 notes.db 'select * from environment' | grep -o 'WEATHER.*'
for i in 1 2 3; do
	"$MEMSPY" sample --event page-faults -q --db-limit 64K --db notes.db "$PROGRAMS/walk" 2>/dev/null
done
"$MEMSPY" runs --db notes.db --csv | tail -n +2 | cut -d, -f2
echo "-- not with --attach"
"$MEMSPY" sample --attach $$ --start-stopped 2>&1
"$MEMSPY" sample --attach $$ --keep-env HOME 2>&1
true
