# How threads end that do not end by themselves: those that waited are told from the one that the signal met,
# and from those that could have gone on.
ulimit -c 0
for how in deadlock fault leave; do
	{ "$MEMSPY" run -q --processors 4 --l1 32K,8,64 --ll 1M,16,64 "$BUILD/tests/programs/thread_ends" $how; } 2>/dev/null
	echo "$how: status $?"
	"$MEMSPY" threads --csv | tr -d '\r' | python3 -c '
import csv, sys
for t in csv.DictReader(sys.stdin):
    print(t["thread"], t["name"], t["ended"])'
done
