db=$("$DBS/make" parallel)
"$MEMSPY" sharing --db "$db" --json
"$MEMSPY" sharing --db "$db" --csv
"$MEMSPY" sharing --db "$db" --csv --top 1 | wc -l
