# --ranks-per-node divides what ranks of one node share; the run says so.
cat >machine.ini <<'END'
[machine]
text = a node
source = made up for this test
processors = 4
[level L1]
size = 4K
ways = 4
line = 64
processors = 1
[level L2]
size = 256K
ways = 8
line = 64
latency = 10
processors = 4
[memory]
latency = 100
END
for n in none 1 4; do
	"$MEMSPY" run -q --machine machine.ini -p 1 --ranks-per-node $n --db $n.db "$PROGRAMS/far-bss"
	"$MEMSPY" report --db $n.db --json | python3 -c '
import json, sys
run = json.load(sys.stdin)["run"]
print([l["size"] for l in run["machine_levels"]], run["machine_origin"])
'
done
"$MEMSPY" run -q --ranks-per-node 0 "$PROGRAMS/far-bss"
