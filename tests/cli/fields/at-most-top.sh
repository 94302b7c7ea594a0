# --top limits the members of each data in all formats to those with the most stall, in the order of the layout.
"$MEMSPY" run -q --observed-lines all --db r.db --l1 32K,8,64 --ll 1M,16,64 "$PROGRAMS/line-use" >/dev/null
"$MEMSPY" fields --db r.db slots --csv | tr -d '\r' | cut -d, -f3,5,11
echo "--top 2:"
"$MEMSPY" fields --db r.db slots -n 2 --csv | tr -d '\r' | cut -d, -f3,5,11
"$MEMSPY" fields --db r.db slots --top 2 | sed -n '/^Line/,/^$/p'
"$MEMSPY" fields --db r.db slots -n 2 --json >j.json
python3 - <<'END'
import json
print([m['name'] for m in json.load(open('j.json'))['data'][0]['members']])
END
