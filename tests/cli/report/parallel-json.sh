db=$("$DBS/make" parallel)
"$MEMSPY" report --db "$db" --json
