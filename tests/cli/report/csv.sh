# The report as CSV: all columns, a limit, and another order.
db=$("$DBS/make" matmul)
"$MEMSPY" report --db "$db" --csv
"$MEMSPY" report --db "$db" --csv --by code --top 1
"$MEMSPY" report --db "$db" --csv --by line --sort name | cut -d, -f1,2
