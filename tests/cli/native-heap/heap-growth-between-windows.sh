# Several threads extend the heap between windows: the growth is recorded before the blocks in it, so that each block is
# attributed to the code that allocated it.
. "$SRC/tests/cli/run/lib.bash"

export MEMSPY_NATIVE_COUNTED=0
for run in 1 2 3 4; do
	"$MEMSPY" run -q --frontend native --db g.db --machine memspy-1992-matmul --l1 32K,1,64 --sample 1/10 --window 2K --json -o g.json \
		-- "$PROGRAMS/heap-growth" 2000 >g.out 2>g.err || fail "run $run: exit status $?, $(cat g.err)"
	python3 - <<'END' || fail "run $run: see above"
import json, sys
used, wrong = 0, []
for row in json.load(open("g.json"))["bins"]:
    if not row["code"].startswith("use_") or row["data"].startswith("<stack"):
        continue
    used += row["references"]["write"]
    if not row["data"].startswith(row["code"].replace("use_", "char.")):
        wrong.append((row["code"], row["data"], row["references"]))
print(*wrong)
sys.exit(bool(wrong) or used == 0)
END
done
finish
