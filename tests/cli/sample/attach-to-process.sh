# memspy sample --attach samples all threads of a running process for a while, and leaves it running.
. "$SRC/tests/cli/sample/lib.bash"
"$PROGRAMS/endless" >up &
program=$!
until_true grep -q up up
# All that could show that somebody was there: memory, descriptors, threads, signals, timers, who traces it, filters of system calls.
looks() {
	cut -d' ' -f1,6- "/proc/$program/maps" | grep -v 'heap\|stack'
	ls -l "/proc/$program/fd" | sed 1d | awk '{ print $9, $10, $11 }'
	ls "/proc/$program/task"
	grep -E '^(TracerPid|Threads|SigPnd|ShdPnd|SigBlk|SigIgn|SigCgt|Seccomp|NoNewPrivs):' "/proc/$program/status"
	cat "/proc/$program/timers"
}
looks >before
# look TICKS OPTIONS: until the program has used so many hundredths of a second; Ctrl-C ends the looking, not the program.
used() { awk '{ print $14 + $15 }' "/proc/$program/stat"; }
has_event() { ls -l "/proc/$memspy/fd" | grep -q perf_event; }
has_used() { [ "$(used)" -gt "$1" ]; }
look() {
	"$MEMSPY" sample --attach $program -q --db runs.db "${@:2}" &
	memspy=$!
	until_true has_event
	until_true has_used $(($(used) + $1))
	kill -INT $memspy
	wait $memspy
	echo "status $?"
}
look 100 --tag looked
"$MEMSPY" report --db runs.db --json | python3 -c '
import json, sys
report = json.load(sys.stdin)
hardware = report["run"]["hardware"]
worst = report["bins"][0]
print(hardware["source"], hardware["event"], hardware["threads"], report["run"]["frontend"], report["run"]["end"])
print(worst["code"], worst["data"], worst["share"] > 0.9, hardware["samples"] > 20)
print(sum(d["compute_ns"] for d in report["code"] if d["name"] == "compute") > 0)
# The overhead is reported, and is within the limit.
print(0.0001 < hardware["overhead"] <= 0.011)'
# So does time.
"$MEMSPY" sample --attach $program --duration 0.2 -q --db runs.db 2>/dev/null
echo "status $?"
looks | diff before - && kill -0 $program && echo "the program is as it was"
kill $program
wait $program 2>/dev/null
# What malloc has mapped is heap too; and samples are as rare as --overhead wants them.
"$PROGRAMS/endless" heap >up3 &
program=$!
until_true grep -q up up3
look 100 --overhead 0.2
"$MEMSPY" report --db runs.db --json | python3 -c '
import json, sys
report = json.load(sys.stdin)
worst, hardware = report["bins"][0], report["run"]["hardware"]
print(worst["code"], worst["data"], worst["share"] > 0.9)
print(hardware["period"], 0.0001 < hardware["overhead"] <= 0.002)'
kill $program
wait $program 2>/dev/null
"$PROGRAMS/endless" sleeps >up2 &
program=$!
until_true grep -q up up2
"$MEMSPY" sample --attach $program --duration 0.2 -q --db runs.db 2>&1 | sed 's/used .* of proc/used T of proc/'
"$MEMSPY" report --db runs.db | grep '^Sampled'
# It ends with the process.
"$MEMSPY" sample --all-threads-of $program -q --db runs.db 2>/dev/null &
memspy=$!
until_true eval 'ls runs.db-live-* >/dev/null'
kill $program
wait $memspy
echo "status $?"
wait
"$MEMSPY" sample --attach $program --db runs.db 2>&1 | sed "s/process $program/process P/"
"$MEMSPY" sample --attach 1 true 2>&1 | head -1
"$MEMSPY" sample --duration 1 true 2>&1 | head -1
"$MEMSPY" runs --db runs.db | grep -c looked
