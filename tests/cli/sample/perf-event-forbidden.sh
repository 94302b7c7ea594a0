# Where perf_event_open is forbidden, sources that need it say so and name the remedy; the timer works without.
. "$SRC/tests/cli/sample/lib.bash"
forbid() {
	"$PROGRAMS/forbid" "$@" 2>&1
}
for error in 13 1 38; do # EACCES, EPERM, ENOSYS
	forbid $error "$MEMSPY" sample --event page-faults --db runs.db "$PROGRAMS/pages"
	echo "status $?"
done | sed 's/What helps: .*/What helps: .../'
"$PROGRAMS/endless" >up &
program=$!
until_true grep -q up up
forbid 13 "$MEMSPY" sample --attach $program --duration 1 --db runs.db | sed 's/What helps: .*/What helps: .../'
kill $program
wait $program 2>/dev/null
# The timer, and nothing said: it is what it takes by itself.
forbid 13 "$MEMSPY" sample --overhead 10 -q --db runs.db --json -o ticks.json -- "$PROGRAMS/stalls" chase >chase.out
python3 - <<'END'
import json
report = json.load(open("ticks.json"))
hardware, stall = report["run"]["hardware"], sum(b["stall_ns"] for b in report["bins"])
A = sum(b["stall_ns"] for b in report["bins"] if (b["code"], b["data"]) == ("chase", "node.A"))
print(hardware["source"], hardware["event"], hardware["threads"], A > 0.7 * stall, hardware["samples"] > 5)
END
# Without any capability, where the system allows everybody his own program's events.
case $(cat /proc/sys/kernel/perf_event_paranoid) in
-1 | 0 | 1 | 2)
	setpriv --bounding-set=-all --inh-caps=-all true 2>/dev/null && anybody=(setpriv --bounding-set=-all --inh-caps=-all)
	"${anybody[@]}" "$MEMSPY" sample --event page-faults --period 1 -q --db runs.db --json -o anybody.json "$PROGRAMS/pages" >/dev/null
	python3 -c '
import json
print([d["events"] for d in json.load(open("anybody.json"))["data"] if d["name"] == "char.first"])'
	;;
*) echo '[2000]' ;;
esac
