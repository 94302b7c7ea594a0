# Messages of memspy go to standard error, the report to the file that -o names, and neither is printed with --quiet, unless an option asks for it.
. "$SRC/tests/cli/run/lib.bash"
run() {
	"$MEMSPY" run --machine dash "$@" "$PROGRAMS/talk" <<<'hello' >out 2>err
	[ $? = 3 ] || fail "$*: exit status"
	[ "$(cat out)" = hello ] || fail "$*: standard output: $(cat out)"
}
run
grep -q '^HELLO' err || fail "the program's words are missing"
grep -q '^TOTAL APPLICATION STATISTICS' err || fail "the report is missing"
grep -q '^Next: memspy' err || fail "the next command is missing"
run -q
[ "$(cat err)" = HELLO ] || fail "-q: standard error: $(cat err)"
[ -s memspy.db ] || fail "-q: the run is not kept"
run -o report.txt
[ "$(cat err)" = HELLO ] || fail "-o: standard error: $(cat err)"
grep -q '^TOTAL APPLICATION STATISTICS' report.txt || fail "-o: the report is missing"
run --json -o report.json
[ "$(cat err)" = HELLO ] || fail "--json -o: standard error: $(cat err)"
python3 -c 'import json; r = json.load(open("report.json")); assert r["run"]["exit_status"] == 3' || fail "--json -o"
# Without a file, what programs read is on standard output, after what the program has written.
"$MEMSPY" run --machine dash --json "$PROGRAMS/talk" <<<'hello' >out 2>err
[ "$(cat err)" = HELLO ] || fail "--json: standard error: $(cat err)"
[ "$(head -n 1 out)" = hello ] || fail "--json: the program's output: $(head -n 1 out)"
tail -n +2 out | python3 -c 'import json, sys; assert json.load(sys.stdin)["run"]["exit_status"] == 3' || fail "--json"
"$MEMSPY" run --machine dash --csv "$PROGRAMS/talk" <<<'hello' 2>err | sed -n 2p | grep -q "\bcode,data\b" || fail "--csv"
"$MEMSPY" run -q --machine dash --json "$PROGRAMS/talk" <<<'hello' 2>/dev/null | tail -n +2 |
	python3 -c 'import json, sys; assert json.load(sys.stdin)["run"]["exit_status"] == 3' || fail "-q --json"
run --csv -o report.csv
head -n 1 report.csv | grep -q "\bcode,data\b" || fail "--csv -o: $(head -n 1 report.csv)"
run -q --tag mine
"$MEMSPY" report @mine --json | grep -q '"tag": "mine"' || fail "--tag"
[ "$("$MEMSPY" runs --json | grep -c '"id"')" = 9 ] || fail "not nine runs: $("$MEMSPY" runs)"

# A report that cannot be written is memspy's failure; the run is kept.
"$MEMSPY" run --machine dash -o /no/such/folder/report "$PROGRAMS/talk" <<<'hello' >out 2>err
got=$?
[ $got = 125 ] || fail "-o nowhere: exit status $got"
[ "$(cat out)" = hello ] || fail "-o nowhere: the program did not run: $(cat err)"
# The same run, reported later, says the same.
run --json -o now.json
"$MEMSPY" report --json >later.json
python3 - <<'END' || fail "run and report differ"
import json
a, b = json.load(open("now.json")), json.load(open("later.json"))
assert a == b, [k for k in a if a[k] != b[k]]
END
finish
