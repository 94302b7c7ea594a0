# Threads of all kinds on several processors print and end as natively, with valid traces and reproducible figures.
. "$SRC/tests/cli/run/lib.bash"

# scene NAME STATUS PROCESSORS [OPTIONS]
scene() {
	local name=$1 status=$2 processors=$3 got
	shift 3
	"$PROGRAMS/thread-kinds" "$name" >alone 2>/dev/null
	for run in a b; do
		"$MEMSPY" run -q --machine sgi-4d-340 --processors "$processors" "$@" --db $run.db --trace $run.trace \
			--json -o $run.json -- "$PROGRAMS/thread-kinds" "$name" >out 2>err
		got=$?
		[ $got = "$status" ] || fail "$name: exit status $got, expected $status; it says $(cat err)"
		cmp -s alone out || fail "$name: prints $(cat out), alone $(cat alone)"
		"$MEMSPY" check $run.trace >checked || fail "$name: $(cat checked)"
	done
	[ "$name" = detached ] || # it sleeps, and who wakes when is the kernel's business
		python3 - "$name" <<'END' || fail "$name differs"
import json, sys
def load(name):
    report = json.load(open(name))
    for key in ("id", "started", "wall_seconds"):
        report["run"].pop(key)
    return report
a, b = load("a.json"), load("b.json")
for key in a:
    if a[key] != b[key]:
        print(f"{sys.argv[1]}: two runs differ in {key}")
sys.exit(a != b)
END
}

for name in c11 yields pauses rests atomics registers far reused bound policies forks pipes detached; do
	scene $name 0 4
done
scene locks 0 4 --seed 7
scene locks 0 2 --workers 3
scene many 0 64
scene many 0 2
scene near 0 3
scene bound 0 2 --cpus affinity
scene bound 0 4 --cpus affinity --workers 2
scene locks 0 4 --cpus 0,1,1,3
scene orphans 0 4
# Events do not make turns shorter: handing over is what costs time.
scene allocates 0 4
"$MEMSPY" check --json a.trace | python3 -c '
import json, sys
report = json.load(sys.stdin)
def find(o, key):
    return o[key] if key in o else next(find(v, key) for v in o.values() if isinstance(v, dict) and key in str(v))
words, clocks = find(report, "words"), find(report, "clocks")
assert words / clocks > 2500, (words, clocks)' || fail "turns are short"
# Another seed, other turns.
for seed in 1 2; do
	"$MEMSPY" run -q --processors 4 --seed $seed --db s.db --trace s$seed.trace -- "$PROGRAMS/thread-kinds" near >/dev/null
	"$MEMSPY" check --json s$seed.trace | grep -o '"switches": [0-9]*' >switches$seed
done
cmp -s switches1 switches2 && fail "two seeds, one number of turns: $(cat switches1)"
finish
