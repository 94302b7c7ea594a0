# In a sampled run compute cycles, phases, upgrades and write-backs have intervals in text, CSV and JSON.
db=$("$DBS/make" windows)
"$MEMSPY" report --db "$db" --width 110 | sed -n '/^TOTAL/,/^Norm/p;/^Upgr/,/^$/p;/^PHASES/,/^$/p'
"$MEMSPY" report --db "$db" --by code --width 130 | sed -n '/^BY/,/^$/p'
"$MEMSPY" report --db "$db" --by line --csv | cut -d, -f4-9,11-22
"$MEMSPY" report --db "$db" --json >report.json
python3 - <<'END'
import json
report = json.load(open("report.json"))
def rounded(b):
    return b and [round(b["low"]), round(b["high"])]
for phase in report["phases"]:
    print(phase["name"], rounded(phase["intervals"]["references"]), [rounded(l["misses"]) for l in phase["intervals"]["levels"]])
intervals = report["totals"]["intervals"]
print({key: rounded(intervals[key]) for key in ("compute_cycles", "upgrades")})
print({key: rounded(intervals["levels"][0][key]) for key in ("true_sharing", "false_sharing", "peer", "remote", "write_backs")})
for kind in ("code", "processors", "data", "bins"):
    print(kind, ["compute_cycles" in e["intervals"] for e in report[kind] if "intervals" in e])
END
# Of some sets nothing is known of phases.
sqlite3 "$db" 'update sampling set sets = 2'
"$MEMSPY" report --db "$db" --width 110 | sed -n '/^PHASES/,/^$/p'
