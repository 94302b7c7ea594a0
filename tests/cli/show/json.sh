"$MEMSPY" show --db "$("$DBS/make" matmul)" --data Matrix.Y --json
