# A bin whose only phase lies between two windows is reported as missing from the sampled run, not as a wrong estimate.
python3 - <<'END' >phases.din
def walk(base, i):
    return format(base + i * 64 % (1 << 20), "x")
for i in range(600000):
    print(0, walk(0x1000000, i // 20) if i % 20 == 0 else walk(0x4000000, i // 50) if i % 50 == 1 else format(0x7000000 + i % 64 * 8, "x"))
    if i == 300000:
        for k in range(20000):
            print(0, walk(0xa000000, k))
END
"$MEMSPY" replay -q --db runs.db --l1 4K,4,64 --ll 64K,4,64 -f din phases.din
"$MEMSPY" replay -q --db runs.db --l1 4K,4,64 --ll 64K,4,64 -f din --sample 1/10 --window 10K phases.din
"$MEMSPY" accuracy --db runs.db 1 2 | sed -n '/^BINS/,$p'
"$MEMSPY" accuracy --db runs.db 1 2 --json | python3 -c 'import json, sys; a = json.load(sys.stdin); print(a["swapped"], a["unmet"], a["wrong"])'
