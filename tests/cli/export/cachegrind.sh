# cg_annotate reads the exported file without a complaint, with the figures that cachegrind's own file would have.
set -u
db=$("$DBS/make" matmul)
"$MEMSPY" export cachegrind --db "$db" -o cachegrind.out.1 && cat cachegrind.out.1
cg_annotate --auto=no --show-percs=no --threshold=0.0001 cachegrind.out.1 2>err | sed -n '/^Ir/,$p' | grep -v '^-*$'
cat err
# Two of them: cg_diff reads them too.
cg_diff cachegrind.out.1 cachegrind.out.1 | tail -n 1
