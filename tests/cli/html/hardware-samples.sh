# Pages of runs that were sampled on the real machine: by latency, by timer, and by events without time.
db=$("$DBS/make" hardware)
pages=()
for run in pebs timer faults; do
	"$MEMSPY" html --db "$db" -o "$run.html" "@$run" && pages+=("file://$PWD/$run.html")
done
node "$SRC/tests/browser/hardware-samples.js" "${pages[@]}"
