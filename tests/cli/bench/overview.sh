# bench/overview.awk, on fixed results: it takes the fastest round, gives failed programs no ratio, and prints means, the
# worst, the part of a run beside the program, start in milliseconds, and the ratio of four processors to one.
table() { awk -F'\t' -v part="$1" -v name="${2-}" -v parallel="sort stencil" -f "$SRC/bench/overview.awk" results; }

{
	printf 'time\tgood\t%s\n' 'native	0.10' 'cachegrind	2.00' 'cachegrind	1.60' 'callgrind	4.00' 'whole	0.90' \
		'whole	0.80' 'tenth	0.20' 'hundredth	0.12' 'timer	0.11'
	printf 'count\tgood\t100000000\t2000000\t0.60\n'
	printf 'time\tother\t%s\n' 'native	0.10' 'cachegrind	1.00' 'whole	0.20' 'tenth	0.45'
	printf 'failed\tother\ttimer\texit 1: no room\n'
	printf 'failed\tmissing\tnative\tthere is no sqlite3 in PATH\n'
} >results

table head
for name in good other missing; do table row $name; done
table foot
{
	printf 'time\tstart\t%s\n' 'native	0.001' 'whole	0.021' 'whole	0.025' 'tenth	0.018'
	printf 'time\tsort\t%s\n' 'one	0.50' 'four	0.60' 'four	1.00'
	printf 'time\tstencil\t%s\n' 'one	0.20'
} >>results
table more
