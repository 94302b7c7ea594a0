# In 40 columns the matrix has fewer columns of data structures, and their rest is added up.
"$MEMSPY" report --db "$("$DBS/make" matmul)" --width 40
