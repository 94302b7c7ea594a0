# The native and the Valgrind front-end count the same references by function and data structure, and the same misses but for
# the initial contents of the caches.
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
