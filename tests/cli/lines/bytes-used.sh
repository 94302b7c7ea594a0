# Lines of source have the bytes used of each line that they fetched into the cache: 8 of 64 of records, all of the
# table, 16 written of each slot (tests/programs/line-use.c). Exact if all lines are observed; a run without has none.
"$MEMSPY" run -q --observed-lines all --db r.db --l1 32K,8,64 --ll 1M,16,64 "$PROGRAMS/line-use" >/dev/null
"$MEMSPY" lines --db r.db --csv >lines.csv
"$MEMSPY" lines --db r.db --json >lines.json
"$MEMSPY" lines --db r.db --width 160 >text
python3 - <<'END'
import csv, json, re

def figure(text):
    return float(text) if text else None

[file] = [f for f in json.load(open("lines.json"))["files"] if f["file"].endswith("line-use.c")]
rows = {row["line"]: row for row in csv.DictReader(open("lines.csv")) if row["file"] == file["file"]}
used = re.compile(r" ([0-9.]+)  \S+\s+\S+ +([0-9]+)  ")
in_text = {m[2]: m[1] for m in map(used.search, open("text")) if m}
found = 0
for line in file["lines"]:
    row, uses = rows[str(line["line"])], {use["name"]: use for use in line["line_use"]}
    for level in ("L1", "LL"):
        use = uses.get(level, {})
        keys = [("used_bytes", "used_bytes"), ("used_bytes_low", "low"), ("used_bytes_high", "high"), ("written_bytes", "written_bytes")]
        for column, key in keys:
            csv_figure, json_figure = figure(row[level + "_" + column]), use.get(key)
            assert (csv_figure is None) == (json_figure is None), (line["line"], level, column)
            assert csv_figure is None or abs(csv_figure - json_figure) <= 0.05, (line["line"], csv_figure, json_figure)
        if "used_bytes" in use:
            assert use["low"] == use["used_bytes"] == use["high"], use
            found += 1
    if line["stall_share"] and line["stall_share"] > 0.05:
        use = uses["L1"]
        print(line["text"].strip(), "/", line["data"][0]["name"], use["used_bytes"], use.get("written_bytes"))
        assert in_text[str(line["line"])] == "%.1f" % use["used_bytes"], in_text
assert found > 10
END
"$MEMSPY" run -q --observed-lines none --db none.db --l1 32K,8,64 --ll 1M,16,64 "$PROGRAMS/line-use" >/dev/null
"$MEMSPY" lines --db none.db | grep -c Used
"$MEMSPY" lines --db none.db --csv | grep -c used_bytes
"$MEMSPY" lines --db none.db --json | grep -c line_use
# Some lines are observed: the figure of the table is an estimate with its interval, or exact as all bytes are used.
"$MEMSPY" run -q --db some.db --l1 32K,8,64 --ll 1M,16,64 "$PROGRAMS/line-use" >/dev/null
"$MEMSPY" lines --db some.db --json | python3 -c '
import json, sys
[file] = [f for f in json.load(sys.stdin)["files"] if f["file"].endswith("line-use.c")]
for line in file["lines"]:
    if (line["stall_share"] or 0) > 0.05:
        use = line["line_use"][0]
        print(line["line"], use["low"] <= {"record": 8, "double": 64, "slot": 16}[line["data"][0]["name"].split(".")[0]] <= use["high"])
'
