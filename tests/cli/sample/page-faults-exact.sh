# With room for all page faults and a slow reader, every page is attributed to its data structure and the code that touches it
# first, although blocks reuse addresses.
"$MEMSPY" sample --event page-faults --period 1 --buffer 2M -q --db runs.db "$PROGRAMS/pages"
echo "status $?"
"$MEMSPY" report --db runs.db --csv | tr -d '\r' >bins.csv
python3 - <<'END'
import csv
for row in csv.DictReader(open("bins.csv")):
    if row["data"].startswith("char."):
        print(row["code"], row["data"], row["events"], row["share_error"])
END
"$MEMSPY" report --db runs.db --json | python3 -c '
import json, sys
run = json.load(sys.stdin)["run"]
h = run["hardware"]
print(h["source"], h["event"], h["unit"], h["period"], h["threads"], run["frontend"], "machine_levels" in run)'
"$MEMSPY" runs --db runs.db --csv | cut -d, -f24 | tr -d '\r'
# One of some, as many as half a per cent of the time allows: about the same shares, and an interval around each.
"$MEMSPY" sample --event page-faults --period 16 -q --db runs.db "$PROGRAMS/pages" >/dev/null
"$MEMSPY" report --db runs.db --json >few.json
python3 - <<'END'
import json
report = json.load(open("few.json"))
first = next(d for d in report["data"] if d["name"] == "char.first")
assert first["share_low"] < first["share"] < first["share_high"], first
assert first["share_low"] < 0.2570 + 0.02 and first["share_high"] > 0.2570 - 0.02, first
assert abs(first["events"] - 2000) < 200, first
assert abs(report["run"]["hardware"]["period"] - 16) < 0.01
print("one of sixteen: as it should be")
END
# What all threads touch while the program has stopped counting is not counted.
cat >stops.c <<'END'
#include <memspy.h>
#include <pthread.h>
#include <string.h>
enum { SIZE = 800 * 4096 };
static void *touch(void *block)
{
	return memset(block, 1, SIZE);
}
int main(void)
{
	char *mine = malloc(SIZE), *theirs = malloc(SIZE), *seen = malloc(SIZE);
	pthread_t thread;
	memspy_stop();
	touch(mine);
	if (pthread_create(&thread, NULL, touch, theirs) == 0)
		pthread_join(thread, NULL);
	memspy_start();
	touch(seen);
	return mine[5] + theirs[5] + seen[5] - 3;
}
END
gcc -g -O1 -pthread -I"$SRC/include" stops.c -o stops
"$MEMSPY" sample --event page-faults --period 1 -q --db runs.db ./stops
"$MEMSPY" report --db runs.db --json | python3 -c '
import json, sys
for d in json.load(sys.stdin)["data"]:
    if d["name"] in ("char.mine", "char.theirs", "char.seen") and d["events"] > 0:
        print(d["name"], d["events"] >= 800)'
