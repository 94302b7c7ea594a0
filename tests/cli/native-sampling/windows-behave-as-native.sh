# Programs print the same and end in the same way in windows as natively, with valid traces, and the estimates are near the
# counts of a whole run.
. "$SRC/tests/cli/run/lib.bash"
[ "$(uname -m)" = x86_64 ] && own=-mno-red-zone
gcc -std=gnu17 -O1 -w -no-pie $own -o windows "$SRC/tests/cli/native/windows.c" || fail "gcc windows.c"
gcc -std=gnu17 -O1 -g -no-pie -Wall -Wextra -o handlers "$SRC/tests/cli/native/handlers.c" || fail "gcc handlers.c"
gcc -std=gnu17 -O1 -g -pthread -Wall -Wextra -o threads "$SRC/tests/cli/native-sampling/threads.c" || fail gcc

# Short windows and short distances: as many as there can be. same NAME PROGRAM...: with a head, in which references are counted between
# windows, and without one.
same() {
	same_with 100000000 "$@"
	same_with 0 "$@"
}
same_with() {
	local name=$2 status
	export MEMSPY_NATIVE_COUNTED=$1
	shift 2
	timeout -s KILL 60 "$@" >alone.out 2>/dev/null
	status=$?
	timeout -s KILL 120 "$MEMSPY" run -q --frontend native --db runs.db --l1 32K,8,64 --sample 1/3 --window 2K --trace $name.trace -- \
		"$@" >$name.out 2>$name.err
	[ $? = $status ] || fail "$name: ends otherwise: $(cat $name.err)"
	cmp $name.out alone.out || fail "$name: prints something else"
	"$MEMSPY" check $name.trace >$name.check || fail "$name: $(cat $name.check)"
	rm -f $name.trace
}
for mode in flags strings operands branches vectors faults made signals; do
	same $mode ./windows $mode
done
for mode in between stack both nowhere; do
	same $mode ./handlers $mode
done
# Windows open inside of mmap(), which a function of ours has called.
gcc -O1 -x c -o maps - <<'END' || fail "gcc maps.c"
#include <stdio.h>
#include <sys/mman.h>
int main(void)
{
	long sum = 0;
	for (int i = 0; i < 60000; i++) {
		char *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		p[i % 8192] = 1;
		sum += p[i % 8192];
		munmap(p, 8192);
	}
	return printf("%ld\n", sum) < 0;
}
END
same maps ./maps
seq 1 3000 >text
same gzip gzip -c text
same perl perl -e '$h{$_ * 7919 % 1000} .= "x$_" for 1..100000; print length join ",", map {"$_$h{$_}"} sort keys %h'
same python python3 -c 'import json, re; print(json.dumps(sorted(re.findall("[0-9]+7", open("text").read()))))'
same sh sh -c 'i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done; echo $i; exit 3'
same bash bash -c 'for i in 1 2 3; do echo $(sort -r text | head -$i); done; trap "echo bye" EXIT; exit 3'
same threads ./threads
grep 'replaced itself' sh.err gzip.err threads.err && fail "an end was not seen"
windows=$(sed -n 's/^ *\([0-9]*\)  windows$/\1/p' threads.check)
[ "${windows:-0}" -ge 3 ] || fail "threads: $windows windows"

# What is estimated is near what is true. How near depends on chance; ten times as far is a mistake.
rate() {
	"$MEMSPY" run -q --frontend native --db runs.db --l1 32K,8,64 --json -o $1.json "${@:2}" -- "$BUILD/examples/matmul" 295 >/dev/null 2>$1.err ||
		fail "$1: $(cat $1.err)"
}
unset MEMSPY_NATIVE_COUNTED
rate whole
rate windows --sample 1/10 --window 50K
rate sets --sample-sets 1/4
rate both --sample 1/5 --window 50K --sample-sets 1/2
# A trace with windows is replayed as it is; it contains the options of sampling.
"$MEMSPY" run -q --frontend native --db runs.db --l1 32K,8,64 --sample 1/10 --window 50K --json -o live.json --trace live.trace -- \
	"$BUILD/examples/matmul" 295 >/dev/null || fail "live: exit status $?"
"$MEMSPY" replay -q --db runs.db --l1 32K,8,64 --json -o replayed.json live.trace || fail "replay: exit status $?"
# Not even with the same options: they would ask for a tenth of the tenth.
"$MEMSPY" replay -q --db runs.db --l1 32K,8,64 --sample 1/10 --window 50K live.trace 2>again.err && fail "a sample of a sample is taken"
grep -q '^memspy: live.trace: is of a sampled program: there is nothing between its windows and sets, and it is simulated as it is; omit --sample, --error and --sample-sets$' again.err ||
	fail "a sample of a sample: $(cat again.err)"

python3 - <<'END' || fail "estimates: $(cat windows.err)"
import json
def figures(name):
    total = json.load(open(name + ".json"))["totals"]
    references = sum(total["references"].values())
    return references, 100 * sum(total["levels"][0]["misses"].values()) / references
(all_of_it, true), (estimate, rate) = figures("whole"), figures("windows")
print("references", all_of_it, estimate, "miss rate", true, rate)
assert 0.4 < estimate / all_of_it < 2.5 and abs(true - rate) < 1
# Of some sets everything is known; how many references there are of all is counted.
estimate, rate = figures("sets")
sampling = json.load(open("sets.json"))["run"]["sampling"]
assert abs(estimate / all_of_it - 1) < 0.01 and sampling["sets"] == 4, (estimate, sampling)
assert 0.1 < sampling["references"] / all_of_it < 0.5 and abs(true - rate) < 2, (sampling, rate)
live, replayed = (json.load(open(name + ".json")) for name in ("live", "replayed"))
assert live["totals"] == replayed["totals"] and live["bins"] == replayed["bins"]
estimate, rate = figures("both")
assert 0.4 < estimate / all_of_it < 2.5 and abs(true - rate) < 2, (estimate, rate)
END
finish
