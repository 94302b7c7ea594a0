# Misses of threads over time: those of all slices are the misses of the thread, with any number of workers; a single thread has
# none.
for workers in 1 2; do
	"$MEMSPY" run -q --db $workers.db --workers $workers --processors 4 --l1 4K,2,64 --ll 64K,4,64 "$PROGRAMS/member-threads" >/dev/null
	sqlite3 $workers.db "
		with cost as (select level, coalesce(lead(latency) over (order by level), (select memory_latency from run)) - latency as cycles from level),
			wanted as (select thread, sum(misses * cycles) as latency from thread_miss join cost using (level) group by thread),
			got as (select thread, sum(latency) as latency from slice_thread group by thread)
		select count(*) > 1, sum(wanted.latency = got.latency) = count(*) from wanted left join got using (thread);
		select 'all', (select sum(latency) from slice_thread) = sum(misses * cycles) from slice_sum join (
			select level, coalesce(lead(latency) over (order by level), (select memory_latency from run)) - latency as cycles from level) using (level)"
done
"$MEMSPY" run -q --db single.db --l1 4K,2,64 "$BUILD/examples/matmul" 40 >/dev/null
sqlite3 single.db 'select count(*) > 0 from slice_sum; select count(*) from slice_thread'
