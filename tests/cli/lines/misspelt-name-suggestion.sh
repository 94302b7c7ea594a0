# A name that is neither a file nor a function is refused, with the most similar name.
db=$("$DBS/make" matmul)
for name in matmull.c matnul.c blkmultiply Clear nothing-like-it; do
	"$MEMSPY" lines "$name" --db "$db" 2>&1 | head -n 1
done
