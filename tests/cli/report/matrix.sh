# Figure 2: totals and the matrix; the latest run is the default.
"$MEMSPY" report --db "$("$DBS/make" matmul)"
