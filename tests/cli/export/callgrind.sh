# callgrind_annotate reads both views without a complaint, and its totals are those of the report.
set -u
db=$("$DBS/make" matmul)
export_as() {
	"$MEMSPY" export --db "$db" "$@"
}
export_as callgrind -o callgrind.out.code && cat callgrind.out.code
export_as callgrind --view data -o callgrind.out.data && cat callgrind.out.data
for view in code data; do
	callgrind_annotate --auto=no --show-percs=no --threshold=100 callgrind.out.$view 2>err |
		sed -n '/^Stall/,$p' | grep -v '^-*$'
	cat err
done
# Who allocated Y: costs of callers are inclusive.
callgrind_annotate --auto=no --show-percs=no --inclusive=yes --tree=caller --threshold=100 callgrind.out.data |
	grep -A1 '< .*NewMatrix' | sed 's/  */ /g'
"$MEMSPY" report --db "$db" --json | grep -E '"(stall_cycles|instructions)"' | head -n 2
