# Runs of followed children are not repetitions of the program's run, although they have its tag: the program is compared, and
# children where they are named.
. "$SRC/tests/cli/run/lib.bash"
for tag in base now; do
	"$MEMSPY" run -q --db runs.db --l1 4K,4,64 --follow-forks --tag $tag -- "$PROGRAMS/family" many >/dev/null 2>&1 || fail "$tag: exit status $?"
done
ask() { sqlite3 runs.db "$1"; }
children=$(ask "select count(*) from run where tag = 'base' and parent is not null")
[ "$children" -gt 0 ] || fail "no children"
for tag in base now; do
	declare $tag="$(ask "select id from run where tag = '$tag' and parent is null")"
done
"$MEMSPY" diff --db runs.db --json base now >diff.json 2>diff.err || fail "exit status $?"
python3 - "$base" "$now" <<'END' || fail "other runs are compared"
import json, sys
diff = json.load(open("diff.json"))
assert [run["id"] for run in diff["before"]] == [int(sys.argv[1])], diff["before"]
assert [run["id"] for run in diff["after"]] == [int(sys.argv[2])], diff["after"]
END
grep -q '^memspy: base: compares the program, not its children (@[0-9, @]*); name one of them to compare it$' diff.err || fail "says: $(cat diff.err)"
[ "$(wc -l <diff.err)" = 2 ] || fail "says: $(cat diff.err)"
"$MEMSPY" diff --db runs.db -q base now 2>quiet.err || fail "-q: exit status $?"
[ ! -s quiet.err ] || fail "-q: $(cat quiet.err)"
# A child that is named.
child=$(ask "select min(id) from run where tag = 'base' and parent is not null")
"$MEMSPY" diff --db runs.db --json "@$child" now 2>/dev/null | grep -q "\"id\": $child," || fail "the child is not compared"
finish
