# --top limits the findings in all formats; those that remain have the largest gain.
"$MEMSPY" run -q --db r.db --machine dash --processors 2 "$PROGRAMS/members" >/dev/null
show() { "$MEMSPY" advise --db r.db "$@"; }
show --csv >all.csv
[ "$(wc -l <all.csv)" -ge 3 ] && echo "several findings"
show --csv -n 1 >first.csv
head -n 2 all.csv | cmp - first.csv && echo "CSV: the first"
show --json -n 1 | grep -c '"wrong_if"'
show --top 1 | grep -cE '^[0-9]+\. '
show --top 100 --csv | cmp - all.csv && echo "with a large limit all of them"
