# Time in the kernel and in page faults has bins of its own: a task clock of user code does not see it, so the timer infers it.
for what in pages calls; do
	"$MEMSPY" sample --event timer --rate 2000 --db runs.db --json -o $what.json -- "$PROGRAMS/stalls" $what 2>$what.err || echo "$what: status $?"
	"$MEMSPY" report --db runs.db @1 >$what.txt
done
python3 - <<'END'
import json
def read(name):
    report = json.load(open(name + ".json"))
    code = {c["name"]: c for c in report["code"]}
    total = sum(c["stall_ns"] + c["compute_ns"] for c in report["code"])
    return report, code, total
report, code, total = read("pages")
faults = code["<page faults>"]["stall_ns"]
data = {b["data"]: b["stall_ns"] for b in report["bins"] if b["code"] == "<page faults>"}
hardware = report["run"]["hardware"]
facts = [
    faults > 0.2 * total,
    # They belong to the data that is touched first.
    data.get("char.fresh", 0) > 0.9 * faults,
    hardware["page_fault_ns"] == faults,
    # All time of the program is there, not only that of its own code.
    0.5 * hardware["cpu_ns"] < total < 1.5 * hardware["cpu_ns"],
]
print("pages", facts if not all(facts) else "as expected", "" if all(facts) else (faults, total, data, hardware))
report, code, total = read("calls")
facts = [code["<kernel>"]["compute_ns"] > 0.3 * total, code["<kernel>"]["stall_ns"] == 0, code["<kernel>"]["module"] == "<kernel>"]
print("calls", facts if not all(facts) else "as expected", "" if all(facts) else (total, code))
END
grep -c '^Page faults: .* of the stall time, estimated' pages.txt
