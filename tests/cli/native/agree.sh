# The two front-ends agree: the same references and data in every function of a program, and the same misses but for
# what the caches hold when it begins (agree.py).
. "$SRC/tests/cli/native/lib.bash"
for name in heap cpp recursion newmatrix statics members mapped far-bss collide; do
	compare $name '' "$PROGRAMS/$name"
done
compare matmul '' "$EXAMPLES/matmul" 100
seq 1 5000 >text
compare gzip '' gzip -c text
compare threads --parallel "$PROGRAMS/threads"
compare openmp '--parallel --tasks' "$PROGRAMS/openmp"
finish
