# With a code cache that is much too small, blocks are discarded and translated again, also while other threads execute them:
# the output is the same, and so are the counts of one thread.
. "$SRC/tests/cli/run/lib.bash"

with() { # CACHE NAME PROGRAM [ARGS]
	local cache=$1 name=$2
	shift 2
	MEMSPY_NATIVE_CACHE=$cache timeout -s KILL 120 "$MEMSPY" run -q --frontend native --db runs.db --json -o $name.$cache.json -- \
		"$@" >$name.$cache.out 2>$name.$cache.err || fail "$name: exit status $?"
	grep -v 'made anew\|an instruction' $name.$cache.err && fail "$name: says $(cat $name.$cache.err)"
	[ $cache = 0 ] || grep -q 'made anew [1-9]' $name.$cache.err || fail "$name: there was room"
}

seq 1 20000 >text
query='with recursive n(i) as (select 1 union all select i + 1 from n where i < 500) select sum(i * i), max(i || 1) from n'
for cache in 0 9; do
	with $cache one sqlite3 :memory: "$query"
	with $cache threads xz -T3 --block-size=8K -c text
done
cmp one.0.out one.9.out || fail "one: prints something else"
cmp threads.0.out threads.9.out || fail "threads: prints something else"
python3 - one.0.json one.9.json <<'END' || fail "one thread: other references"
import json, sys
a, b = (json.load(open(f))["totals"] for f in sys.argv[1:])
assert a["instructions"] == b["instructions"] and a["references"] == b["references"], (a, b)
END

described() { # CACHE: how many descriptions of blocks a trace has
	MEMSPY_NATIVE_CACHE=$1 "$MEMSPY" run -q --frontend native --db runs.db -o /dev/null --trace $1.trace -- sqlite3 :memory: "$query" >/dev/null 2>&1
	"$MEMSPY" check $1.trace | awk '$2 == "blocks" { print $1 }'
}
few=$(described 0) many=$(described 9)
[ "$few" -gt 1000 ] && [ "$many" -lt $((3 * few)) ] || fail "blocks: $few are described, and $many with a small cache"
finish
