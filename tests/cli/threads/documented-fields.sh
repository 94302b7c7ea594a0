# docs/formats/threads-json.md names every field, and no other; CSV has the same ones.
db=$("$DBS/make" parallel)
"$MEMSPY" threads --db "$db" --json >threads.json
"$MEMSPY" threads --db "$("$DBS/make" windows)" --json >sampled.json
for by in thread code processor; do
	"$MEMSPY" threads --db "$db" --csv --by $by | head -n 1 | tr -d '\r' >$by.csv
done
python3 "$SRC/tests/cli/documented-fields.py" "$SRC/docs/formats/threads-json.md" threads.json sampled.json
python3 - <<'END'
import json
whole = json.load(open('threads.json'))
for by, key in (('thread', 'threads'), ('code', 'code'), ('processor', 'processors')):
    print(by, open(by + '.csv').read().strip().split(',') == list(whole[key][0]))
END
