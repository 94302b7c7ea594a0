# Samples of the timer in programs with known answers: stalls by data structure, compute time, and loads that overwrite their
# own address register.
# sample NAME [ARGS]: with options[], if any. Shares need samples: on a machine where a signal takes a millisecond the default, 1 % of
# the program's time, pays for one in 100 ms.
often=(--rate 2000)
sample() {
	"$MEMSPY" sample --event timer "${options[@]}" --db runs.db --json -o "$1.json" -- "$PROGRAMS/stalls" "$@" >"$1.out" 2>"$1.err" ||
		echo "$1: status $?"
	grep -vE '^memspy: (there are no samples: the program used .* of processor time|[0-9]+ of [0-9]+ samples are lost|sampling took .* of the program.s time.*|processes that .*/stalls started took .* and were not followed.*)' "$1.err"
}
# check NAME: each line is an expression that must hold.
check() {
	python3 - "$1" <<'END' "$(cat)"
import json, sys
name, lines = sys.argv[1:]
report = json.load(open(name + ".json"))
hardware = report["run"]["hardware"]
out = open(name + ".out").read().split()
said = open(name + ".err").read()
stall = sum(b["stall_ns"] for b in report["bins"])
compute = sum(c["compute_ns"] for c in report["code"])
total = max(stall + compute, 1)
phases = {p["name"]: p for p in report["phases"]}
def share(data, code=None):
    return sum(b["stall_ns"] for b in report["bins"] if b["data"] == data and code in (None, b["code"])) / max(stall, 1)
for line in lines.splitlines():
    if not eval(line):
        bins = [(b["code"], b["data"], b["samples"]) for b in report["bins"]]
        print("%s: not so: %s; %s" % (name, line, (bins, out, hardware)))
END
}

# A chase beside a stream: within ten points of what the program's own clock says.
options=()
sample chase
check chase <<'END'
hardware["event"] == "processor time"
hardware["source"] == "timer" and hardware["threads"] == 1 and hardware["samples"] > 0
hardware["overhead"] < 0.03 or hardware["samples"] < 20
END
options=("${often[@]}")
sample chase
check chase <<'END'
share("node.A", "chase") >= 0.9
abs(share("node.A", "chase") - float(out[0])) < 0.1
abs(share("long int.B") - share("long int.B", "stream") - share("long int.B", "<page faults>")) < 1e-9
compute < 0.2 * total
list(phases) == ["<start>", "chasing", "streaming"] and phases["chasing"]["times"] == 60
sum(p["stall_ns"] for p in phases.values()) == stall and sum(p["compute_ns"] for p in phases.values()) == compute
abs(phases["chasing"]["stall_ns"] / stall - share("node.A", "chase")) < 0.05
END
# Where the kernel's finer clock cannot be had, here for want of a descriptor, it is sampled at the scheduler's ticks.
options=()
mkdir ticks && cd ticks && limit=$(ulimit -Sn) && ulimit -Sn 500
sample chase
check chase <<'END'
hardware["event"] == "processor time, at ticks" and hardware["samples"] > 2
share("node.A", "chase") > 0.7
END
ulimit -Sn "$limit" && cd ..
options=("${often[@]}")
sample overwritten
check overwritten <<'END'
share("item.twice", "walk") > 1.3 * share("item.once", "walk") > 0.1
share("<address not known>") < 0.3
sum(share(d) for d in ("item.twice", "item.once", "<address not known>", "uint32_t.order")) > 0.97
END
sample nowhere
check nowhere <<'END'
hardware["samples"] > 2
END
# A division is no load, though its quotient is added to a variable in memory.
sample compute
check compute <<'END'
stall < 0.05 * total
hardware["samples"] > 2
END
# All data is in the first-level cache: each load takes some cycles, but waits for no miss.
sample resident
check resident <<'END'
stall < 0.2 * total
hardware["samples"] > 50
END
# Stores by columns wait for their lines, though they store what was loaded just before.
sample transpose
check transpose <<'END'
share("double.columns", "store_columns") > 0.5 * (1 - share("double.columns", "<page faults>") - share("double.rows", "<page faults>"))
stall > 0.3 * total
END
# Threads that live for less than a period are sampled in proportion to their time.
sample threads 2000
check threads <<'END'
hardware["threads"] > 5
share("char.p", "moment") > 0.4
END
# More at a time than there once were fine clocks for.
options=()
sample crowd 150
check crowd <<'END'
hardware["event"] == "processor time"
100 < hardware["threads"] <= 151
compute > 0.9 * total
END
# The program has all signals to itself.
options=("${often[@]}")
sample signals
"$PROGRAMS/stalls" signals | cmp - signals.out
check signals <<'END'
hardware["samples"] > 3
END
# A child is another program. One that sleeps takes no samples.
options=()
sample fork
check fork <<'END'
total < 30e6
END
sample sleep
check sleep <<'END'
hardware["samples"] <= 2
(hardware["samples"] == 0) == ("there are no samples" in said)
END
# A thread that began while nothing was counted is counted with the others again.
cat >again.c <<'END'
#include <memspy.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
enum { COUNT = 1 << 22, STEPS = 20000 };
static volatile int done, turn;
static uint64_t walk(const uint32_t *at)
{
	uint64_t x = (uint64_t)turn++;
	for (int i = 0; i < STEPS; i++) {
		x = x * 6364136223846793005u + 1442695040888963407u;
		x += at[(x >> 33) % COUNT];
	}
	return x;
}
static void *other(void *theirs)
{
	uint64_t sum = 0;
	while (!done)
		sum += walk(theirs);
	return (void *)sum;
}
int main(void)
{
	uint32_t *mine = calloc(COUNT, sizeof(*mine)), *theirs = calloc(COUNT, sizeof(*theirs));
	uint64_t sum = 0;
	pthread_t thread;
	memset(mine, 1, COUNT * sizeof(*mine));
	memset(theirs, 1, COUNT * sizeof(*theirs));
	memspy_stop();
	pthread_create(&thread, NULL, other, theirs);
	sum += walk(mine);
	memspy_start();
	for (int i = 0; i < 100; i++)
		sum += walk(mine);
	done = 1;
	pthread_join(thread, NULL);
	return sum == 0;
}
END
gcc -O1 -g -pthread -I"$SRC/include" again.c -o again
"$MEMSPY" sample --event timer --rate 4000 --db runs.db --json -o again.json ./again 2>again.err >again.out || echo "again: status $?"
check again <<'END'
hardware["threads"] == 2
share("uint32_t.theirs", "walk") > 0.1 and share("uint32_t.mine", "walk") > 0.1
END
