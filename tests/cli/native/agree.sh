# The two front-ends agree: the same references and data in every function of a program, and the same misses but for
# what the caches hold when it begins (agree.py). The bench programs are built as bench/build.mk does.
. "$SRC/tests/cli/run/lib.bash"
export GLIBC_TUNABLES=

compare() {
	local name=$1 how=$2
	shift 2
	for frontend in native valgrind; do
		"$MEMSPY" run -q --frontend $frontend --db runs.db --l1 32K,8,64 --ll 8M,16,64 --json -o $frontend.json -- \
			"$@" >$frontend.out 2>$frontend.err || fail "$name: $frontend: exit status $?, $(cat $frontend.err)"
	done
	cmp native.out valgrind.out || fail "$name: another output"
	[ "$(cat native.err)" = "$(cat valgrind.err)" ] || fail "$name: says $(cat native.err)"
	python3 "$SRC/tests/cli/native/agree.py" "$name" native.json valgrind.json $how || failures=$((failures + 1))
}

for name in heap cpp recursion newmatrix statics members mapped far-bss collide; do
	compare $name '' "$PROGRAMS/$name"
done
compare matmul '' "$EXAMPLES/matmul" 100
seq 1 5000 >text
compare gzip '' gzip -c text
for name in triad chase gather join; do
	gcc -std=gnu17 -O2 -g -o $name "$SRC/bench/programs/$name.c" || fail "gcc $name.c"
	compare $name '' ./$name
done
g++ -std=c++17 -O2 -g -o objects "$SRC/bench/programs/objects.cc" || fail "g++ objects.cc"
compare objects '' ./objects
compare threads --parallel "$PROGRAMS/threads"
compare openmp --parallel "$PROGRAMS/openmp"
finish
