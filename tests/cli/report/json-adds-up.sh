# The JSON report with lines is valid; every list adds up to the totals, and every bin's evictors to its misses.
"$MEMSPY" report --db "$("$DBS/make" matmul)" --json --by line >report.json
sqlite3 <<'END'
create table r as select cast(readfile('report.json') as text) as j;
select 'valid', json_valid(j) from r;
create table list as select l.value as key, e.value as e from r,
	json_each('["code", "data", "bins", "lines"]') l, json_each(r.j, '$.' || l.value) e;
select key, count(*), sum(e ->> '$.stall_cycles') - (select j ->> '$.totals.stall_cycles' from r),
	sum((e ->> '$.references.read') + (e ->> '$.references.write')) -
	(select (j ->> '$.totals.references.read') + (j ->> '$.totals.references.write') from r),
	round(sum(e ->> '$.stall_share'), 12)
from list group by key order by key;
select 'replacers that do not add up', count(*) from list, json_each(e, '$.levels') l where list.key = 'bins'
	and (l.value ->> '$.causes.replacement') <> (select coalesce(sum(b.value ->> '$.count'), 0)
	from json_each(e, '$.replaced_by') b where b.value ->> '$.level' = l.value ->> '$.name');
select 'causes that do not add up', count(*) from list, json_each(e, '$.levels') l
	where (l.value ->> '$.misses.read') + (l.value ->> '$.misses.write') <> (l.value ->> '$.causes.first') +
	(l.value ->> '$.causes.replacement') + (l.value ->> '$.causes.invalidation');
select j ->> '$.unattributed[0].reason' from r;
END
