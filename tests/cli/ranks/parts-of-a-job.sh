# Reports of single ranks, nodes and clusters of a merged run, as long as the ranks' databases are there.
. "$SRC/tests/cli/ranks/lib.bash"
for rank in 0 1 2 3; do
	as_rank 7 $rank 4 "$MEMSPY" run -q --machine dash "$PROGRAMS/ranks"
done
instructions() {
	"$MEMSPY" report --json "$@" | python3 -c 'import json, sys; print(json.load(sys.stdin)["totals"]["instructions"])'
}
of_databases() {
	for rank in "$@"; do sqlite3 "memspy.d/7/$rank.db" 'select instructions from run'; done | awk '{ sum += $1 } END { print sum }'
}
[ "$(instructions --rank 2)" = "$(of_databases 2)" ] && echo "one rank"
[ "$(instructions --rank 0:2/2)" = "$(of_databases 0 2)" ] && echo "two ranks"
[ "$(instructions --node "$(uname -n)")" = "$(of_databases 0 1 2 3)" ] && echo "all of the node"
[ "$(instructions --cluster 0)" = "$(of_databases 0 1 3)" ] && echo "a cluster"
[ "$(instructions)" = "$(of_databases 0 1 2 3)" ] && echo "all"
"$MEMSPY" report --rank 0,3 | grep '^Ranks:'
"$MEMSPY" report | grep '^Ranks:'
"$MEMSPY" lines --rank 2 | grep -c 'look_up'
# What sums do not have, a single rank has.
for command in threads 'evictions --occupancy' 'evictions --timeline'; do
	# shellcheck disable=SC2086 # a command and its option
	"$MEMSPY" $command | grep -c 'only runs of single ranks have this'
	# shellcheck disable=SC2086
	"$MEMSPY" $command --rank 2 | grep -E '^(Rank|TIME|CACHE CONTENTS)'
done
# What comes next is about the same part.
"$MEMSPY" ranks | tail -n 1
for command in 'report --rank 2' 'show --data char.table --rank 2' 'lines --cluster 0' "evictions --node $(uname -n)"; do
	# shellcheck disable=SC2086 # a command and its options
	"$MEMSPY" $command | tail -n 1 | sed "s/$(uname -n)/NODE/"
done
"$MEMSPY" ranks --cluster 1 --csv | tr -d '\r' | cut -d, -f1,2
"$MEMSPY" report --node none || echo "status $?"
"$MEMSPY" report --cluster 2 || echo "status $?"
"$MEMSPY" report --rank x || echo "status $?"
"$MEMSPY" report --rank 0 @1 || echo "status $?"
rm -r memspy.d
"$MEMSPY" report --rank 2 || echo "status $?"
