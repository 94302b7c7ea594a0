# Many processes add rules at the same time: none is lost, none is stored twice.
export MEMSPY_DB=$("$DBS/make" matmul)
for i in 1 2 3 4 5 6 7 8; do
	"$MEMSPY" hide --pattern "data$i" >/dev/null &
	"$MEMSPY" rename Matrix.Y "Y$i" >/dev/null 2>>errors &
done
wait
"$MEMSPY" rules --export | sed 's/Y[0-9]$/YN/' | sort
sqlite3 "$MEMSPY_DB" 'pragma integrity_check'
