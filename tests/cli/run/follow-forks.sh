# --follow-forks: every process and every program that is executed is a run, linked to where it came
# from; memspy's exit status and report are the first program's.
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
follow behind 0
follow close 0
follow stopped 0
# How a child was killed is told only if nobody was quicker to ask; that it made its references is.
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

# A program that ends before its children: memspy waits, until it is told not to.
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
