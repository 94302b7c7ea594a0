# If the database cannot be written, the report is printed, and only storing the run fails.
. "$SRC/tests/cli/run/lib.bash"
check() {
	local db=$1
	"$MEMSPY" run --machine dash --db "$db" "$PROGRAMS/walk" >out 2>err
	local got=$?
	[ $got = 0 ] || fail "$db: exit status $got"
	grep -q '^memspy: this run will be reported, but not kept' err || fail "$db: says: $(head -n 3 err)"
	grep -q '^TOTAL APPLICATION STATISTICS' err || fail "$db: no report"
	grep -q 'aligned' err || fail "$db: no data in the report"
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
# Somebody else's database, and one of a memspy to come: named, and left alone.
sqlite3 foreign.db 'create table t (x); insert into t values (7)'
check foreign.db
grep -q '^memspy: foreign.db: found an SQLite database of another program (application id 0x00000000)' err ||
	fail "foreign.db: says $(head -n 1 err)"
[ "$(sqlite3 foreign.db 'select x from t; select count(*) from sqlite_schema')" = $'7\n1' ] || fail "foreign.db was changed"
"$MEMSPY" run -q --machine dash --db newer.db "$PROGRAMS/walk"
sqlite3 newer.db 'pragma user_version = 1000'
cp newer.db before.db
check newer.db
grep -q '^memspy: newer.db: found schema version 1000, this memspy (.*) reads up to .*; use the newer memspy that wrote it' err ||
	fail "newer.db: says $(head -n 1 err)"
cmp -s newer.db before.db || fail "newer.db was changed"
# The database goes away while the program runs: the report is all that is left, so -q does not keep it back.
mkdir away
"$MEMSPY" run -q --machine dash --db away/runs.db sh -c 'rm -r away; : >away' 2>err
got=$?
[ $got = 125 ] || fail "away: exit status $got, expected 125"
grep -q '^TOTAL APPLICATION STATISTICS' err || fail "away: no report"
grep -q '^memspy: away/runs.db: ' err || fail "away: says $(grep '^memspy:' err)"
# Nothing is said to be kept then, of a program that is killed either.
for command in run sample; do
	for db in foreign.db no/such/folder/runs.db; do
		"$MEMSPY" $command --db "$db" "$PROGRAMS/ends" kill 2>err >out
		grep -q '^memspy: .*ends was killed by signal 9 (Killed); what it did until then is reported, but not kept$' err ||
			fail "$command, $db, killed: says $(grep '^memspy:' err)"
	done
done 2>/dev/null # the shell's own "Killed"
# Where keeping the run is all that was asked for, the program is not even started.
"$MEMSPY" run -q --machine dash --db newer.db "$PROGRAMS/talk" <<<'hello' >out 2>err
got=$?
[ $got = 125 ] || fail "-q: exit status $got, expected 125"
[ ! -s out ] || fail "-q: the program ran"
finish
