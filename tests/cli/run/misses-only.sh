# --misses-only gives the same misses, causes and evictions, and the same references of code and lines; references of data
# structures are absent in every view, never 0, and one sentence says so.
m() { "$MEMSPY" "$@" --db runs.db; }
"$MEMSPY" run -q --db runs.db --trace matmul.trace --l1 4K,2,64 --ll 64K,8,64 "$EXAMPLES/matmul" 60 >/dev/null
for workers in 1 3; do
	m replay -q --misses-only --workers $workers --l1 4K,2,64 --ll 64K,8,64 matmul.trace
done
"$MEMSPY" replay -q --misses-only --exact-3c --db exact.db matmul.trace || echo "with exact causes: status $?"
"$MEMSPY" run -q --db runs.db --misses-only --frontend valgrind --l1 4K,2,64 "$EXAMPLES/matmul" 50 >/dev/null

# Without estimates, whose intervals differ.
drop_estimates() {
	python3 -c 'import csv, sys
rows = list(csv.reader(sys.stdin))
kept = [i for i, key in enumerate(rows[0]) if "_conflict" not in key and "_capacity" not in key]
csv.writer(sys.stdout).writerows([row[i] for i in kept] for row in rows)'
}

echo "== the same counts"
counts() {
	sqlite3 runs.db "select code, data, level, misses, first, replaced from bin_miss where run = $1 and misses > 0 order by 1, 2, 3;
		select code, evictor, level, victim, count from bin_eviction where run = $1 order by 1, 2, 3, 4;
		select level, name, lines, peak, mean from occupancy join data using (run, data) where run = $1 order by 1, 2" >counts.$1
	m report @$1 --by code --csv | drop_estimates >code.$1
	m report @$1 --by line --csv | drop_estimates >line.$1
}
for run in 1 2 3; do
	counts $run
	cmp counts.1 counts.$run
	cmp code.1 code.$run
	cmp line.1 line.$run
done
sqlite3 runs.db "select id, misses_only, (select count(*) from data where run = id and kind = 'any') from run;
	select a.refs = b.refs from run a, run b where a.id = 1 and b.id = 2;
	select count(*) from cell, data where cell.run = 2 and data.run = 2 and cell.data = data.data and kind <> 'any' and refs > 0"

echo "== columns"
for by in code data bin line; do
	m report @2 --by $by --csv | head -n 1 | tr ',' '\n' | grep -cE '^(references|reads|writes|stall_per_reference|.*_miss_rate)' |
		sed "s/^/$by: /"
done
m report @2 --by data --top 2 | sed -n '/^Missing/,/^ .*known/p; /Stall %/p'
m report @2 --by data --csv | grep -c 'not looked up'
m report @2 --by data --sort references 2>&1 | cut -c1-60

echo "== show"
m show @2 Matrix.Y | grep -cE 'eferences: |Miss rate|per reference'
m show @2 Matrix.Y | grep -oE '^(L1 misses|Percentage of [^:]*): [0-9]'
m show @2 BlkMultiply | grep -E '^(References|L1 misses)' >known.2
m show @1 BlkMultiply | grep -E '^(References|L1 misses)' | cmp - known.2
m show @2 '<not looked up>' 2>&1 | head -n 1 | cut -c1-67

echo "== JSON"
m report @2 --json | python3 -c 'import json, sys
r = json.load(sys.stdin)
print(r["run"]["misses_only"], "references" in r["totals"], [any("references" in e for e in r[k]) for k in ("code", "data", "bins")])
print(abs(sum(e["stall_share"] for e in r["data"]) - 1) < 1e-9, abs(sum(e["stall_share"] for e in r["bins"]) - 1) < 1e-9)'
m show @2 Matrix.Y --json | python3 -c 'import json, sys
s = json.load(sys.stdin)["selected"]
print([k for k in ("references", "reference_share", "stall_per_reference") if k in s], "miss_rate" in s["miss_shares"][0])'

echo "== lines, evictions, shares"
m lines @1 --csv >lines.1
m lines @2 --csv >lines.2
python3 - <<'P'
import csv
a, b = (list(csv.DictReader(open(f))) for f in ("lines.1", "lines.2"))
figures = lambda row: {key: value for key, value in row.items() if not key.startswith("data") and "_used_" not in key and "_written_" not in key}
print(len(a) == len(b), all(figures(x) == figures(y) for x, y in zip(a, b)))
P
m evictions @2 | sed -n '/^Code\|^Evict/,$p' >evictions.2
m evictions @1 | sed -n '/^Code\|^Evict/,$p' | sed 's/@1/@2/' | cmp - evictions.2
m report @2 | sed -n '/^Code/,/^rest/p' >matrix.2
m report @1 | sed -n '/^Code/,/^rest/p' | cut -d' ' -f1 | cmp - <(cut -d' ' -f1 matrix.2)

echo "== exports, page, diff"
m export callgrind --view data @2 | grep -E '^(events|desc: Missing)'
m export callgrind @2 | grep '^events'
m export csv @2 | head -n 1 | cut -d, -f9-11
m html @2 -o page.html && grep -c '"misses_only": true' page.html
m diff @1 @2 | grep -oE '^Note: .*|^references'
m diff @1 @2 --metric references 2>&1
m diff @1 @2 --fail-if 'references of Matrix.Y > +1%' 2>&1 >/dev/null
m diff @1 @2 --fail-if 'references in BlkMultiply > +1%' >/dev/null && echo "passes"

echo "== rules and focus"
m replay -q --misses-only --only-data 'Matrix.Y' --l1 4K,2,64 --ll 64K,8,64 matmul.trace
sqlite3 runs.db "select name, kind from data where run = 5 and kind not in ('unknown') order by 1"
"$MEMSPY" run --misses-only --sample 1/10 true 2>&1
"$MEMSPY" run --misses-only --pmu misses/auto true 2>&1

echo "== nothing stalls"
m report @2 --latency LL=0,memory=0 2>&1 | sed -n '/^PERCENTAGE/,/^total/s/ *rest.*\| *0\.0$//p'
