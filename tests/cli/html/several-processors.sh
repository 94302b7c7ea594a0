# What several processors wait for, and who uses the bytes of a shared line.
"$MEMSPY" run -q --db r.db --workers 1 --processors 2 --l1 4K,2,64 --l2 64K,8,64 --observed-lines none "$PROGRAMS/sharing" near 2 >/dev/null
"$MEMSPY" html --db r.db -o page.html
"$MEMSPY" sharing --db r.db --json -o sharing.json
"$MEMSPY" report --db r.db --json -o report.json
"$MEMSPY" advise --db r.db --json -o advise.json
node "$SRC/tests/browser/several-processors.js" "file://$PWD/page.html" sharing.json report.json advise.json "$(python3 -c '
import json
print(json.load(open("sharing.json"))["lines"][0]["data"])')"
