# The report by source line, sorted by miss rate.
"$MEMSPY" report --db "$("$DBS/make" matmul)" --by line --sort L1_miss_rate 1
