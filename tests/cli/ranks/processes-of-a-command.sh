# --follow-forks --merge: one report over the processes of a command, by program; their sums are those of the runs.
cp "$PROGRAMS/ranks" first
cp "$PROGRAMS/ranks" second
cat >command.sh <<'END'
./first & ./first & ./second & wait
END
"$MEMSPY" run --follow-forks --merge --json --machine dash sh ./command.sh >report.json 2>errors || cat errors
python3 -c '
import json
j = json.load(open("report.json"))
print(j["run"]["merged_runs"] > 3, j["run"]["program"], "job" in j["run"])'
sqlite3 memspy.db "select (select sum(instructions) from run where id < (select max(id) from run)) = instructions from run order by id desc limit 1"
"$MEMSPY" ranks --json | python3 -c '
import json, sys
j = json.load(sys.stdin)
programs = {p["name"]: p["processes"] for p in j["programs"]}
print(programs["first"], programs["second"], programs.get("sh", 0) > 0)
print(j["job"]["id"], {r["state"] for r in j["ranks"]})'
"$MEMSPY" ranks | grep -c '^Processes: '
"$MEMSPY" report | grep '^Merged:' | sed 's/[0-9]* of [0-9]*/N of N/'
