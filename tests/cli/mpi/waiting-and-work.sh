# Functions of MPI's libraries are two rows: what polls for other ranks, which is observed, as their names say nothing,
# and what does something, such as copying a message. The program's own functions are not among them; a function that
# is asked for by its name is by itself.
. "$SRC/tests/cli/mpi/lib.bash"
make_library || exit 1
"$MEMSPY" run -q --machine dash --db a.db ./program 200000
rows() {
	"$MEMSPY" code --db a.db "$@" --csv >code.csv
	python3 - <<'END'
import csv
rows = {r["name"]: r for r in csv.DictReader(open("code.csv"))}
for name in ("<MPI waiting>", "<MPI>", "main", "poll_flags"):
    if name in rows:
        print(name, int(rows[name]["references"]) // 4096, rows[name]["module"].split("/")[-1])
END
}
rows
echo asked for:
"$MEMSPY" show --db a.db --code poll_flags --json >show.json
python3 -c '
import json
for c in json.load(open("show.json"))["code"]:
    print(c["name"], c["module"].split("/")[-1])
'
echo ungrouped:
rows --group none
"$MEMSPY" report --db a.db | grep -o '^MPI:      9[0-9.]*% of the time in functions that poll'
"$MEMSPY" report --db a.db --json | python3 -c '
import json, sys
for u in json.load(sys.stdin)["run"]["untraced"]:
    if u["who"] == "polling" and u["reason"] == "poll_flags":
        print(u["reason"], 1300000 < u["times"] < 2100000)
'
