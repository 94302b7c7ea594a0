# Unattributed references are shown with the reason; a bin without references has no rates.
db=$("$DBS/make" matmul)
"$MEMSPY" show --db "$db" --data '<unknown>'
"$MEMSPY" show --db "$db" --data counter
