# The interval of the number of references contains the true one in a program that makes mostly system calls, with and without a
# counted start.
. "$SRC/tests/cli/run/lib.bash"

# profile NAME HEAD CALLS EACH OPTION...
profile() {
	local name=$1 head=$2 calls=$3 each=$4
	shift 4
	MEMSPY_NATIVE_COUNTED=$head timeout -s KILL 120 "$MEMSPY" run -q --frontend native --db runs.db --json -o $name.json "$@" -- \
		"$PROGRAMS/calls" $calls $each >$name.out 2>$name.err || fail "$name: exit status $?"
}
profile many 0 1000000 20
profile some 0 400000 400
for seed in 1 2; do
	profile many-$seed 0 1000000 20 --sample 1/10 --window 20K --sample-seed $seed
	profile some-$seed 0 400000 400 --sample 1/10 --window 50K --sample-seed $seed
done
profile many-head 2000000 1000000 20 --sample 1/10 --window 20K

python3 - <<'END' || fail "estimates"
import json
def read(name):
    return json.load(open(name + ".json"))
def references(name):
    return sum(read(name)["totals"]["references"].values())
for name in ("many-1", "many-2", "some-1", "some-2", "many-head"):
    true, estimate = references(name[:4]), read(name)["run"]["sampling"]
    assert estimate["total_low"] < true < estimate["total_high"], (name, true, estimate)
    # Of a short program whose code was never counted little is known.
    assert estimate["total_low"] < estimate["total"] < estimate["total_high"] < (3 if name == "many-head" else 6) * true, (name, true, estimate)
END
finish
