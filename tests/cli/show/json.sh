# The details of a data structure as JSON.
"$MEMSPY" show --db "$("$DBS/make" matmul)" --data Matrix.Y --json
