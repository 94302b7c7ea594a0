# Threads that free blocks of other threads: no blocks overlap, and each is attributed to the code that allocated it, in whole
# runs, in short windows and without tracing.
. "$SRC/tests/cli/run/lib.bash"

# passed NAME ROUNDS OPTIONS...: each round of four threads makes a block.
passed() {
	local name=$1 rounds=$2
	shift 2
	"$MEMSPY" run -q --frontend native --db $name.db --machine memspy-1992-matmul --l1 32K,1,64 "$@" --trace $name.trace --json -o $name.json \
		-- "$PROGRAMS/pass-blocks" $rounds >$name.out 2>$name.err || fail "$name: exit status $?, $(cat $name.err)"
	"$MEMSPY" check --json $name.trace >$name.check || fail "$name: $(cat $name.check)"
	python3 - $name $rounds <<'END' || fail "$name: see above"
import json, sys
name, rounds = sys.argv[1], int(sys.argv[2])
check, report = json.load(open(name + ".check")), json.load(open(name + ".json"))
wrong = [(key, check[key]) for key in ("unknown_frees", "allocations_over_live") if check[key] != 0]
if check["records"]["allocations"] < 4 * rounds:
    wrong.append(check["records"])
if (check["records"]["packed"] == 0) != (name in ("whole", "none")):
    wrong.append(("packed", check["records"]["packed"]))
used = 0
for row in report["bins"]:
    if not row["code"].startswith("use_") or row["data"].startswith("<stack"):
        continue
    used += row["references"]["write"]
    if not row["data"].startswith(row["code"].replace("use_", "char.")):
        wrong.append((row["code"], row["data"], row["references"]))
if name == "whole" and used != 20 * (4 * rounds - 16):
    wrong.append(("references of all", used))
# About 170 references a block: a part of them only.
if name == "windows" and not (0 < used and check["references"] < 40 * 4 * rounds):
    wrong.append(("references", used, check["references"], "windows", check["records"]["windows"]))
print(*wrong)
sys.exit(bool(wrong))
END
	rm -f $name.trace
}

passed whole 3000
# A window is over when it has its references, also of threads that allocate all the time.
export MEMSPY_NATIVE_COUNTED=0
passed windows 100000 --sample 1/50 --window 2K
MEMSPY_NATIVE_IDLE=1 passed idle 30000 --sample 1/50 --window 2K
# Where the processors' counter cannot be trusted; and each in a chunk of its own.
MEMSPY_NATIVE_STAMPS=counted passed counted 30000 --sample 1/50 --window 2K
MEMSPY_NATIVE_STAMPS=none passed none 3000 --sample 1/50 --window 2K
finish
