# The totals and the matrix, as in figure 2 of the 1992 paper; the latest run is the default.
"$MEMSPY" report --db "$("$DBS/make" matmul)"
