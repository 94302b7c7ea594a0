# Of several processors: the misses on what others had taken away, and those of them that only share the line.
db=$("$DBS/make" parallel)
for width in 80 140; do
	"$MEMSPY" lines --db "$db" --width $width | sed -n '/^SOURCE/,$p'
done
