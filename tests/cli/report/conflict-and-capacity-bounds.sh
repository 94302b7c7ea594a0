# CSV and the page have conflict and capacity misses with their intervals; --sort takes them.
"$MEMSPY" run -q --db whole.db --machine memspy-1992-matmul "$BUILD/examples/matmul" >run.out 2>&1 || cat run.out
"$MEMSPY" report --db whole.db --by data --csv --sort conflict >data.csv
"$MEMSPY" html --db whole.db -o page.html
python3 - <<'END'
import csv
rows = list(csv.DictReader(open("data.csv")))
def number(row, key):
    return int(row[key])
wrong = [row["name"] for row in rows for level in ("L1",) for which in ("conflict", "capacity")
         if not number(row, f"{level}_{which}_low") <= number(row, f"{level}_{which}") <= number(row, f"{level}_{which}_high")
         <= number(row, f"{level}_replacement")]
print("outside of its interval:", wrong)
print("some are divided:", any(number(row, "L1_conflict") + number(row, "L1_capacity") > 0 for row in rows))
conflicts = [number(row, "L1_conflict") for row in rows]
print("sorted:", conflicts == sorted(conflicts, reverse=True))
END
grep -q "levels.0.replacement.intervals.conflict.high" page.html && echo "the page has them"
