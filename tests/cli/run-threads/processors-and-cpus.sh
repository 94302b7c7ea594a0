# --processors and --cpus place threads on processors; invalid values are refused.
. "$SRC/tests/cli/run/lib.bash"
machine=(--machine sgi-4d-340)

# where NAME: the processors of the threads, as the run says; the first is that of main
where() {
	"$MEMSPY" threads --db "$1.db" --json |
		python3 -c 'import json, sys; first, *others = (t["processor"] for t in json.load(sys.stdin)["threads"])
print(first, *sorted(others))'
}

# placed NAME EXPECTED PROGRAM OPTIONS...
placed() {
	local name=$1 expected=$2 scene=$3
	shift 3
	profile "$name" "${machine[@]}" "$@" -- "$PROGRAMS/thread-kinds" "$scene"
	[ "$status" = 0 ] || fail "$name: exit status $status; it says $(cat "$name.err")"
	[ "$(where "$name")" = "$expected" ] || fail "$name: on processors $(where "$name"), expected $expected"
}

placed usual '0 0 1 2 3' far --processors 4
placed two '0 0 0 1 1' far --processors 2
placed more '0 1 2 3 4' far --processors 64
placed map '0 0 1 1 3' far --processors 4 --cpus 0,1,1,3
placed range '1 1 1 2 3' far --processors 4 --cpus 1-3,1
# Bound by itself to 3, 2, 1, and the last one to a processor that does not exist: 1000 modulo 4, or 3.
placed bound '0 0 1 2 3' bound --processors 4 --cpus affinity
placed three '0 0 1 1 2' bound --processors 3 --cpus affinity
placed unbound '0 0 1 2 3' bound --processors 4

# A trace is simulated again: the same figures; on one processor, those of one.
"$MEMSPY" run -q "${machine[@]}" --processors 4 --db live.db --trace near.trace --json -o live.json -- \
	"$PROGRAMS/thread-kinds" near >/dev/null
"$MEMSPY" replay -q "${machine[@]}" --processors 4 --workers 3 --db again.db --json -o again.json near.trace
"$MEMSPY" replay -q "${machine[@]}" --db one.db --json -o one.json near.trace
python3 - <<'END' || failures=$((failures + 1))
import json
live, again, one = (json.load(open(name + ".json")) for name in ("live", "again", "one"))
for key in ("totals", "code", "data", "bins", "processors"):
    assert live[key] == again[key], key
assert one["totals"]["references"] == live["totals"]["references"]
causes = one["totals"]["levels"][0]["causes"]
assert causes["invalidation"] == 0, causes
assert live["totals"]["levels"][0]["causes"]["invalidation"] > 100
END
diff <(where live) <(where again) || fail "threads are elsewhere in the replay"

# What the program requests is in the stream, whether or not this machine can do it.
for scene in bound:affinities:5 policies:policies:3; do
	IFS=: read -r name key expected <<<"$scene"
	for processors in 1 4; do
		"$MEMSPY" run -q "${machine[@]}" --processors $processors --db asked.db --trace asked.trace -- \
			"$PROGRAMS/thread-kinds" "$name" >/dev/null
		found=$("$MEMSPY" check --json asked.trace | python3 -c 'import json, sys
print(json.load(sys.stdin)["records"][sys.argv[1]])' "$key")
		[ "$found" = "$expected" ] || fail "$name on $processors: $found $key, expected $expected"
	done
done

# ... and memory lies there: on node 0, which processor 4 of this machine is not on.
for processor in 0 4; do
	profile policies$processor --machine dash --processors 8 --cpus $processor -- "$PROGRAMS/thread-kinds" policies
	expect policies$processor <<END
data('char.memory').levels[1].misses == 4096
data('char.memory').row['levels'][1]['remote'] == $((processor == 4 ? 4096 : 0))
END
done

# A thread is named by its function, also where that is the first one of the program.
cat >first.c <<'END'
#include <pthread.h>
static volatile long sum;
static void *first(void *arg)
{
	for (long i = 0; i < 20000; i++)
		sum += i;
	return arg;
}
int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], 0, first, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	return 0;
}
END
gcc -O1 -g -pthread -o first first.c
profile_quiet named "${machine[@]}" --processors 2 -- ./first
names=$("$MEMSPY" threads --db named.db --json | python3 -c 'import json, sys
print(*(t["name"] for t in json.load(sys.stdin)["threads"]))')
[ "$names" = 'main first first' ] || fail "threads are named $names"

# A seed is for the processors that are chosen automatically, too.
profile_quiet seeded --machine sgi-4d-340 --seed 3 -- ./first
seed=$("$MEMSPY" report --db seeded.db --json | python3 -c 'import json, sys
run = json.load(sys.stdin)["run"]
print(run["processors"] > 1, run["seed"])')
[ "$seed" = 'True 3' ] || fail "several processors and the seed are $seed"

# refused SENTENCE OPTIONS...
refused() {
	local sentence=$1
	shift
	"$MEMSPY" run -q --db refused.db "$@" -- "$PROGRAMS/thread-kinds" far >out 2>err
	local got=$?
	[ $got = 125 ] || [ $got = 2 ] || fail "$*: exit status $got"
	grep -qF -- "$sentence" err || fail "$*: says $(cat err)"
	[ ! -s out ] || fail "$*: the program ran"
}
for n in 0 4x 1025 '' ' 4' -1; do
	refused "--processors '$n': expected how many are simulated, 1 to 1024, or all that the machine has" "--processors=$n"
done
refused '--seed 3: only one processor is simulated, since hits are not attributed, and nothing varies; say how many with --processors N' --seed 3 --misses-only
refused '--seed 0: only one processor' --seed 0 --processors 1
refused '--cpus 0,4: processor 4, expected 0 to 3 as there are 4' --processors 4 --cpus 0,4
refused '--cpus 0,,1: expected processors such as 0,1,1,3' --processors 4 --cpus 0,,1
refused '--cpus 3-1: expected processors such as 0,1,1,3 or 0-3' --processors 4 --cpus 3-1
refused '--cpus 1-: expected processors such as 0,1,1,3 or 0-3' --processors 4 --cpus 1-
refused '--cpus 2-4: processor 4, expected 0 to 3 as there are 4' --processors 4 --cpus 2-4
refused '--cpus near: expected processors such as 0,1,1,3' --processors 4 --cpus near
refused '--cpus 0,1: only one processor is simulated; say how many with --processors N' --cpus 0,1

# More than the machine has are more of the same, and that is reported.
"$MEMSPY" run --db more.db --machine sgi-4d-340 --processors 5 -- "$PROGRAMS/thread-kinds" far >/dev/null 2>err || fail "5 processors: exit status $?"
grep -qx 'memspy: sgi-4d-340 has 4 processors; 5 are simulated, more of the same' err || fail "5 processors: says $(head -n 1 err)"
"$MEMSPY" run --db more.db --machine sgi-4d-340 --processors 4 -- "$PROGRAMS/thread-kinds" far >/dev/null 2>err
grep -q 'more of the same' err && fail "4 processors: says $(cat err)"
finish
