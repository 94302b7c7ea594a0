# A program with a known use of lines (tests/programs/line-use.c): 8 of 64 bytes of each record, all bytes of the table,
# 16 written bytes of each slot. All lines are observed, and then some: the figures are the same.
for which in all auto; do
	"$MEMSPY" run -q --observed-lines $which --db r.db --l1 32K,8,64 --ll 1M,16,64 "$PROGRAMS/line-use" >/dev/null
	for bin in "records sum_weights" "table sum_table" "slots fill_slots"; do
		set -- $bin
		"$MEMSPY" show --db r.db --data "$1" --code "$2" | grep "^Use of lines"
	done
done
"$MEMSPY" show --db r.db --data slots --code fill_slots --json >j.json
python3 - <<'END'
import json
selected = json.load(open('j.json'))['selected']
for level in selected['line_use']:
    print(level['name'], level['line'], level['used_bytes'], level['low'], level['high'], level['written_bytes'])
for pair in selected['reuse']:
    print(pair['from']['code'], pair['to']['code'], pair['misses'] > 0)
END
echo "none:"
"$MEMSPY" run -q --observed-lines none --db r.db --l1 32K,8,64 "$PROGRAMS/line-use" >/dev/null
"$MEMSPY" show --db r.db --data records | grep "^Use of lines"
# The curve: three arrays of 2 MiB each fit into 8 MiB, and not into 2 MiB. Two of them have exactly 4 MiB: there, a line of the stack decides.
"$MEMSPY" run -q --observed-lines all --db r.db --l1 32K,8,64 --ll 1M,16,64 "$PROGRAMS/line-use" >/dev/null
"$MEMSPY" show --db r.db --data records --json >j.json
python3 - <<'END'
import json
for point in json.load(open('j.json'))['selected']['miss_curve']:
    if point['size'] != 4 << 20:
        print(point['size'] >> 10, 'KiB', round(point['misses']))
END
