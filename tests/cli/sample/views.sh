# Runs sampled on the real machine, by each kind of source: figures that a source cannot tell are absent.
db=$("$DBS/make" hardware)
for run in pebs timer faults; do
	"$MEMSPY" report --db "$db" $run
	"$MEMSPY" report --db "$db" $run --by data | sed -n '/^BY/,/^$/p'
	"$MEMSPY" report --db "$db" $run --by code --csv
done
"$MEMSPY" show --db "$db" pebs --data mem_init
"$MEMSPY" show --db "$db" timer --code smvp
"$MEMSPY" lines --db "$db" timer
"$MEMSPY" lines --db "$db" pebs --csv
"$MEMSPY" runs --db "$db"
"$MEMSPY" runs --db "$db" --csv
for run in pebs timer faults; do
	"$MEMSPY" export csv --db "$db" $run | head -2
done
