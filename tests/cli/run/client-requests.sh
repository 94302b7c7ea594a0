# Client requests of include/memspy.h: names, phases, counting off and on; alone, in a trace, and with several workers.
. "$SRC/tests/cli/run/lib.bash"
profile running "$PROGRAMS/client-requests" running
[ "$(cat running.out)" = 1 ] || fail "under memspy: $(cat running.out)"
[ "$("$PROGRAMS/client-requests" running)" = 0 ] || fail "alone, it believes to run under memspy"
for what in name phases stop; do
	"$PROGRAMS/client-requests" $what || fail "alone: $what"
done

# check NAME: what holds for this run, also when it is replayed, with any number of workers.
check() {
	local name=$1 expected
	shift
	expected=$(cat)
	for workers in 1 3; do
		profile_quiet "$name$workers" --workers $workers --trace "$name.trace" --l1 32K,8,64 "$@" -- "$PROGRAMS/client-requests" "$name"
		expect "$name$workers" <<<"$expected"
	done
	"$MEMSPY" check "$name.trace" >check.out || fail "check $name: $(cat check.out)"
	"$MEMSPY" replay -q --db replay.db --l1 32K,8,64 --workers 2 --json -o replayed.json "$name.trace" || fail "replay $name"
	expect replayed <<<"$expected"
}

check name <<'END'
bin('touch', 'the block').writes == 1000
data('the block').kind == 'named'
data('the block').bytes == 2000
bin('touch', 'char.block').writes == 1000
bin('touch', 'part of the table').writes == 1024
bin('touch', 'table').writes == 4096 + 3072
bin('touch', 'scratch pad').writes == 256
bin('touch', '<stack>').writes == 256
bin('touch', 'char.again').writes == 1000
names('named') == ['part of the table', 'scratch pad', 'the block']
report['phases'] == []
report['run']['stops'] == 0
END
check phases <<'END'
[p['name'] for p in report['phases']] == ['<start>', 'build', 'solve', 'write', 'end']
[p['times'] for p in report['phases']] == [1, 1, 3, 3, 1]
4096 <= report['phases'][1]['references'] < 4196
3000 <= report['phases'][2]['references'] < 3100
300 <= report['phases'][3]['references'] < 400
sum(p['references'] for p in report['phases']) == total.refs
sum(p['levels'][0]['misses'] for p in report['phases']) == total.misses
# 4096 bytes, seen for the first time: 64 lines, or 65; and then never again.
64 <= report['phases'][1]['levels'][0]['misses'] <= 70
report['phases'][2]['levels'][0]['misses'] <= 3
bin('touch', 'table').writes == 4096 + 3300
END
check stop <<'END'
report['run']['stops'] == 2
bin('touch', 'char.meanwhile').writes == 1000
data('char.meanwhile').bytes == 3000
'table' not in names('static')
END
check pool <<'END'
bin('touch', 'node.list (client-requests.c:94)').writes == 1000
bin('touch', 'node.list (client-requests.c:102)').writes == 1000
bin('touch', 'node.other').writes == 1000
bin('touch', '<freed>').writes == 1000
data('node.list (client-requests.c:94)').bytes == 1000
bin('touch', 'the named one').writes == 500
END
# Not a reference before the first MEMSPY_START().
profile_quiet start --start-stopped -- "$PROGRAMS/client-requests" start
expect start <<END
report['run']['stops'] == 2
bin('touch', 'char.meanwhile').writes == 1000
total.refs < 1100
sorted(c['name'] for c in report['code']) == ['memspy_ask_', 'memspy_find_', 'memspy_tell_', 'stop', 'touch']
END
"$MEMSPY" report --db stop1.db | grep '^Counted:'
"$MEMSPY" report --db phases1.db | sed -n '/^PHASES/,/^$/p' | cut -c1-14

# Killed while nothing is counted: what was counted before is there.
profile crash "$PROGRAMS/client-requests" crash
[ "$status" = 134 ] || fail "crash: status $status"
expect crash <<'END'
bin('touch', 'table').writes == 4096
report['run']['end'] == 'signaled'
END

finish
