# Misses over time by cause: those of all slices are the run's, by level and cause, with one processor and with several, and with
# any number of workers. What slices have apart, by pair and by line, is a part of them. Windows do not know causes.
sums() {
	sqlite3 "$1" "
		with whole as (select level, sum(first) as f, sum(replaced) as r, sum(invalidated) as i from miss group by level),
			slices as (select level, sum(first) as f, sum(replaced) as r, sum(invalidated) as i from slice_sum group by level)
		select whole.level, whole.f = slices.f, whole.r = slices.r, whole.i = slices.i, whole.f > 0, whole.r > 0, whole.i > 0
		from whole left join slices using (level);
		select 'three causes', count(*) from (select * from slice_sum union all select run, slice, code, level, misses, first, replaced, invalidated from slice_miss
			union all select * from slice_line) where misses <> first + replaced + invalidated;
		with apart as (select 1 as kind, slice, level, misses, first, replaced, invalidated from slice_miss union all
				select 2, slice, level, misses, first, replaced, invalidated from slice_line),
			parts as (select kind, slice, level, sum(misses) as m, sum(first) as f, sum(replaced) as r, sum(invalidated) as i
				from apart group by kind, slice, level),
			slices as (select slice, level, sum(misses) as m, sum(first) as f, sum(replaced) as r, sum(invalidated) as i
				from slice_sum group by slice, level)
		select iif(kind = 1, 'pairs', 'lines'), count(*) > 0, sum(parts.f > slices.f or parts.r > slices.r or parts.i > slices.i),
			sum(parts.m) > 0.9 * (select sum(misses) from slice_sum) from parts left join slices using (slice, level) group by kind"
}
"$MEMSPY" run -q --db one.db --l1 4K,2,64 --ll 64K,4,64 "$BUILD/examples/matmul" 60 >/dev/null
sums one.db
for workers in 1 2; do
	"$MEMSPY" run -q --db $workers.db --workers $workers --processors 4 --l1 4K,2,64 --ll 64K,4,64 "$PROGRAMS/member-threads" >/dev/null
	sums $workers.db
done
# The lines are those of the source.
sqlite3 one.db "select distinct string.text like '%matmul.c' from slice_line join line using (run, line) join string on string.id = line.file join code on code.run = line.run and code.code = line.code
	where code.name in ('ClearProduct', 'BlkMultiply', 'main')"
"$MEMSPY" run -q --db windows.db --sample 1/4 --l1 4K,2,64 --ll 64K,4,64 "$BUILD/examples/matmul" 60 >/dev/null
sqlite3 windows.db 'select sum(misses) > 0, sum(first + replaced + invalidated) from slice_sum'
