# When a signal ends the program, the report distinguishes the thread that received it from threads that waited and threads that
# could run. A signal to the whole process counts as received by its sender, or by the first thread.
ulimit -c 0
for how in deadlock fault leave; do
	{ "$MEMSPY" run -q --processors 4 --l1 32K,8,64 --ll 1M,16,64 "$BUILD/tests/programs/thread_ends" $how; } 2>/dev/null
	echo "$how: status $?"
	"$MEMSPY" threads --csv | tr -d '\r' | python3 -c '
import csv, sys
threads = list(csv.DictReader(sys.stdin))
signaled = [t["name"] for t in threads if t["ended"] == "signaled"]
for t in threads:
    either = t["name"] in ("main", "killer") and signaled in (["main"], ["killer"])
    print(t["thread"], t["name"], "got it, or may have" if either else t["ended"])'
done
