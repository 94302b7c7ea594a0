# Valid JSON with lines; every list adds up to the totals.
"$MEMSPY" report --db "$("$DBS/make" matmul)" --json --by line >report.json
python3 - <<'END'
import json
r = json.load(open("report.json"))
total = lambda c: c["read"] + c["write"]
for key in "code", "data", "bins", "lines":
    print(key, len(r[key]), sum(e["stall_cycles"] for e in r[key]) == r["totals"]["stall_cycles"],
          sum(total(e["references"]) for e in r[key]) == total(r["totals"]["references"]),
          round(sum(e["stall_share"] for e in r[key]), 12))
for b in r["bins"]:
    for level in b["levels"]:
        assert sum(level["causes"].values()) == total(level["misses"])
        assert level["causes"]["replacement"] == sum(x["count"] for x in b["replaced_by"] if x["level"] == level["name"])
print([u["reason"] for u in r["unattributed"]])
END
