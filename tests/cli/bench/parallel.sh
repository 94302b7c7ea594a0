# bench/parallel.awk, on fixed results: it prints the cost per reference of the fastest rounds, leaves failed rounds out of
# means, and fails if references differ from those of cachegrind.
table() { awk -F'\t' -v part="$1" -v name="${2-}" -f "$SRC/bench/parallel.awk" results; }

{
	printf 'time\tgood\tnative\t0.10\t0.1\t0\n'
	printf 'time\tgood\tcachegrind\t%s\t2\t0\n' 2.50 2.00
	printf 'time\tgood\tcallgrind\t8.00\t8\t0\n'
	printf 'time\tgood\tmemspy\t%s\t1\t0\n' 1.00 1.10
	printf 'time\tgood\tmemspy4\t%s\t1\t0\n' 1.80 1.50
	printf 'count\tgood\t%s\t50000\n' 'cachegrind	100000000' 'memspy	100000000' 'memspy4	101000000'
	printf 'time\tslow\t%s\t1\t0\n' 'native	0.10' 'none	1.00' 'cachegrind	2.00' 'memspy	1.00' 'memspy4	6.00'
	printf 'count\tslow\t%s\t50000\n' 'cachegrind	100000000' 'memspy	100000000' 'memspy4	200000000'
	printf 'time\tbroken\t%s\t1\t0\n' 'native	0.10' 'cachegrind	2.00' 'memspy	1.00'
	printf 'count\tbroken\t%s\t50000\n' 'cachegrind	100000000' 'memspy	100000000'
	printf 'failed\tbroken\tmemspy4\texit 125: no\n'
} >results

table head
for name in good slow broken; do table row $name; done
table foot || echo "status $?"
grep -v -e '	slow	' -e '	broken	' results >kept && mv kept results
table foot && echo "status 0"
