# Client requests of the program are processed between windows, and when it is sampled by a timer.
[ "$("$PROGRAMS/untraced-client")" = "0 1" ] || echo "alone: $("$PROGRAMS/untraced-client")"
names() {
	python3 - "$1" <<'END'
import json, sys
report = json.load(open(sys.argv[1]))
shares = {d["name"]: d.get("share", d.get("stall_share")) for d in report["data"]}
print(sys.argv[1], sorted(n for n in shares if n in ("first", "second", "the second", "char.third")),
      [p["name"] for p in report["phases"]])
END
}
"$MEMSPY" run --frontend native --sample 1/10 --window 20K -q --db runs.db --json -o windows -- "$PROGRAMS/untraced-client"
names windows
"$MEMSPY" sample --event timer --period 200000 -q --db runs.db --json -o timer -- "$PROGRAMS/untraced-client"
names timer
