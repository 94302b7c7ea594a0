# memspy accuracy compares a whole and a sampled run as text, and refuses runs that cannot be compared.
python3 - <<'END' >walk.din
for turn in range(16):
    for i in range(0, 1 << 20, 8):
        print(0, format(0x100000 + i, "x"))
END
for options in '' '--sample 1/10 --window 10K'; do
	"$MEMSPY" replay -q --db runs.db --l1 4K,4,64 --ll 2M,16,64 -f din $options walk.din
done
"$MEMSPY" replay -q --db runs.db --l1 8K,4,64 -f din walk.din
"$MEMSPY" accuracy --db runs.db 1 2
"$MEMSPY" accuracy --db runs.db 2 1 2>&1
"$MEMSPY" accuracy --db runs.db 1 1 2>&1
"$MEMSPY" accuracy --db runs.db 3 2 2>&1
"$MEMSPY" accuracy --db runs.db 1 2>&1
"$MEMSPY" accuracy --db runs.db --json 1 2 >accuracy.json
"$MEMSPY" accuracy --db runs.db --csv 1 2 | head -n 1 | tr -d '\r' | tr , '\n' >columns
# docs/formats/accuracy-json.md names every field and column, and no other.
# invalidations: of several processors only.
python3 "$SRC/tests/cli/documented-fields.py" "$SRC/docs/formats/accuracy-json.md" accuracy.json --columns columns --omit invalidations
true
