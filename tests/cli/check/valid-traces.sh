# Traces of programs of all kinds keep every rule of the format, and have the figures of the report.
. "$SRC/tests/cli/run/lib.bash"
for program in walk heap threads mapped dlopen children recursion freed; do
	"$MEMSPY" run -q --db runs.db --trace $program.trace --json -o $program.json -- "$PROGRAMS/$program" \
		>/dev/null 2>&1
	"$MEMSPY" check --json $program.trace >$program.check || fail "$program: $(cat $program.check)"
	python3 - $program.check $program.json <<'END' || fail "$program: see above"
import json, sys
check, report = (json.load(open(path)) for path in sys.argv[1:3])
total = report["totals"]
pairs = [(check["problem_count"], 0), (check["problems"], []),
         (check["references"], sum(total["references"].values())),
         (check["instructions"], total["instructions"])]
for found, expected in pairs:
    if found != expected:
        print(f"{found}, expected {expected}")
sys.exit(any(found != expected for found, expected in pairs))
END
done
# Every field is documented.
python3 - walk.check "$SRC/docs/formats/trace.md" <<'END' || fail "docs/formats/trace.md: see above"
import json, sys
check, text = json.load(open(sys.argv[1])), open(sys.argv[2]).read()
missing = [key for key in list(check) + list(check["records"]) if f"`{key}`" not in text and f"`{key}[]`" not in text]
if missing:
    print("not documented:", *missing)
sys.exit(bool(missing))
END
"$MEMSPY" check walk.trace >text || fail "walk: exit status $?"
grep -q '^ *2  allocations$' text || fail "no two allocations: $(cat text)"
grep -qx 'walk.trace: no problems.' text || fail "$(tail -2 text)"
finish
