"$MEMSPY" report --db "$("$DBS/make" matmul)" --json
