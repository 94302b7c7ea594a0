# Reports of runs by each kind of source omit the figures that the source cannot measure.
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
# Other tools' files: what stands there is called what it is, and what there is not is absent.
"$MEMSPY" show --db "$db" timer --data mem_init | sed -n '/^DETAILED/,/^$/p'
for run in pebs timer faults; do
	"$MEMSPY" export callgrind --db "$db" $run | sed -n '/^event/,/^summary/p'
	"$MEMSPY" export json --db "$db" $run | sed -n '/"lines"/,/]/p' | head -2
done
"$MEMSPY" export speedscope --db "$db" timer | grep -o '"unit": "[a-z]*"'
"$MEMSPY" export cachegrind --db "$db" timer 2>&1 || echo "status $?"
