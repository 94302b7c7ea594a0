# A run of several processors: invalidation misses, and those of them that are false sharing, by source line.
db=$("$DBS/make" parallel)
for width in 80 140; do
	"$MEMSPY" lines --db "$db" --width $width | sed -n '/^SOURCE/,$p'
done
