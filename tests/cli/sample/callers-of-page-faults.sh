# A plain `memspy sample`, which also samples page faults, has the callers of each sample: callers, paths and exports need no
# option. The periods of page faults are not in step with a program that touches equal blocks in turn.
"$MEMSPY" sample -q --db runs.db -- "$PROGRAMS/page-callers" 60 2>/dev/null
"$MEMSPY" callers --db runs.db --top 100 --json '<page faults>' >faults.json
"$MEMSPY" callers --db runs.db --top 100 touch | grep -c 'use_new_block (page-callers.c:[0-9]*)'
"$MEMSPY" report --by path --db runs.db --csv >paths.csv
"$MEMSPY" export collapsed --db runs.db -o stacks.txt
python3 - <<'EOF'
import json
tree = json.load(open("faults.json"))
share = {r["code"]: r["stall_ns"] / tree["stall_ns"] for r in tree["callers"] if r["depth"] <= 2}
print("touched by", [name for name in ("touch", "use_new_block") if share[name] > 0.95])
print("often", 0.5 < share["often"] < 0.95 or share, "rarely", 0.05 < share["rarely"] < 0.5 or share)
EOF
grep -c 'often.*touch.*<page faults>' paths.csv | sed 's/[1-9][0-9]*/some paths/'
grep -c '^_start.*main.*rarely;use_new_block;touch;<page faults>' stacks.txt | sed 's/[1-9][0-9]*/some stacks/'
