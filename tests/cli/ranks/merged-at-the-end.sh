# The rank that ends last merges all, reports once, and names what differs; the sums are those of the ranks.
. "$SRC/tests/cli/ranks/lib.bash"
for rank in 3 1 0 2; do
	as_rank 7 $rank 4 "$MEMSPY" run --tag before --machine dash "$PROGRAMS/ranks" >"$rank.out" 2>"$rank.err" || echo "status $?"
	wc -l <"$rank.out"
	head -n 1 "$rank.err"
done
grep -c 'TOTAL APPLICATION STATISTICS' ./*.err
sum() {
	for db in "$@"; do sqlite3 "$db" "select instructions, refs from run where tag = 'before'"; done |
		awk -F'|' '{ i += $1; r += $2 } END { print i, r }'
}
[ "$(sum memspy.d/7/*.db)" = "$(sum memspy.db)" ] && echo "the same sums"
misses='select level, sum(first), sum(replaced) from miss join run on run.id = miss.run where tag = "before" group by level'
for db in memspy.d/7/*.db; do sqlite3 "$db" "$misses"; done | awk -F'|' '{ f[$1] += $2; r[$1] += $3 }
	END { for (l = 0; l < 2; l++) print l "|" f[l] "|" r[l] }' >ranks.misses
sqlite3 memspy.db "$misses" | cmp - ranks.misses && echo "the same misses"
"$MEMSPY" runs --csv | cut -d, -f1,2,15,16 | tr -d '\r'
"$MEMSPY" ranks --json | python3 -c '
import json, sys
j = json.load(sys.stdin)
print([(r["rank"], r["state"], r["cluster"]) for r in j["ranks"]])
print(j["time"]["most_rank"], j["time"]["above_mean"] > j["time"]["mean"])
worst = j["bins"][0]
print(worst["code"], worst["data"], worst["most_rank"], worst["least"], worst["least_rank"])
print([(c["ranks"], c["representative"]) for c in j["clusters"]])'
"$MEMSPY" report @1 | sed -n 2p | sed 's/, 20.*//'
# The same again is not stored twice.
"$MEMSPY" merge memspy.d/7 2>&1
sqlite3 memspy.db 'select count(*) from run'
# A report of one rank is none of a job.
"$MEMSPY" ranks @1 || echo "status $?"
# Before and after, as of any runs.
for rank in 0 1 2 3; do
	as_rank 8 $rank 4 "$MEMSPY" run -q --tag after --machine dash "$PROGRAMS/ranks" 9 || echo "status $?"
done
"$MEMSPY" diff before after | grep -c 'L2 misses'
