# The report of a run of several processors as JSON.
db=$("$DBS/make" parallel)
"$MEMSPY" report --db "$db" --json
