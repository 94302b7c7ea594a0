# More ranks than one batch: the result does not depend on how many processes merge, nor on shares.
. "$SRC/tests/cli/ranks/lib.bash"
mkdir job
"$BUILD/bench/ranks" job 200 50
dump() {
	sqlite3 "$1" "select * from $2 order by 1, 2, 3, 4" | md5sum
}
"$MEMSPY" merge job -o one.db --jobs 1 2>&1
"$MEMSPY" merge -q job -o three.db --jobs 3
for share in 0 1 2; do
	as_rank m $share 3 "$MEMSPY" merge job -o shares.db 2>&1
done
for table in run code line site data cell miss rank rank_bin rank_data rank_cluster; do
	[ "$(dump one.db $table)" = "$(dump three.db $table)" ] || echo "$table differs with three processes"
	[ "$(dump one.db $table)" = "$(dump shares.db $table)" ] || echo "$table differs with shares"
done
"$MEMSPY" ranks --db one.db | sed -n 2,4p
"$MEMSPY" ranks --db one.db --json | python3 -c '
import json, sys
j = json.load(sys.stdin)
print(len(j["ranks"]), [(c["ranks"], c["representative"]) for c in j["clusters"]])
print(j["bins"][0]["data"], j["bins"][0]["most_rank"] % 5)'
find job -not -name '*.db'
