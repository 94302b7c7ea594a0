# tests/cli/evictions: the stored run with more evictions than it has of its own.
db=$("$DBS/make" matmul)
sqlite3 "$db" 'create temp table more (cell, level, victim, count); insert into more values
	(0, 0, 2, 269700), (1, 0, 0, 650000), (1, 0, 1, 50000), (3, 0, 0, 400000),
	(5, 0, 2, 10367), (6, 0, 2, 10879), (7, 0, 0, 10879), (8, 0, 3, 625),
	(0, 1, 0, 60000), (1, 1, 0, 20000), (0, 1, 1, 40000);
	insert into more select cell, level, victim, count from eviction where run = 1;
	insert into replacement (run, cell, level, victims)
	select 1, cell, level, json_group_object(victim, count)
	from (select * from more order by cell, level, victim) group by cell, level
	on conflict (run, cell, level) do update set victims = excluded.victims'
evictions() { "$MEMSPY" evictions --db "$db" "$@"; }
# Without the lines about the run and its levels.
short() { evictions "$@" | sed '1,/answers\.$/d'; }
