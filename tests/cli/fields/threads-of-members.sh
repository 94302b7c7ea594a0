# tests/programs/member-threads.c: two threads use known members of each record, natively and in Valgrind, with all lines
# observed and with some. Misses by false sharing are those of memspy sharing.
cat >three.ini <<'END'
[machine]
text = a machine of three
processors = 3
[level L1]
size = 32K
ways = 8
line = 64
[level LL]
size = 1M
ways = 16
line = 64
latency = 50
processors = all
[memory]
latency = 200
END
for options in "--frontend native --observed-lines all" "--frontend native" "--frontend valgrind --processors 3 --observed-lines all"; do
	rm -f r.db
	"$MEMSPY" run -q $options --db r.db --machine ./three.ini "$PROGRAMS/member-threads" >/dev/null
	echo "$options:"
	"$MEMSPY" fields records --db r.db --json >fields.json
	"$MEMSPY" sharing --db r.db --json >sharing.json
	"$MEMSPY" threads --db r.db --json >threads.json
	"$MEMSPY" show --db r.db --data records --code count_keys | grep -c "^Use of lines"
	python3 - <<'END'
import json
names = {t['thread']: t['name'] for t in json.load(open('threads.json'))['threads']}
data = json.load(open('fields.json'))['data'][0]
for m in data['members']:
    readers, writers = (sorted(names[t['thread']] for t in m.get(key, [])) for key in ('readers', 'writers'))
    print(m['name'], readers, writers)
sharing = [d for d in json.load(open('sharing.json'))['data'] if d['name'].startswith('record.')]
shared = {key: sum(d[key] for d in sharing) for key in ('true_sharing', 'false_sharing')}
print({key: sum(m[key] for m in data['members']) == n for key, n in shared.items()})
END
done
# The array has 4096 records of 64 bytes.
sqlite3 r.db "select count(*), min(r.bytes), max(r.bytes) from address_range r join data d on d.run = r.run and d.data = r.data
	where d.name like 'record.%'"
