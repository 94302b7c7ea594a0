# Figure 3: one bin.
"$MEMSPY" show --db "$("$DBS/make" matmul)" --data Matrix.Y --code BlkMultiply
