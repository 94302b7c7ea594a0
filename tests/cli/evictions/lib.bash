# tests/cli/evictions: the stored run with more evictions than it has of its own.
db=$("$DBS/make" matmul)
sqlite3 "$db" 'insert into eviction (run, cell, level, victim, count) values
	(1, 0, 0, 2, 269700), (1, 1, 0, 0, 650000), (1, 1, 0, 1, 50000), (1, 3, 0, 0, 400000),
	(1, 5, 0, 2, 10367), (1, 6, 0, 2, 10879), (1, 7, 0, 0, 10879), (1, 8, 0, 3, 625),
	(1, 0, 1, 0, 60000), (1, 1, 1, 0, 20000), (1, 0, 1, 1, 40000)'
evictions() { "$MEMSPY" evictions --db "$db" "$@"; }
# Without the lines that tell of the run and its levels.
short() { evictions "$@" | sed '1,/^misses wait/d'; }
