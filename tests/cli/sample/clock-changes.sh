# Clocks that are set while a program is sampled, time namespaces and stopped programs do not disturb processor time and the
# order of events.
. "$SRC/tests/cli/sample/lib.bash"
cat >jump.c <<'END'
/* A clock of the day that jumps to and fro by a day each time that somebody looks. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static long turn(void)
{
	static long turns;
	return __sync_fetch_and_add(&turns, 1) % 3 * 86400 - 86400;
}
int clock_gettime(clockid_t clock, struct timespec *t)
{
	int status = (int)syscall(SYS_clock_gettime, clock, t);
	if (clock == CLOCK_REALTIME)
		t->tv_sec += turn();
	return status;
}
int gettimeofday(struct timeval *t, void *zone)
{
	struct timespec now;
	(void)zone;
	clock_gettime(CLOCK_REALTIME, &now);
	t->tv_sec = now.tv_sec;
	t->tv_usec = now.tv_nsec / 1000;
	return 0;
}
time_t time(time_t *at)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	if (at != NULL)
		*at = now.tv_sec;
	return now.tv_sec;
}
END
gcc -shared -fPIC -O1 -w -o jump.so jump.c || echo "gcc jump.c"
# Which data the pages were of: exact, if nothing was put in the wrong order.
pages() {
	"$@" "$MEMSPY" sample --event page-faults --period 1 --buffer 2M -q --db runs.db --json -o pages.json "$PROGRAMS/pages" >/dev/null
	python3 - <<'END'
import json
report = json.load(open("pages.json"))
print({d["name"]: d["events"] for d in report["data"] if d["name"].startswith("char.")}, 0 <= report["run"]["wall_seconds"] < 100)
END
}
chase() {
	"$@" "$MEMSPY" sample --event timer --rate 1000 -q --db runs.db --json -o chase.json "$PROGRAMS/stalls" chase >chase.out || echo "status $?"
	python3 - <<'END'
import json
report = json.load(open("chase.json"))
stall = sum(b["stall_ns"] for b in report["bins"])
total = stall + sum(c["compute_ns"] for c in report["code"])
A = sum(b["stall_ns"] for b in report["bins"] if (b["code"], b["data"]) == ("chase", "node.A"))
seconds = report["run"]["wall_seconds"]
print(A > 0.8 * stall > 0, total / 1e9 < seconds + 0.1, seconds < 100)
END
}
echo "-- the clock of the day jumps"
pages env LD_PRELOAD="$PWD/jump.so"
chase env LD_PRELOAD="$PWD/jump.so"
"$PROGRAMS/endless" >up &
program=$!
until_true grep -q up up
LD_PRELOAD="$PWD/jump.so" timeout -s KILL 60 "$MEMSPY" sample --attach $program --duration 1 -q --db runs.db --json -o attach.json
echo "status $?"
kill $program
wait $program 2>/dev/null
python3 -c '
import json
print(0.9 < json.load(open("attach.json"))["run"]["wall_seconds"] < 50)'
echo "-- a time namespace"
space=() && unshare -T --monotonic 100000 --fork true 2>/dev/null && space=(unshare -T --monotonic 100000 --boottime 100000 --fork)
pages "${space[@]}"
chase "${space[@]}"
space=() && unshare -T --monotonic -1000 --fork true 2>/dev/null && space=(unshare -T --monotonic -1000 --fork)
pages "${space[@]}"
echo "-- stopped for a second"
cat >spin.c <<'END'
#include <stdio.h>
#include <time.h>
static double clock_of(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}
int main(void)
{
	double began = clock_of(CLOCK_MONOTONIC);
	volatile long n = 0;
	puts("up");
	fflush(stdout);
	/* Until it has been stopped, and has then computed for a while. */
	for (double last = began, now, until = 0; until == 0 || clock_of(CLOCK_PROCESS_CPUTIME_ID) < until; last = now) {
		for (int i = 0; i < 100000; i++)
			n++;
		now = clock_of(CLOCK_MONOTONIC);
		if (until == 0 && now - last > 0.9)
			until = clock_of(CLOCK_PROCESS_CPUTIME_ID) + 0.2;
	}
	printf("%f\n", clock_of(CLOCK_PROCESS_CPUTIME_ID));
	return 0;
}
END
gcc -O1 -g -o spin spin.c
"$MEMSPY" sample --event timer --rate 500 -q --db runs.db --json -o stopped.json ./spin >spin.out &
memspy=$!
until_true grep -q up spin.out
child=$(cat "/proc/$memspy/task/$memspy/children")
kill -STOP $child
sleep 1.1
kill -CONT $child
wait $memspy
echo "status $?"
python3 - <<'END'
import json
report = json.load(open("stopped.json"))
total = sum(b["stall_ns"] for b in report["bins"]) + sum(c["compute_ns"] for c in report["code"])
used = float(open("spin.out").read().split()[1])
# What it has used is what was sampled; the second in which it was stopped is in neither.
print(0.5 * used < total / 1e9 < 1.1 * used + 0.05, report["run"]["wall_seconds"] > used + 0.9)
END
