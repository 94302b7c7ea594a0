# docs/formats/evictions-json.md names every field and column, and no other.
db=$("$DBS/make" matmul)
"$MEMSPY" evictions --db "$db" --json >evictions.json
# A sampled run has more.
awk 'BEGIN { for (i = 0; i < 100000; i++) printf "0 %x\n", 1048576 + i * 64 % 65536 }' >walk.din
"$MEMSPY" replay -q --db sampled.db --workers 1 --l1 4K,4,64 --sample 1/10 --window 1K -f din walk.din
"$MEMSPY" evictions --db sampled.db --json >sampled.json
for rows in '' --occupancy --timeline; do
	"$MEMSPY" evictions --db "$db" $rows --csv | head -n 1 | tr -d '\r' | tr , '\n'
done >columns
python3 "$SRC/tests/cli/documented-fields.py" "$SRC/docs/formats/evictions-json.md" evictions.json sampled.json --columns columns
