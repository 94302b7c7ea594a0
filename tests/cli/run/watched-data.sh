# --watch observes all lines of some data: its figures are those of --observed-lines all, exactly; other data has none,
# and what needs lines of all data (misses by cache size, reuse, intrinsic misses) is left out.
machine=(--l1 32K,8,64 --ll 1M,16,64)
"$MEMSPY" run -q --observed-lines all --db all.db "${machine[@]}" "$PROGRAMS/line-use" >/dev/null
"$MEMSPY" run -q --watch records --watch 'slot.s*' --db watch.db --trace line-use.trace "${machine[@]}" "$PROGRAMS/line-use" >/dev/null
"$MEMSPY" replay -q --watch record.records --watch '*.slots' --db replay.db "${machine[@]}" line-use.trace
for db in all watch replay; do
	for data in records table slots; do
		"$MEMSPY" show --db $db.db --data $data --json >$db-$data.json
		"$MEMSPY" fields --db $db.db $data --json >$db-$data-fields.json 2>/dev/null || echo "$db: no fields of $data"
	done
done
python3 - <<'END'
import json

def read(name):
    with open(name) as file:
        return json.load(file)

for db in ("watch", "replay"):
    for data in ("records", "slots"):
        true, seen = (read(f"{which}-{data}.json")["selected"] for which in ("all", db))
        print(db, data, "use of lines as with all:", seen["line_use"] == true["line_use"], [use["used_bytes"] for use in seen["line_use"]])
        true, seen = (read(f"{which}-{data}-fields.json") for which in ("all", db))
        print(db, data, "members as with all:", seen["data"] == true["data"], [member["name"] for member in seen["data"][0]["members"]])
        seen = read(f"{db}-{data}.json")["selected"]
        print(db, data, "left out:", seen.get("miss_curve"), seen.get("reuse"), "intrinsic" in seen)
    print(db, "table:", read(f"{db}-table.json")["selected"].get("line_use"))
END
echo "# Several processors"
"$MEMSPY" run -q --db p.db --processors 2 --watch records "${machine[@]}" "$PROGRAMS/line-use" >/dev/null
"$MEMSPY" show --db p.db --data records | grep "^Use of lines"
echo "# What excludes it, and a name that no data has"
for options in "--observed-lines all" "--sample 1/10" "--sample-sets 1/4" "--misses-only" "--pmu misses/1000" "--exact-3c"; do
	# shellcheck disable=SC2086
	"$MEMSPY" run -q --db none.db --watch records $options "$PROGRAMS/line-use" 2>&1 | head -1
done
"$MEMSPY" run -q --db none.db --watch recrods "$PROGRAMS/line-use" 2>&1 >/dev/null
