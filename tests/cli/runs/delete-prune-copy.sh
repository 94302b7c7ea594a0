# Runs are deleted, pruned to a limit, and copied to other databases.
db=$("$DBS/make" matmul)
made() {
	sqlite3 "$1" 'select group_concat(id || ifnull("=" || tag, ""), " ") from (select id, tag from run order by id)'
}
cells() {
	sqlite3 "$1" 'select count(distinct run) from cell'
}
# A file of its own, and back: it is known again.
"$MEMSPY" runs export @base one.db --db "$db"
"$MEMSPY" runs export @base one.db --db "$db"
"$MEMSPY" runs import one.db --db "$db"
"$MEMSPY" report --db one.db --json >one.json
"$MEMSPY" report --db "$db" --json | diff - one.json && echo "the same report"
# The same figures under other numbers.
for i in 2 3 4; do
	sqlite3 one.db "update run set uid = 'copy $i', tag = null"
	"$MEMSPY" runs merge one.db --db "$db"
done
made "$db"
"$MEMSPY" runs delete @2,@3 @3 --db "$db" --dry-run
"$MEMSPY" runs delete @2 --db "$db" | sed 's/has .*/.../'
made "$db"
cells "$db"
"$MEMSPY" runs delete @2 --db "$db" || echo "status $?"
"$MEMSPY" runs delete --db "$db" || echo "status $?"
"$MEMSPY" runs prune --db "$db" || echo "status $?"
"$MEMSPY" runs prune --keep 1 --db "$db" | sed 's/has .*/.../'
made "$db"
"$MEMSPY" runs prune --until 2026 --db "$db" | sed 's/has .*/.../'
"$MEMSPY" runs prune --until 2026 --all --db "$db" | sed 's/has .*/.../'
made "$db"
sqlite3 "$db" 'select count(*) from string; pragma integrity_check'
"$MEMSPY" runs delte @1 --db "$db" || echo "status $?"
"$MEMSPY" runs export @1 || echo "status $?"
"$MEMSPY" runs import /dev/null --db "$db" || echo "status $?"
# A database with a limit keeps the newest run, and those that have a name.
for i in 1 2 3 4 5 6 7 8; do
	"$MEMSPY" run -q --db limited.db --db-limit 1500K ${tag:+--tag $tag} --l1 32K,8,64 true
	tag=
	[ $i -ne 2 ] || tag=kept
done
size=$(sqlite3 limited.db 'select (page_count - freelist_count) * page_size / 1024
	from pragma_page_count, pragma_freelist_count, pragma_page_size')
[ "$size" -le 1500 ] || echo "$size KiB"
[ "$(sqlite3 limited.db 'select count(*) from run')" -ge 2 ] || echo "too few are left"
sqlite3 limited.db 'select max(id), sum(tag = "kept") from run'
