# bench/table.awk, on fixed results: it takes the fastest round, gives failed programs no ratio, and reports and fails if
# references differ from those of cachegrind.
table() { awk -F'\t' -v part="$1" -v name="${2-}" -f "$SRC/bench/table.awk" results; }

printf '%s\t' time good native 0.10 0.1 0.0 >results
{
	printf '\n'
	printf 'time\tgood\tnone\t%s\t1\t0\n' 0.60 0.50
	printf 'time\tgood\tcachegrind\t%s\t2\t0\n' 2.00 2.50
	printf 'time\tgood\tcallgrind\t10.00\t8\t0\n'
	printf 'time\tgood\tmemspy\t%s\t1.25\t0.25\n' 1.20 1.00 1.10
	printf 'time\tgood\tmemspy-n\t%s\t0.5\t0.25\n' 0.50 0.40
	printf 'count\tgood\tcachegrind\t1000000\t50000\n'
	printf 'count\tgood\tmemspy\t1000100\t50100\n'
	printf 'time\tother\t%s\t1\t0\n' 'native	0.10' 'none	1.00' 'cachegrind	2.00' 'memspy	4.00'
	printf 'count\tother\tcachegrind\t5000000000\t100\n'
	printf 'count\tother\tmemspy\t5100000000\t110\n'
	printf 'time\tbroken\tnative\t0.10\t0\t0\n'
	printf 'time\tbroken\tmemspy\t1.00\t0\t0\n'
	printf 'failed\tbroken\tcachegrind\texit 1: no room\n'
	printf 'failed\tmissing\tnative\tthere is no sqlite3 in PATH\n'
} >>results

table head
for name in good other broken missing; do table row $name; done
table foot || echo "status $?"
table json
grep -v '	other	' results >kept && mv kept results
table foot >/dev/null && echo "status 0"
