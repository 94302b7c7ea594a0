# The timer on the real machine ranks data structures as the simulation does, with calibrated latencies.
"$MEMSPY" machine --calibrate --force -o host.ini 2>calibrate.err || cat calibrate.err
run() { # NAME PROGRAM [ARGS]
	local name=$1
	shift
	"$MEMSPY" run --frontend native --machine ./host.ini --tag "$name-simulated" -q --db runs.db --json -o "$name.simulated" -- "$@" >/dev/null || echo "$name: simulated: status $?"
	"$MEMSPY" sample --event timer --period 200000 --tag "$name-sampled" -q --db runs.db --json -o "$name.sampled" -- "$@" >/dev/null || echo "$name: sampled: status $?"
}
# It waits little, by both: its blocks stay in the first-level cache.
run matmul "$EXAMPLES/matmul" 400 400
for program in gather join; do
	gcc -std=gnu17 -O2 -g -o $program "$SRC/bench/programs/$program.c" || echo "gcc $program.c"
done
run gather ./gather 4000000 1000000 4
run join ./join 120000 600000
# The load that is waited for also adds what another one has brought: it is led to where it goes, and no compute time.
gcc -std=gnu17 -O1 -g -o scatter "$SRC/bench/programs/scatter.c" || echo "gcc scatter.c"
run scatter ./scatter 4000000 1000000 4
# What is read in order from the first-level cache is computed with, not waited for.
cat >small.c <<'EOF'
#include <stdio.h>
static double x[1000], y[1000], z[1000];
static __attribute__((noipa)) void add(double r)
{
	for (int i = 0; i < 1000; i++)
		z[i] += r * x[i] - y[i];
}
int main(void)
{
	for (int i = 0; i < 60000; i++)
		add(i);
	printf("%g\n", z[5]);
}
EOF
gcc -O1 -g -o small small.c && run small ./small
# A walk in order through what no cache holds, beside the same in the first-level one: what the clock says that the way costs.
cat >walks.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
enum { N = 1 << 24, NEAR = 1 << 10, ROUNDS = 5 };
#define SUM(name) \
	static __attribute__((noipa)) long name(const long *b, size_t n) \
	{ \
		long s = 0; \
		for (size_t i = 0; i < n; i++) \
			s += b[i]; \
		return s; \
	}
SUM(far)
SUM(near)
static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}
int main(void)
{
	long *b = calloc(N, sizeof(*b)), s = 0;
	double took[2] = { 1e9, 1e9 }; /* the least: others use the machine, too */
	for (size_t i = 0; i < N; i++)
		b[i] = 1;
	for (int r = 0; r < ROUNDS; r++) {
		double began = now();
		s += far(b, N);
		double half = now();
		for (int i = 0; i < N / NEAR; i++)
			s += near(b, NEAR);
		double end = now();
		took[0] = half - began < took[0] ? half - began : took[0];
		took[1] = end - half < took[1] ? end - half : took[1];
	}
	printf("%f %ld\n", 1 - took[1] / took[0], s);
}
EOF
gcc -O1 -g -o walks walks.c && "$MEMSPY" sample --event timer --period 200000 -q --db runs.db --json -o walks.sampled ./walks >walks.out
for name in gather join scatter; do
	"$MEMSPY" compare-sources --db runs.db --json $name-simulated $name-sampled >$name.compared || echo "compare-sources $name: status $?"
done
python3 - <<'END'
import glob, json
for name, data in ("gather", "double.x"), ("join", "entry.entry"), ("scatter", "double.y"):
    first = json.load(open(name + ".compared"))["rows"][0]
    if (first["name"], first["first"]["rank"], first["second"]["rank"]) != (data, 1, 1):
        print("compare-sources", name, first)
# The data of one function, the largest first; those that have at least so much of its stall time.
def ranks(names, code, least):
    stalls = {}
    for name in names:
        for b in json.load(open(name))["bins"]:
            if b["code"] == code:
                stalls[b["data"]] = stalls.get(b["data"], 0) + (b["stall_cycles"] if "stall_cycles" in b else b["stall_ns"])
    bins = [(stall, data) for data, stall in stalls.items()]
    total = sum(b[0] for b in bins)
    return [data for stall, data in sorted(bins, reverse=True) if stall > least * total][:3]
for source, unit in ("simulated", "cycles"), ("sampled", "ns"):
    code = next(c for c in json.load(open("matmul." + source))["code"] if c["name"] == "BlkMultiply")
    if code["stall_" + unit] > 0.2 * code["compute_" + unit]:
        print("matmul", source, "waits", code["stall_" + unit], "computes", code["compute_" + unit])
for name, code in ("gather", "main"), ("join", "probe"):
    simulated, runs = ranks([name + ".simulated"], code, 0.05), sorted(glob.glob(name + ".sampled*"))
    sampled = [d for d in ranks(runs, code, 0) if d in simulated]
    if simulated[:len(sampled)] != sampled or not sampled:
        print(name, "simulated", simulated, "sampled", ranks(runs, code, 0))
report = json.load(open("scatter.sampled"))
stall = sum(b["stall_ns"] for b in report["bins"] if (b["code"], b["data"]) == ("spread", "double.y"))
spread = next(c for c in report["code"] if c["name"] == "spread")
# (The other two are read in order, and cost next to nothing.)
if stall < 0.6 * (spread["stall_ns"] + spread["compute_ns"]) or ranks(["scatter.simulated"], "spread", 0.05)[0] != "double.y":
    print("spread: of", spread["stall_ns"], "and", spread["compute_ns"], "only", stall, "for y")
report = json.load(open("small.sampled"))
small = next(c for c in report["code"] if c["name"] == "add")
if small["stall_ns"] > 0.2 * small["compute_ns"]:
    print("small: waits", small["stall_ns"], "computes", small["compute_ns"])
report = json.load(open("walks.sampled"))
def waits(code):
    c = next(c for c in report["code"] if c["name"] == code)
    return c["stall_ns"] / (c["stall_ns"] + c["compute_ns"])
clock = float(open("walks.out").read().split()[0])
if abs(waits("far") - clock) > 0.2 or waits("near") > 0.15:
    print("walks: far waits", waits("far"), "by the clock", clock, "near waits", waits("near"))
END
