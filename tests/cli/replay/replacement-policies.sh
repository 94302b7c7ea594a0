# The replacement policy of a machine file decides which lines of a set are evicted, and is stored with the run. The trace is
# Belady's: with FIFO it has 9 misses in three ways and 10 in four, with LRU 10 and 8.
. "$SRC/tests/cli/run/lib.bash"
for line in 0 1 2 3 0 1 4 0 1 2 3 4; do
	printf '0 %x\n' $((line * 64))
done >trace.din
for policy in lru fifo; do
	for ways in 3 4; do
		cat >machine.ini <<-END
			[machine]
			text = one set
			[level L1]
			size = $((ways * 64))
			ways = $ways
			line = 64
			replacement = $policy
			[memory]
			latency = 100
		END
		"$MEMSPY" machine check ./machine.ini >checked || fail "machine.ini: $(cat checked)"
		"$MEMSPY" replay -q --db runs.db --machine ./machine.ini --json -o run.json trace.din || fail "exit status $?"
		python3 - <<'END'
import json
report = json.load(open("run.json"))
level = report["run"]["machine_levels"][0]
print(level["replacement"], level["ways"], "ways:", report["totals"]["levels"][0]["misses"]["read"], "misses")
END
	done
done
finish
