# JSON and CSV by thread, function and processor, and with a limit.
db=$("$DBS/make" parallel)
"$MEMSPY" threads --db "$db" --json
for by in thread code processor; do "$MEMSPY" threads --db "$db" --csv --by $by; done
"$MEMSPY" threads --db "$db" --json --by code --top 1 | tail -n 4
