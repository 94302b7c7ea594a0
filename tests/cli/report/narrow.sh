# In 40 columns: fewer columns of data, the rest added up.
"$MEMSPY" report --db "$("$DBS/make" matmul)" --width 40
