# tests/programs/line-use.c reads one member of each record, and writes two of each slot; the others are never used.
"$MEMSPY" run -q --observed-lines all --db r.db --l1 32K,8,64 --ll 1M,16,64 "$PROGRAMS/line-use" >/dev/null
"$MEMSPY" fields --db r.db record | sed '1,/^$/d'
"$MEMSPY" fields --db r.db slots --csv | tr -d '\r'
"$MEMSPY" fields --db r.db records --json >j.json
python3 - <<'END'
import json
data = json.load(open('j.json'))['data'][0]
print(data['name'], data['element'], [m['name'] for m in data['members'] if m['stall'] > 0])
END
"$MEMSPY" fields --db r.db table | sed '1,/^$/d' | head -n 3
"$MEMSPY" fields --db r.db || echo "status $?"
"$MEMSPY" run -q --observed-lines none --db r.db --l1 32K,8,64 "$PROGRAMS/line-use" >/dev/null
"$MEMSPY" fields --db r.db records || echo "status $?"
