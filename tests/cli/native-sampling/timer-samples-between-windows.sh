# Between windows a timer samples the program: the run has the measured time of code and data beside the simulation. Every sample is
# counted once. A replay of the run's trace has the same samples, with any number of workers.
. "$SRC/tests/cli/run/lib.bash"
cat >program.c <<'END_C'
#include <stdio.h>
#include <stdlib.h>
struct node { struct node *next; long pad[7]; };
static long chase(struct node *at, long n)
{
	long sum = 0;
	for (; n > 0; n--, at = at->next)
		sum += (long)at & 64;
	return sum;
}
/* Nothing in the registers leads from the loaded value to the address that it was loaded from. */
static long decode(unsigned long *at, long n, unsigned long key)
{
	for (; n > 0; n--)
		at = (unsigned long *)(*at ^ key);
	return (long)at & 64;
}
int main(void)
{
	enum { NODES = 1 << 16 };
	struct node *nodes = malloc(NODES * sizeof(*nodes));
	for (long i = 0; i < NODES; i++)
		nodes[i].next = &nodes[(i * 40503 + 7) % NODES];
	printf("%ld\n", chase(nodes, 20000000));
	unsigned long (*hidden)[8] = malloc(NODES * sizeof(*hidden)), key = (unsigned long)nodes * 3;
	for (long i = 0; i < NODES; i++)
		hidden[i][0] = (unsigned long)hidden[(i * 40503 + 7) % NODES] ^ key;
	printf("%ld\n", decode(hidden[0], 10000000, key));
	return 0;
}
END_C
gcc -O1 -g -fno-inline -o program program.c || fail gcc
run()
{
	timeout -s KILL 120 "$MEMSPY" run -q --frontend native --window 5K --db "$@" -- ./program >program.out 2>program.err ||
		fail "exit status $?: $(cat program.err)"
}
ask() { sqlite3 "$1" "$2"; }
samples='SELECT coalesce(sum(samples), 0) FROM hardware'
run rare.db --sample 1/100 --trace rare.trace
run off.db --sample 1/100 --timer off
run counted.db --sample 1/10
run dense.db --sample 1/10 --timer on
[ "$(ask rare.db "$samples")" -gt 10 ] || fail "1/100 has $(ask rare.db "$samples") samples"
[ "$(ask dense.db "$samples")" -gt 10 ] || fail "1/10 --timer on has $(ask dense.db "$samples") samples"
[ "$(ask off.db "$samples")" = 0 ] || fail "--timer off has samples"
# References are counted between windows: the program does not run natively there.
[ "$(ask counted.db "$samples")" = 0 ] || fail "1/10 has samples"
for db in rare.db dense.db; do
	same=$(ask $db "SELECT samples = (SELECT sum(samples) FROM (SELECT samples FROM hardware_sample UNION ALL
		SELECT samples FROM hardware_compute UNION ALL SELECT samples FROM hardware_loss)) AND
		cpu_ns = (SELECT sum(ns) FROM (SELECT latency AS ns FROM hardware_sample UNION ALL
		SELECT time FROM hardware_compute UNION ALL SELECT latency FROM hardware_loss)) AND
		source = 'timer' AND unit = 'nanoseconds' AND covered > 0.5 AND covered < 1 FROM hardware")
	[ "$same" = 1 ] || fail "$db: $(ask $db 'SELECT * FROM hardware')"
	# The chain is most of the program.
	most=$(ask $db "SELECT sum(ns) * 2 > (SELECT cpu_ns FROM hardware) FROM (SELECT line, latency AS ns FROM hardware_sample
		JOIN cell USING (run, cell) JOIN site USING (run, site) UNION ALL SELECT line, time FROM hardware_compute)
		JOIN line USING (line) JOIN code USING (run, code) WHERE code.name = 'chase'")
	[ "$most" = 1 ] || fail "$db: chase is not most of the time"
	[ "$(ask $db "SELECT count(*) > 0 FROM hardware_sample JOIN cell USING (run, cell) JOIN data USING (run, data)
		WHERE data.name LIKE '%nodes%'")" = 1 ] || fail "$db: no sample of the nodes"
	# The simulation knows what a load reads that overwrites its own address.
	not_known=$(ask $db "SELECT coalesce(sum(s.samples), 0) FROM hardware_sample AS s JOIN cell USING (run, cell)
		JOIN site USING (run, site) JOIN line USING (run, line) JOIN code USING (run, code)
		JOIN data ON data.run = cell.run AND data.data = cell.data WHERE code.name = 'decode' AND data.kind = 'unknown'")
	[ "$not_known" = 0 ] || fail "$db: $not_known samples of data that is not known"
	# The same instruction was simulated and sampled: one cell has both.
	[ "$(ask $db 'SELECT count(*) > 0 FROM hardware_sample JOIN cell USING (run, cell) WHERE refs > 0')" = 1 ] ||
		fail "$db: no cell has references and samples"
done
tables() { for table in hardware hardware_sample hardware_compute hardware_loss cell site miss; do ask "$1" "SELECT * FROM $table"; done; }
tables rare.db >live.txt
for workers in 1 3; do
	rm -f replay.db
	"$MEMSPY" replay -q --workers $workers --db replay.db rare.trace 2>replay.err || fail "replay: $(cat replay.err)"
	tables replay.db >replay.txt
	cmp -s live.txt replay.txt || fail "$workers workers: $(diff live.txt replay.txt | head -5)"
done
finish
