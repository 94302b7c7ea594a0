# What could not be attributed says why; what has no references has no rates.
db=$("$DBS/make" matmul)
"$MEMSPY" show --db "$db" --data '<unknown>'
"$MEMSPY" show --db "$db" --data counter
