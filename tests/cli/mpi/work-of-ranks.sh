# A rank that polls ten times as often as another one for the same messages waits longer, and has not more work.
. "$SRC/tests/cli/mpi/lib.bash"
. "$SRC/tests/cli/ranks/lib.bash"
make_library || exit 1
job() {
	as_rank "$1" 0 2 "$MEMSPY" run -q --machine intel-skylake-sp --processors 1 --tag "$1" --db job.db ./program "$2"
	as_rank "$1" 1 2 "$MEMSPY" run -q --machine intel-skylake-sp --processors 1 --tag "$1" --db job.db ./program "$3"
}
job more 200000 20000
job less 20000 20000
"$MEMSPY" ranks --db job.db more --json >ranks.json
"$MEMSPY" ranks --db job.db more --csv >ranks.csv
"$MEMSPY" diff --db job.db more less --json >diff.json
python3 - <<'END'
import csv, json
r = json.load(open("ranks.json"))["ranks"]
print("waiting", 5 < r[0]["waiting"] / r[1]["waiting"] < 15)
print("work", 0.8 < r[0]["time"] / r[1]["time"] < 1.25, all(x["time"] == x["compute"] + x["stall"] for x in r))
print("csv", [int(x["waiting"]) for x in csv.DictReader(open("ranks.csv"))] == [x["waiting"] for x in r])
print("no speedup", 0.8 < json.load(open("diff.json"))["speedup"]["times"] < 1.25)
END
"$MEMSPY" ranks --db job.db more | grep -o '^Waiting: .*of all time' | sed 's/ [0-9.]*%/ N%/'
