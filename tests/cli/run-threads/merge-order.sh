# Records of threads are merged in the order of virtual time where they use a contended line, and in long pieces elsewhere.
. "$SRC/tests/cli/run/lib.bash"

# switches MODE [OPTION]...: between threads, in the stream; 2 threads count to 5000 each
switches() {
	local mode=$1
	shift
	"$MEMSPY" run -q --processors 2 "$@" --trace $mode.trace "$PROGRAMS/sharing" "$mode" 2 || fail "$mode: status $?"
	"$MEMSPY" check --json $mode.trace | grep -o '"switches": [0-9]*' | tr -dc 0-9
}
near=$(switches near --l1 32K,8,64 --ll 1M,16,64)
apart=$(switches apart --l1 32K,8,64 --ll 1M,16,64)
# A turn of the loop has some four instructions: about a hundred turns of it at a time at most.
[ "$near" -gt 200 ] || fail "counters in one line: $near switches"
[ "$apart" -lt 100 ] || fail "counters 256 bytes apart: $apart switches"
# What is apart on one machine is one line on another.
wide=$(switches apart --l1 64K,4,4096 --ll 1M,4,4096)
[ "$wide" -gt 200 ] || fail "counters 256 bytes apart, lines of 4096 bytes: $wide switches"
"$MEMSPY" sharing --json | python3 -c '
import json, sys
data = [d for d in json.load(sys.stdin)["data"] if d["name"] == "apart"]
assert data and data[0]["false_sharing"] > 100, data' || fail "they do not share a line of 4096 bytes"
finish
