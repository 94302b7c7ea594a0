# In 40 columns no figure is cut off.
db=$("$DBS/make" matmul)
"$MEMSPY" show Matrix.Y BlkMultiply --db "$db" --width 40 | sed -n '/^DETAILED/,/^DATA/p'
"$MEMSPY" report --db "$db" --width 40 | grep -A1 '^Unattributed'
