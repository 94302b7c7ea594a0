# memspy doctor lists every source of this machine, with a reason and a remedy where it does not work;
# docs/formats/doctor-json.md names every field.
"$MEMSPY" doctor >text || echo "status $?"
grep -c . text >/dev/null
for name in pebs ibs spe timer page-faults native valgrind perf ptrace host; do
	grep -q "^  $name *\(works\|no\) " text || echo "$name is not there"
done
"$MEMSPY" doctor --json >json
python3 - "$SRC/docs/formats/doctor-json.md" <<'END'
import json, sys
text = open(sys.argv[1]).read()
report = json.load(open("json"))
for finding in report["findings"]:
    for key in finding:
        assert f"`findings[].{key}`" in text, key
    assert finding["what"], finding
    # Whoever has a processor of Intel has none of AMD or Arm: of those it is known why.
print(sorted({f["part"] for f in report["findings"]}), [f["name"] for f in report["findings"] if f["part"] == "sample"])
END
"$MEMSPY" doctor nurse
