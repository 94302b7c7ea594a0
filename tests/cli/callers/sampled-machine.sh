# Callers in a run of memspy sample: touch() reads 3 blocks for often(), 1 for rarely() and 1 for descend(), which calls itself. Samples have the
# calls that the runtime unwinds; of shares only the order of magnitude is certain. Sums are exact.
cat >sampled.c <<'END'
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
enum { COUNT = 1 << 22, STEPS = 20000 };
static uint64_t random_state = 1;
static __attribute__((noinline)) uint64_t touch(const uint32_t *table)
{
	uint64_t sum = 0;
	for (int i = 0; i < STEPS; i++) {
		random_state = random_state * 6364136223846793005u + 1442695040888963407u + (sum & 1);
		sum += table[(random_state >> 33) % COUNT];
	}
	return sum;
}
static __attribute__((noinline)) uint64_t often(const uint32_t *table) { return touch(table) + touch(table) + touch(table); }
static __attribute__((noinline)) uint64_t rarely(const uint32_t *table) { return touch(table) + 1; }
static __attribute__((noinline)) uint64_t descend(const uint32_t *table, int level)
{
	return level == 0 ? touch(table) + 1 : descend(table, level - 1) + 1;
}
int main(void)
{
	uint32_t *table = malloc(COUNT * sizeof(*table));
	uint64_t sum = 0;
	memset(table, 1, COUNT * sizeof(*table));
	for (int i = 0; i < 150; i++)
		sum += often(table) + rarely(table) + descend(table, 40);
	free(table);
	return sum == 0;
}
END
gcc -O2 -g -fno-optimize-sibling-calls sampled.c -o sampled
"$MEMSPY" sample -q --event timer --rate 4000 --db runs.db ./sampled 2>err || { echo "status $?"; cat err; }
"$MEMSPY" callers --db runs.db --json touch >callers.json
jq -r '.callers[] | select(.depth == 0) | .code' callers.json | sort -u
python3 - <<'END'
import json
report = json.load(open("callers.json"))
by_code = {}
for caller in report["callers"]:
    if caller["depth"] == 0:
        by_code[caller["code"]] = by_code.get(caller["code"], 0) + caller["stall_ns"]
print("often has about 3 of 5 parts:", 0.4 < by_code["often"] / report["stall_ns"] < 0.8)
print("all of it has a caller:", sum(by_code.values()) == report["stall_ns"])
print("recursion is folded:", max(c["depth"] for c in report["callers"]) < 10)
END
sqlite3 runs.db "select case when (select sum(misses) from path_miss) = (select sum(latency) from hardware_sample) then 'paths have all of the time' end"
"$MEMSPY" export --db runs.db collapsed | grep -c 'main;often;touch;.*uint32_t.table'
"$MEMSPY" export --db runs.db callgrind | grep -c '^calls=' | awk '{ print ($1 > 3 ? "callgrind has calls" : $1) }'
"$MEMSPY" code --db runs.db | awk 'NR == 2' | grep -o 'Inclusive'
"$MEMSPY" report --db runs.db --by path | grep -o 'main (sampled.c:[0-9]*) > often (sampled.c:[0-9]*) > touch'
