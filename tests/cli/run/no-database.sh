# A database that cannot be written costs the keeping of the run, not the run.
. "$SRC/tests/cli/run/lib.bash"
check() {
	local db=$1
	"$MEMSPY" run --machine dash --db "$db" "$PROGRAMS/walk" >out 2>err
	local got=$?
	[ $got = 0 ] || fail "$db: exit status $got"
	grep -q '^memspy: this run will be reported, but not kept' err || fail "$db: says: $(head -n 3 err)"
	grep -q '^TOTAL APPLICATION STATISTICS' err || fail "$db: no report"
	grep -q 'double.aligned' err || fail "$db: no data in the report"
	"$MEMSPY" run -q --machine dash --db "$db" --json -o out.json "$PROGRAMS/walk" 2>err
	python3 -c 'import json; assert json.load(open("out.json"))["run"]["id"] is None' || fail "$db: the id"
}
check no/such/folder/runs.db
check /proc/runs.db
mkdir folder
check folder
echo 'this is no database, and long enough to be seen as such: 0123456789' >text.db
check text.db
[ "$(head -c 7 text.db)" = 'this is' ] || fail "text.db was changed"
finish
