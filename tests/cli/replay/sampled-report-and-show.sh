# report and show say that a run is sampled, and print its intervals.
python3 - <<'END' >walk.din
for turn in range(16):
    for i in range(0, 1 << 20, 8):
        print(0, format(0x100000 + i, "x"))
END
"$MEMSPY" replay -q --db runs.db --l1 4K,4,64 --sample 1/10 --window 10K --sample-sets 1/2 -f din walk.din
"$MEMSPY" report --db runs.db | grep -A 1 '^Sampled\|95%'
"$MEMSPY" show --db runs.db --data 0x100000+1M | grep '95%'
"$MEMSPY" report --db runs.db --json | grep '"sampling"'
# Few windows are reported.
"$MEMSPY" replay -q --db runs.db --l1 4K,4,64 --sample 1/2 --window 3M -f din --sample-seed 8 walk.din 2>&1
"$MEMSPY" report --db runs.db | grep -A 1 '^Sampled\|Estimated'
"$MEMSPY" lines --db runs.db 1 | grep '^Known to'
"$MEMSPY" evictions --db runs.db 1 | grep '^Known to'
