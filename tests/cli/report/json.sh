# The report as JSON.
"$MEMSPY" report --db "$("$DBS/make" matmul)" --json
