# Ten memspy processes write to one new database: all runs are stored.
. "$SRC/tests/cli/run/lib.bash"
for i in 1 2 3 4 5 6 7 8 9 10; do
	"$MEMSPY" run -q --workers 1 --machine dash --db all.db --tag "run-$i" "$PROGRAMS/talk" \
		<<<"$i" >"$i.out" 2>"$i.err" &
	pids[i]=$!
done
for i in 1 2 3 4 5 6 7 8 9 10; do
	wait "${pids[i]}"
	got=$?
	[ $got = 3 ] || fail "$i: exit status $got: $(cat "$i.err")"
	[ "$(cat "$i.err")" = "$i" ] || fail "$i: says $(cat "$i.err")"
done
[ "$(sqlite3 all.db 'pragma integrity_check')" = ok ] || fail "the database is damaged"
[ "$(sqlite3 all.db 'select count(*), count(distinct tag) from run')" = '10|10' ] ||
	fail "not ten runs: $("$MEMSPY" runs --db all.db)"
# Each of them whole: the counts are those that the same program gives alone.
"$MEMSPY" run -q --workers 1 --machine dash --db all.db --tag run-0 "$PROGRAMS/talk" <<<1 >out 2>err
for i in 1 2 3 4 5 6 7 8 9 10; do
	for table in cell miss site data string; do
		echo "select '$table', count(*) from $table where $([ $table = string ] && echo 1 ||
			echo "run = (select id from run where tag = 'run-TAG')")"
	done | sed "s/TAG/$i/" >"$i.sql"
	sed "s/run-$i'/run-0'/" "$i.sql" >0.sql
	while read -r line; do sqlite3 all.db "$line"; done <"$i.sql" >"$i.counts"
	while read -r line; do sqlite3 all.db "$line"; done <0.sql >0.counts
	cmp -s "$i.counts" 0.counts || fail "$i is not whole: $(diff "$i.counts" 0.counts)"
	"$MEMSPY" report --db all.db "@run-$i" >"$i.report" 2>&1 || fail "report @run-$i: $(cat "$i.report")"
done
[ "$(echo all.db*)" = all.db ] || fail "left behind: $(echo all.db*)"
finish
