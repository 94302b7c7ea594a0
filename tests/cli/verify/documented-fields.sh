# docs/formats/verify-json.md names every field and column, and no other.
db=$("$DBS/make" core)
sqlite3 "$db" "update run set program = 'sh work.sh' where id = 1"
echo 'i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done' >work.sh
"$MEMSPY" verify --db "$db" --rounds 1 --json "sh work.sh" "sh work.sh" >verify.json
"$MEMSPY" verify --db "$db" --rounds 1 --csv "sh work.sh" "sh work.sh" >one.csv
"$MEMSPY" verify --db "$db" --list --json >list.json
"$MEMSPY" verify --db "$db" --list --csv >list.csv
for list in one.csv list.csv; do head -n 1 $list | tr -d '\r' | tr , '\n'; done | sort -u >columns
python3 "$SRC/tests/cli/documented-fields.py" "$SRC/docs/formats/verify-json.md" verify.json list.json --columns columns
