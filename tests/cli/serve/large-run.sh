# The page of a large run has what its first view needs, and asks for the rest: parts, and the details of code and data, which
# equal what a page in a file has.
export MEMSPY MEMSPY_GROUP=none # each data structure has a row
db=$("$DBS/make" matmul)
sqlite3 -bail "$db" <"$SRC/tests/browser/large.sql"
"$MEMSPY" html --db "$db" -o page.html @2
PYTHONPATH=$SRC/tests/cli/serve python3 - "$db" <<'END'
import base64, json, re, sys, zlib
from server import Server

packed = re.search(r'type="application/zlib" id="data">(.*?)</script>', open('page.html', encoding='utf-8').read()).group(1)
whole = json.loads(zlib.decompress(base64.b64decode(packed, validate=True)))

def rows(tables, name):
    """With texts in place of their numbers, and all columns."""
    t = tables[name]
    texts = [i for i, c in enumerate(t['columns']) if c in t['text_columns']]
    found = []
    for row in t['rows']:
        row = row + [0] * (len(t['columns']) - len(row))
        for i in texts:
            row[i] = row[i] if row[i] is None else tables['texts'][row[i]]
        found.append(row)
    return found

all = {name: rows(whole['tables'], name) for name in whole['tables'] if name != 'texts'}
print('in a file', whole['entries'], whole['later'])
with Server('--db', sys.argv[1]) as s:
    body = s.ask('run/2')[2]
    first = s.data('run/2')
    print('the first view is below 3 MB:', len(body.encode()) < 3000000, first['later'])
    print(sorted(k for k in whole if k not in first), sorted(first['tables']))
    for name in 'code', 'data':
        print(name, len(rows(first['tables'], name)), rows(first['tables'], name) == all[name][:2000])
    bins = rows(first['tables'], 'bins')
    print('bins', bins[:3000] == all['bins'][:3000], bins[3000:] == [b for b in all['bins'][3000:] if b[0] < 64 and b[1] < 64])
    for name in first['later'][:-1]:
        part = json.loads(s.ask('part/2/%s.json' % name)[2])
        tables = part.pop('tables', {})
        print('part', name, {t: rows(tables, t) == all[t] for t in tables if t != 'texts'},
              {key: part[key] == whole[key] for key in part if key in whole and key != 'schema_version'})
    hot = all['bins'][0]
    for path, code, data in ('code/2/4.json', 3, None), ('data/2/4500.json', None, 4499), ('bin/2/%d/%d.json' % (hot[0] + 1, hot[1] + 1), hot[0], hot[1]):
        t = json.loads(s.ask(path)[2])['tables']
        mine = [b for b in all['bins'] if code in (None, b[0]) and data in (None, b[1])]
        lines = sum(r[3] + r[4] for r in rows(t, 'bin_lines'))
        print(re.sub(r'\d+', 'N', path), 'bins', len(mine) > 0, rows(t, 'bins') == mine,
              'lines', lines == sum(b[2] + b[3] for b in mine), 'evictors', len(rows(t, 'bin_replaced_by')) > 0)
        for name in 'allocated_by', 'intrinsic', 'members', 'ranges', 'data_replaced_by':
            assert rows(t, name) == [r for r in all[name] if r[0] == data], name
    for path in 'part/7/lists.json', 'part/2/page.json', 'code/2/5001.json', 'code/7/1.json', 'bin/2/1.json':
        status, headers, body = s.ask(path)
        print(path, status, body if len(body) < 10 else '')
    print(s.stop()[0])
END
