# By default, one processor is simulated until the program starts a thread, and as many as the machine has from then on. The report says how
# many, and why. A program without threads is simulated as on one processor.
cat >two.ini <<'END'
[machine]
text = a machine of two
processors = 2
[level L1]
size = 64K
ways = 8
line = 64
[level L2]
size = 1M
ways = 16
line = 64
latency = 10
processors = all
[memory]
latency = 100
END
sed 's/processors = 2/processors = 1/' two.ini >one.ini

run() {
	"$MEMSPY" run -q --frontend native --db runs.db --json -o report.json "$@" >/dev/null || exit
}
show() {
	python3 - "$@" <<'END'
import json, sys
report = json.load(open("report.json"))
run = report["run"]
counter = [b["levels"][0]["causes"]["invalidation"] for b in report["bins"] if b["data"] == "counter" and b["code"] == "take_turns"]
print(sys.argv[1] + ":", run.get("processors", 1), "processors, invalidations", sum(counter), "-", run["machine_origin"].split(", ", 1)[1:])
END
}
turns=$PROGRAMS/turns
run --machine ./two.ini -- "$turns" cond && show "threads, auto"
run --machine ./two.ini --processors auto --workers 3 -- "$turns" cond && show "three workers"
run --machine ./two.ini --workers 1 -- "$turns" cond && show "one worker"
run --machine ./two.ini --processors 1 -- "$turns" cond && show "threads, one"
run --machine ./one.ini -- "$turns" cond && show "a machine of one"
run --machine ./two.ini --call-paths -- "$turns" cond && show "call paths"
run --machine ./two.ini --misses-only -- "$turns" cond && show "misses only"
run --machine ./two.ini --sample 1/2 --window 5K -- "$turns" cond && show "windows" | sed 's/invalidations.* - /- /'
run --machine ./two.ini -- "$PROGRAMS/calls" && show "no threads, auto" && cp report.json auto.json
run --machine ./two.ini -p 1 -- "$PROGRAMS/calls" && show "no threads, one"
python3 - <<'END'
import json
a, b = (json.load(open(name)) for name in ("auto.json", "report.json"))
print("the same without threads:", len(a["bins"]) > 0 and a["bins"] == b["bins"])
END
