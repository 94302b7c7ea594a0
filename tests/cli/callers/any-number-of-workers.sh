# Call paths are the same for any number of workers, and in a replay.
paths() {
	sqlite3 "$1" 'select path, parent, line, kind from path; select path, line, data, level, misses from path_miss'
}
for workers in 1 2 3 4 5; do
	"$MEMSPY" run -q --call-paths --workers $workers --trace $workers.trace --db $workers.db --l1 32K,8,64 --l2 256K,8,64 "$PROGRAMS/callers" >/dev/null
	"$MEMSPY" replay -q --call-paths --workers $((6 - workers)) --db replay-$workers.db --l1 32K,8,64 --l2 256K,8,64 $workers.trace >/dev/null
	paths $workers.db >$workers.paths
	paths replay-$workers.db >replay-$workers.paths
	cmp 1.paths $workers.paths && cmp 1.paths replay-$workers.paths && echo "the same with $workers"
done
[ "$(wc -l <1.paths)" -gt 100 ] && echo "many rows"
# Few contexts: the others are one.
"$MEMSPY" run -q --call-paths --max-contexts 16 --db few.db --l1 32K,8,64 --l2 256K,8,64 "$PROGRAMS/callers" >/dev/null
sqlite3 few.db "select count(*) <= 17 from path; select sum(misses) = (select sum(first + replaced + invalidated) from miss) from path_miss;
	select sum(misses) > 0 from path_miss where path = 1"
