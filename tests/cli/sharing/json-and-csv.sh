# JSON and CSV of shared lines, and with a limit.
db=$("$DBS/make" parallel)
"$MEMSPY" sharing --db "$db" --json
"$MEMSPY" sharing --db "$db" --csv
"$MEMSPY" sharing --db "$db" --csv --top 1 | wc -l
