# memspy and cachegrind count the same references and misses with the same geometry and environment; docs/design/cachegrind.md
# explains the other differences.
. "$SRC/tests/cli/run/lib.bash"

# Debian's valgrind is a shell script that changes the environment, and so the stack, of the program.
valgrind=$(command -v valgrind.bin || command -v valgrind)
clean=(env -i "PATH=$PATH" PYTHONHASHSEED=0 PYTHONDONTWRITEBYTECODE=1)

compare() {
	local name=$1
	shift
	"${clean[@]}" "$valgrind" --vex-guest-chase=no --tool=cachegrind --cache-sim=yes \
		--I1=32768,8,64 --D1=32768,8,64 --LL=8388608,16,64 --cachegrind-out-file="$name.cg" "$@" \
		>"$name.cg.out" 2>/dev/null
	"${clean[@]}" "$MEMSPY" run -q --frontend valgrind --db runs.db --l1 32K,8,64 --ll 8M,16,64 --json -o "$name.json" -- \
		"$@" >"$name.out" 2>"$name.err" || fail "$name: exit status $?, $(cat "$name.err")"
	cmp -s "$name.cg.out" "$name.out" || fail "$name: its output differs"
	python3 "$SRC/tests/cli/run/cachegrind.py" "$name.cg" "$name.json" || fail "$name: see above"
}

compare matmul "$EXAMPLES/matmul" 90 32
seq 1 20000 >numbers
compare gzip "$(command -v gzip)" -nc numbers
python3 - >work.sql <<'END'
print("create table t(id integer primary key, a int, b text); begin;")
for i in range(1000):
    print(f"insert into t values({i}, {i * 7919 % 331}, 'x{i * 104729 % 1000003}');")
print("commit; create index ta on t(a);")
print("select a, count(*), max(b) from t group by a order by 2 desc, 1 limit 5;")
END
compare sqlite3 "$(command -v sqlite3)" :memory: '.read work.sql'
cat >work.py <<'END'
squares = {}
for i in range(3000):
    squares[i % 97] = squares.get(i % 97, 0) + i * i
print(len(" ".join(sorted(str(v) for v in squares.values()))))
END
compare python3 /usr/bin/python3 -S -s work.py
finish
