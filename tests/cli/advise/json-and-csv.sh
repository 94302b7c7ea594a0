# Findings as JSON and CSV; a run without a problem has none, and says why.
db=$("$DBS/make" core)
"$MEMSPY" advise --db "$db" --json
"$MEMSPY" advise --db "$db" --csv
"$MEMSPY" advise --db "$("$DBS/make" matmul)" --json | tail -n 3
"$MEMSPY" advise --db "$("$DBS/make" hardware)" | tail -n 1
