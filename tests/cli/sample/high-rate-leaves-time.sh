# The program gets at least about half of the time at any --rate, so that it ends: samples would take all of it where a signal takes
# longer than the period that the rate asks for.
"$MEMSPY" sample --event timer --rate 100000 --db runs.db --json -o run.json -q -- "$PROGRAMS/stalls" compute >out 2>err || echo "exit status $?"
"$PROGRAMS/stalls" compute | cmp - out
python3 - <<'END_OF_CHECK'
import json
hardware = json.load(open("run.json"))["run"]["hardware"]
if not 0 < hardware["overhead"] < 1.4 or hardware["samples"] < 20:
    print(hardware)
END_OF_CHECK
