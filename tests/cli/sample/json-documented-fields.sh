# The JSON report of a sampled run; docs/formats/report-json.md names every field.
db=$("$DBS/make" hardware)
for run in pebs timer faults; do
	"$MEMSPY" report --db "$db" $run --json --by line
	"$MEMSPY" show --db "$db" $run --json >show.json
	"$MEMSPY" lines --db "$db" $run --json >lines.json
	"$MEMSPY" report --db "$db" $run --json | grep -o '"[a-z_]*":' | tr -d '":'
	grep -ho '"[a-z_]*":' show.json lines.json | tr -d '":'
done >all
sed '/^[a-z_]*$/d' all
grep -x '[a-z_]*' all | sort -u | while read -r key; do
	grep -q "[\`.]$key[\`\[]" "$SRC/docs/formats/report-json.md" "$SRC/docs/formats/lines-json.md" || echo "not documented: $key"
done
