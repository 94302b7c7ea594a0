# The timeline of the page has the misses of each level by cache set and time, as they are stored.
"$MEMSPY" run -q --workers 1 --db r.db --l1 16K,4,64 --ll 256K,16,64 "$BUILD/examples/matmul" 100 >/dev/null
"$MEMSPY" html --db r.db -o page.html
# Parts have as many slices as the smallest power of two that leaves at most 64 of them.
sqlite3 -json r.db "with recursive length(n) as (select 1 union all select 2 * n from length
		where (select count(*) from slice) > 64 * n)
	select slice / (select max(n) from length) as part, sets, misses from set_slice where level = 0" >sets.json
node "$SRC/tests/browser/cache-sets.js" "file://$PWD/page.html" sets.json
# All misses are there, but for references to two lines, which are one miss.
sqlite3 r.db "select sum(misses) between m and 1.01 * m from set_slice s,
	(select level as l, sum(first + replaced) as m from miss group by level) where s.level = l group by level"
