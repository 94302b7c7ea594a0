# With limits that are far too small for the program, the totals equal those of a run without limits, with any number of workers
# and in a replay, and the report states what was merged.
machine="--l1 4K,2,64 --ll 64K,8,64 --exact-3c" # estimated conflicts depend on what is merged
"$MEMSPY" run -q --db runs.db --exact-pairs --trace matmul.trace $machine "$EXAMPLES/matmul" 60 >/dev/null
"$MEMSPY" run -q --db runs.db --max-paths 1 --max-pairs 24 $machine "$EXAMPLES/matmul" 60 >/dev/null
for workers in 1 2 7; do
	"$MEMSPY" replay -q --db runs.db --max-paths 1 --max-pairs 24 --workers $workers $machine matmul.trace
done
"$MEMSPY" replay -q --db runs.db --exact-pairs --workers 2 $machine matmul.trace

echo "== totals by code and line"
for run in 1 2 3 4 5 6; do
	for by in code line; do
		"$MEMSPY" report --db runs.db @$run --by $by --csv >$by.$run
		cmp $by.1 $by.$run
	done
	sqlite3 runs.db "select level, sum(count) from replaced where run = $run group by 1;
		select level, sum(count) from eviction where run = $run group by 1;
		select sum(bytes), sum(objects) from data where run = $run" >sums.$run
	cmp sums.1 sums.$run
done

echo "== any number of workers"
for run in 2 3 4 5; do
	sqlite3 runs.db "select code, data, level, evictor, count from bin_replaced where run = $run order by 1, 2, 3, 4;
		select code, evictor, level, victim, count from bin_eviction where run = $run order by 1, 2, 3, 4;
		select name, full_name, paths, bytes from data where run = $run order by 1;
		select merged_sites > 0, merged_pairs, pair_error from run where id = $run" >pairs.$run
	cmp pairs.2 pairs.$run
done
sqlite3 runs.db "select id, merged_sites > 0, merged_pairs > 0, pair_error > 0, (select sum(paths) from data where run = id),
	(select count(*) from data where run = id and name = '<other data>') from run"

echo "== no count is too low by more than stated"
sqlite3 runs.db "select count(*) from bin_eviction e left join bin_eviction l
	on l.run = 2 and l.code = e.code and l.evictor = e.evictor and l.level = e.level and l.victim = e.victim
	where e.run = 1 and e.evictor not like 'Matrix%' and e.victim not like 'Matrix%'
	and e.count - ifnull(l.count, 0) > (select pair_error from run where id = 2)
		* (select count(*) from site s join line using (run, line) join code c using (run, code) where s.run = 1 and c.name = e.code)"

echo "== reports"
"$MEMSPY" report --db runs.db @2 | sed -n '/^Merged/,/^Machine/p' | grep -v '^Machine' | sed 's/apart); [0-9]*/apart); N/; s/most [0-9]*/most N/'
"$MEMSPY" report --db runs.db @1 | grep -c '^Merged'
"$MEMSPY" report --db runs.db @2 --by data | grep -o 'Matrix.[A-Z]{other paths}' | sort -u
"$MEMSPY" report --db runs.db @2 --json | python3 -c 'import json, sys
m = json.load(sys.stdin)["run"]["merged"]
print(sorted(m), m["paths"])'
"$MEMSPY" report --db runs.db @1 --json | grep "\"merged\"" | wc -l

echo "== merged call paths are split by running again, as the report and split say"
"$MEMSPY" split --db runs.db --by caller=4 'Matrix.Y{other paths}' @2 2>&1 >/dev/null
"$MEMSPY" replay -q --db runs.db --max-paths 4096 $machine matmul.trace
sqlite3 runs.db "select sum(paths), count(*) from data where run = 7 and name like 'Matrix._'"
