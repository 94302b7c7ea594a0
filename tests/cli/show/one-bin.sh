# The details of one bin, as in figure 3 of the 1992 paper.
"$MEMSPY" show --db "$("$DBS/make" matmul)" --data Matrix.Y --code BlkMultiply
