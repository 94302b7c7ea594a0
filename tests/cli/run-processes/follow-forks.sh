# With --follow-forks every process and every executed program is a run, linked to its origin; exit status and report are those
# of the first program.
. "$SRC/tests/cli/run/lib.bash"

# What a run is known by: runs of children are numbered as they end.
touched='(select coalesce(group_concat(data || " " || writes, ", "), "-") from (select data, writes from bin
	where run = RUN and code = "touch" and writes > 0 order by data))'

# follow HOW STATUS: prints each run (how it ended, what it touched), and that of its parent
follow() {
	profile "$1" --follow-forks -- "$PROGRAMS/family" "$1"
	[ "$status" = "$2" ] || fail "$1: exit status $status, expected $2"
	[ ! -s "$1.err" ] || fail "$1: says $(cat "$1.err")"
	echo "$1:"
	sqlite3 "$1.db" "select '  ' || ended || ' ' || exit_status || ', ' || ${touched/RUN/run.id} ||
		case when parent is null then '' else ' -- ' || relation || ' of: ' || ${touched/RUN/parent} end from run" | sort
}
follow inherit 3
follow become 4
follow many 0
follow orphan 0
follow close 0
follow stopped 0
# How a child was killed is known only if no other process waited for it first; its references always are.
for how in abort kill; do
	profile $how --follow-forks -- "$PROGRAMS/family" $how
	case $how-$status in abort-106 | kill-109) ;; *) fail "$how: exit status $status" ;; esac
	sqlite3 $how.db "select data, writes from bin where code = 'touch' and writes > 0"
	[ "$(sqlite3 $how.db "select ended in ('signaled', 'lost') from run where parent is not null")" = 1 ] || fail "$how: its end"
done

# Each process's report is its own, in the trace's way too: names, objects, call paths.
grandchild=$(sqlite3 inherit.db 'select id from run where exit_status = 7')
"$MEMSPY" report --db inherit.db "@$grandchild" --json -o grandchild.json
expect grandchild <<'END'
data('char.before').kind == 'heap'
data('char.before').allocated_by[0]['function'] == 'inherit'
data('char.inside').bytes == 300
report['run']['relation'] == 'fork'
names('unknown') == []
END
"$MEMSPY" report --db inherit.db "@$grandchild" | sed -n 's/^From: *@[0-9]*/From: @N/p'
"$MEMSPY" runs --db inherit.db | grep -c '@[0-9]*  *fork @[0-9]'
# How many there were is said, unless quiet.
"$MEMSPY" run --db loud.db --follow-forks -o loud.txt "$PROGRAMS/family" become 2>&1 | grep children

# Each has a trace of its own, and only those that are runs: replayed, they are the same runs again.
for how in inherit become; do
	"$MEMSPY" run --db traced-$how.db --trace $how.trace --follow-forks -o traced.txt "$PROGRAMS/family" $how 2>traced.err >/dev/null
	runs=$(sqlite3 traced-$how.db 'select count(*) from run where parent is not null')
	traces=$(find . -name "$how.trace.*" | wc -l)
	[ "$traces" = "$runs" ] || fail "$how: $traces traces of children, $runs runs"
	grep -q "^memspy: $traces traces\\? of them \(is\|are\) kept beside $how.trace: $how.trace.2 ...\$" traced.err || fail "$how: says $(cat traced.err)"
	for trace in $how.trace $how.trace.*; do
		"$MEMSPY" check "$trace" >check.out || fail "$trace: $(cat check.out)"
		"$MEMSPY" replay -q --db again-$how.db "$trace" || fail "$trace: cannot be replayed"
	done
	for db in traced again; do
		sqlite3 $db-$how.db "select ${touched/RUN/run.id} from run" | sort >$db.txt
	done
	diff traced.txt again.txt >/dev/null || fail "$how: replayed, its runs are $(cat again.txt), live $(cat traced.txt)"
done
# Children that are nothing but the way to another program leave no gap in the numbers.
for frontend in native valgrind; do
	[ $frontend = valgrind ] || [ -e "$BUILD/frontends/memspy-native.so" ] || continue
	"$MEMSPY" run -q --db gaps.db --frontend $frontend --trace $frontend.trace --follow-forks -- \
		sh -c "'$PROGRAMS/family' none; '$PROGRAMS/family' none; true" >/dev/null 2>&1
	[ "$(echo $frontend.trace.*)" = "$frontend.trace.2 $frontend.trace.3" ] || fail "$frontend: traces $(echo $frontend.trace.*)"
	for trace in $frontend.trace.*; do
		"$MEMSPY" check "$trace" >check.out || fail "$trace: $(cat check.out)"
	done
done
# One that cannot be written costs nothing else.
mkdir blocked.2 && "$MEMSPY" run -q --db blocked.db --trace blocked --follow-forks "$PROGRAMS/family" inherit >/dev/null 2>blocked.err
grep -qx 'memspy: of 1 of its children there is no trace, or not the whole' blocked.err || fail "blocked: says $(cat blocked.err)"

# A program that ends before its children: memspy waits, until it is interrupted.
"$MEMSPY" run --db forever.db --follow-forks -o forever.txt "$PROGRAMS/family" forever >forever.out 2>forever.err &
memspy=$!
for _ in $(seq 300); do
	grep -q 'waiting for them' forever.err && break
	sleep 0.1
done
kill -INT $memspy
wait $memspy || fail "interrupted while it waited: status $?"
sqlite3 -separator ' ' forever.db "select ended, relation from run order by relation"
kill "$(cat forever.out)" || fail "what it left behind does not run on"
finish
