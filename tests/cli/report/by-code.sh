# The report by function, with a limit.
"$MEMSPY" report --db "$("$DBS/make" matmul)" --by code --top 2 @base
