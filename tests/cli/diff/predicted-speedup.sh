# Runs of an out-of-order core: the ratio of their estimated times, and a remark where only one has it.
"$DBS/make" core >/dev/null
"$DBS/make" matmul >/dev/null
"$MEMSPY" diff --db core.db before after | sed -n 1,9p
"$MEMSPY" diff --db core.db before after --json | python3 -c '
import json, sys
diff = json.load(sys.stdin)
speedup, cycles = diff["speedup"], diff["total"]["metrics"]["cycles"]
assert abs(speedup["times"] - cycles["before"] / cycles["after"]) < 1e-9
print(speedup)'
echo "by latency: $("$MEMSPY" diff --db core.db before after --cost latency | grep -c speedup) predictions"
"$MEMSPY" diff --base-db matmul.db base --db core.db before 2>&1 | grep -A1 'out-of-order\|speedup'
