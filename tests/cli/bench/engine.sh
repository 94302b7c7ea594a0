# bench/engine simulates the trace of a program, from memory and from a ring.
"$MEMSPY" run -q --db runs.db --workers 1 --l1 32K,8,64 --ll 8M,16,64 --trace matmul.trace -- "$BUILD/examples/matmul" 20 >/dev/null || exit 1
for from in memory ring; do
	"$BUILD/bench/engine" --rounds 1 --workers 1 --from "$from" matmul=matmul.trace >figures || exit 1
	cut -c 1-20 figures | tr -s ' '
done
