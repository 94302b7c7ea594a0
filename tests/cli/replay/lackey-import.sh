# A trace of lackey, a live run and cachegrind have the same references and misses, within the differences that
# docs/formats/import.md explains.
. "$SRC/tests/cli/run/lib.bash"
valgrind=$(command -v valgrind.bin || command -v valgrind)
clean=(env -i "PATH=$PATH")
machine=(--l1 32K,8,64 --ll 8M,16,64)

# The hint: lackey prints between an exclusive load and its store, which then fails forever on aarch64
# (elsewhere it changes nothing). With it a store-exclusive is two reads and a write to cachegrind, too.
compare() {
	local name=$1
	shift
	# The options before --tool: see tests/cli/run/matches-cachegrind.sh.
	"${clean[@]}" "$valgrind" --sim-hints=fallback-llsc --vex-guest-chase=no --tool=lackey --trace-mem=yes \
		--log-file="$name.lackey" "$@" >/dev/null 2>&1
	"${clean[@]}" "$valgrind" --sim-hints=fallback-llsc --vex-guest-chase=no --tool=cachegrind --cache-sim=yes \
		--I1=32768,8,64 --D1=32768,8,64 --LL=8388608,16,64 --cachegrind-out-file="$name.cg" "$@" \
		>/dev/null 2>&1
	"${clean[@]}" "$MEMSPY" run -q --frontend valgrind --db runs.db "${machine[@]}" --json -o "$name.live.json" -- "$@" \
		>/dev/null 2>"$name.err" || fail "$name: exit status $?, $(cat "$name.err")"
	"$MEMSPY" replay -q --db runs.db "${machine[@]}" --json -o "$name.json" "$name.lackey" ||
		fail "$name: replay, exit status $?"
	python3 "$SRC/tests/cli/run/cachegrind.py" "$name.cg" "$name.json" || fail "$name: see above"
	python3 "$SRC/tests/cli/replay/near.py" "$name.live.json" "$name.json" || fail "$name: see above"
}

build walk -O1 -g -static
compare walk ./walk
compare matmul "$EXAMPLES/matmul" 40 16

# On the fly, and compressed.
"$MEMSPY" replay -q -f lackey --db runs.db "${machine[@]}" --json -o pipe.json - <walk.lackey ||
	fail "standard input: exit status $?"
gzip -n walk.lackey
"$MEMSPY" replay -q --db runs.db "${machine[@]}" --workers 3 --json -o gzip.json walk.lackey.gz ||
	fail "gzip: exit status $?"
for name in pipe gzip; do
	python3 - walk.json $name.json <<'END' || fail "$name: it differs"
import json, sys
one, two = (json.load(open(path)) for path in sys.argv[1:3])
sys.exit(any(one[part] != two[part] for part in ("totals", "code", "data", "bins")))
END
done

# Code and data go by their addresses.
expect walk <<'END'
report['run']['frontend'] == 'lackey'
report['run']['program'] == 'walk.lackey'
data('0x4000000+1M').kind == 'file' if 'x86' in __import__('platform').machine() else True
all(row['name'].startswith('0x') for row in report['code'])
END
finish
