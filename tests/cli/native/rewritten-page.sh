# An instruction that continues in a page that was writable for a while is traced, as is the code around it.
"$MEMSPY" run -q --frontend native --db a.db "$PROGRAMS/patched-page"
"$MEMSPY" data --db a.db --csv | python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    if row["name"] == "main::words":
        print(row["name"], row["reads"], row["writes"])
'
