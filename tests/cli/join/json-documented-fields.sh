# JSON and CSV of a joined run have measured and estimated figures of every entry; docs/formats names every field.
db=$("$DBS/make" joined)
"$MEMSPY" report --db "$db" joined --json --by line >report.json
"$MEMSPY" show --db "$db" joined --json >show.json
"$MEMSPY" lines --db "$db" joined --json >lines.json
python3 - <<'END'
import json
report, lines, show = (json.load(open(name + ".json")) for name in ("report", "lines", "show"))
print(json.dumps(report["run"]["joined"]), report["run"]["time"], report["run"]["core"]["cost"])
def about(e):
    t = e["timing"]
    parts = sum(a["exposed_cycles"] for a in t["answers"]) + t["page_walk_cycles"] + t["bandwidth_cycles"] + t["unexplained_cycles"]
    m = e["measured"]
    print(e.get("name") or e.get("data") or "", m["ns"], round(m["low"]), round(m["high"]), "%.4f %.4f" % (m["share_low"], m["share_high"]),
          e["estimated"]["stall_cycles"], "%.4f" % e["estimated"]["stall_share"], e.get("disagrees"), parts == e["stall_cycles"])
about(report["totals"])
print(report["totals"]["measured_ms"], report["totals"]["estimated_ms"], report["totals"]["compute_ns"])
for e in report["data"] + report["bins"][:3] + report["lines"][:1]:
    about(e)
for f in lines["files"]:
    for l in f["lines"]:
        print(l["line"], l["stall_cycles"], l["measured"]["ns"], l["compute_ns"], "%.3f" % l["estimated"]["stall_share"])
print(show["selected"]["measured"]["ns"])
END
grep -ho '"[a-z_]*":' *.json | tr -d '":' | sort -u | while read -r key; do
	grep -q "[\`.]$key[\`\[]" "$SRC/docs/formats/report-json.md" "$SRC/docs/formats/lines-json.md" "$SRC/docs/formats/advise-json.md" || echo "not documented: $key"
done
"$MEMSPY" report --db "$db" joined --csv --by data | cut -d, -f1-10
"$MEMSPY" lines --db "$db" joined --csv | tr -d '\r' | awk -F, '{print $1 "," $2 "," $8 "," $(NF-6) "," $(NF-5) "," $(NF-4) "," $(NF-3) "," $(NF-2) "," $(NF-1)}'
"$MEMSPY" lines --db "$db" joined --width 120
"$MEMSPY" export csv --db "$db" joined | cut -d, -f2,6,11,22-
