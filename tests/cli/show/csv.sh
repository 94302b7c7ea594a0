# The details of data structures and code as CSV.
db=$("$DBS/make" matmul)
"$MEMSPY" show --db "$db" --data Matrix.Y --csv
"$MEMSPY" show --db "$db" --code main --by line --csv
