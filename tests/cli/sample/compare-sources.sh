# Two sources side by side; docs/formats/compare-sources-json.md names every field.
db=$("$DBS/make" hardware)
"$MEMSPY" compare-sources --db "$db" pebs timer
"$MEMSPY" compare-sources --db "$db" --by code --threshold 0 timer pebs
"$MEMSPY" compare-sources --db "$db" --by bin --csv pebs faults
"$MEMSPY" compare-sources --db "$db" --json pebs timer >json
python3 - json "$SRC/docs/formats/compare-sources-json.md" <<'END'
import json, re, sys
text = open(sys.argv[2]).read()
def keys(value):
    if isinstance(value, dict):
        for k, v in value.items():
            yield k
            yield from keys(v)
    elif isinstance(value, list):
        for v in value:
            yield from keys(v)
for key in sorted(set(keys(json.load(open(sys.argv[1]))))):
    if not re.search(r"[`.]%s[`\[]" % key, text):
        print("not documented:", key)
END
"$MEMSPY" compare-sources --db "$db" pebs 2>&1
"$MEMSPY" compare-sources --db "$db" pebs nothing 2>&1 | head -1
