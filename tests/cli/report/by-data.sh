"$MEMSPY" report --db "$("$DBS/make" matmul)" --by data --threshold 0 @1
