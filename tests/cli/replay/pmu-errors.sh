# Monitors that are impossible are refused before anything runs, and monitors that took no sample are reported.
exec 2>&1
"$MEMSPY" run -q --db live.db --trace walk.trace -- "$PROGRAMS/walk"

try() {
	"$MEMSPY" replay -q --db none.db -m dash "$@" walk.trace
	echo "exit status $?"
}

try --pmu misses
try --pmu /100
try --pmu misses@/100
try --pmu mises/100
try --pmu misses@L7/100
try --pmu misses@L1@L2/100
try --pmu misses/0
try --pmu misses/-5
try --pmu misses/1.5
try --pmu misses/5000000000000
try --pmu misses/
try --pmu misses/always
try --pmu misses/100 --overhead 1%
try --pmu misses/auto --overhead 0
try --pmu misses/auto --overhead -1%
try --pmu misses/auto --overhead much
try --pmu misses/auto --overhead 500%
try --pmu misses/100 --pmu-cost -1
try --pmu misses/100 --processors 4
try --pmu-cost 100
try --pmu-seed 3
[ ! -e none.db ] || echo "a run was kept"

# A period that the run does not reach: the run is kept, and the report is the usual one.
"$MEMSPY" replay -q --db kept.db -m dash --pmu misses/100000000 --pmu evictions@L1/100000000 \
	--pmu latency/1000000000 --pmu misses/auto --overhead 0.001% walk.trace
echo "exit status $?"
"$MEMSPY" runs --db kept.db --json | grep -c '"machine": *"dash"'
