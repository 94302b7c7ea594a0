# The page of a sampled run shows the intervals that report, lines and show --json have.
timeout -s KILL 120 "$MEMSPY" run -q --db runs.db --frontend valgrind --workers 1 --l1 4K,2,64 --ll 64K,4,64 --sample 1/10 --window 5K \
	-- "$BUILD/examples/matmul" 100 >/dev/null
"$MEMSPY" html --db runs.db -o page.html
"$MEMSPY" report --db runs.db --json -o report.json
"$MEMSPY" lines --db runs.db --json --top 250 -o lines.json
"$MEMSPY" show --db runs.db --json -o show.json
# As if the references between windows had not been counted.
python3 - <<'END'
import json, re
page = open('page.html', encoding='utf-8').read()
found = re.search(r'id="data">(.*?)</script>', page, re.S)
data = json.loads(found.group(1))
sampling = data['report']['run']['sampling']
sampling['total_low'], sampling['total_high'] = 0.5 * sampling['total'], 2 * sampling['total']
text = json.dumps(data).replace('<', '\\u003c')
open('estimate.html', 'w', encoding='utf-8').write(page[:found.start(1)] + text + page[found.end(1):])
END
node "$SRC/tests/browser/sampled.js" "file://$PWD/page.html" report.json lines.json show.json "file://$PWD/estimate.html"
# One window says nothing of how much windows differ, and the page says that.
timeout -s KILL 120 "$MEMSPY" run -q --db few.db --frontend valgrind --workers 1 --l1 4K,2,64 --sample 1/10 --window 1M -- "$BUILD/examples/matmul" 30 >/dev/null 2>&1
"$MEMSPY" html --db few.db -o few.html
node "$SRC/tests/browser/all-parts.js" "file://$PWD/few.html" | sed 's/[0-9.]*[KM]* references, [0-9.]*[KM]* were/N references, N were/; s/of [0-9.]*[KM]* references none/of N references none/'
# Of several processors, what they take away from each other.
timeout -s KILL 120 "$MEMSPY" run -q --db several.db --frontend valgrind --workers 1 --processors 2 --l1 4K,2,64 --sample 1/4 --window 1K -- "$PROGRAMS/sharing" near 2 >/dev/null 2>&1
"$MEMSPY" html --db several.db -o several.html
"$MEMSPY" sharing --db several.db --json -o sharing.json
node "$SRC/tests/browser/sampled-sharing.js" "file://$PWD/several.html" sharing.json
# The list of runs shows it, too.
"$MEMSPY" runs --db runs.db --json | grep -c '"sampled": true'
