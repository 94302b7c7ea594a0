# CSV of data has the intrinsic misses of show --json, rounded; that of data in some of the code has none. --sort takes them.
"$MEMSPY" run -q --db r.db --exact-3c --l1 32K,8,64 --ll 1M,16,64 "$PROGRAMS/line-use" >/dev/null
"$MEMSPY" run -q --db r.db --observed-lines all --l1 32K,8,64 --ll 1M,16,64 "$PROGRAMS/line-use" >/dev/null
for run in 1 2; do
	"$MEMSPY" report @$run --db r.db --by data --csv --sort LL_avoidable_layout >$run.csv
	for data in records table slots; do
		"$MEMSPY" show @$run --db r.db --data $data --json >$run.$data.json
	done
done
python3 - <<'END'
import csv, json
ENDS = (("", "misses"), ("_low", "low"), ("_high", "high"))
for run in "12":
    rows = list(csv.DictReader(open(run + ".csv")))
    for data in "records", "table", "slots":
        row, = [r for r in rows if r["name"].endswith("." + data)]
        levels = json.load(open("%s.%s.json" % (run, data)))["selected"]["intrinsic"]
        wrong, n = [], 0
        for level in levels:
            wanted = {key + end: level[key][field] for key in ("optimal", "touched") for end, field in ENDS}
            wanted.update({"avoidable_" + key: value for key, value in level["avoidable"].items()})
            for key, value in wanted.items():
                n += 1
                got = row[level["name"] + "_" + key]
                if got == "" or abs(int(got) - value) > 0.5:
                    wrong.append((level["name"], key, got, value))
        assert n >= 9
        print("run", run, data, "wrong:", wrong)
        if run == "1":
            print(row["LL_touched"], "of", row["LL_first"], "first references,", row["LL_avoidable_layout"], "avoidable")
    known = [int(r["LL_avoidable_layout"]) for r in rows if r["LL_avoidable_layout"] != ""]
    print("sorted:", known == sorted(known, reverse=True), known[0] > 0)
END
"$MEMSPY" show --db r.db --code sum_weights --by data --csv | head -n 1 | grep -c _optimal
"$MEMSPY" show --db r.db --data records --by data --csv | head -n 1 | grep -o "L[1L]_optimal_low"
"$MEMSPY" report --db r.db --csv | head -n 1 | grep -c _optimal
true
