# Requests with and without the token: pages equal the output of memspy html, and nothing but runs is served.
export MEMSPY
db=$("$DBS/make" matmul)
"$MEMSPY" html --db "$db" -o page.html
PYTHONPATH=$SRC/tests/cli/serve python3 - <<'END'
import json, re, signal
from server import Server

with Server('--db', 'matmul.db') as s:
    print(re.sub(r'\d+', 'N', re.sub('[0-9a-f]{32}', 'TOKEN', s.address)))
    status, headers, body = s.ask('run/1')
    print('run/1', status, headers['content-type'])
    # A served page asks for the instructions of a function when they are shown.
    written = re.sub(r'^"assembly": \[\n.*?^\]\n', '"assembly": null', open('page.html').read(), flags=re.S | re.M)
    print('the same as memspy html:', body.replace('{\n "base": "%s"\n}\n' % s.base, 'null') == written)
    for name in 'content-security-policy', 'x-content-type-options', 'x-frame-options', 'referrer-policy', 'cache-control', 'cross-origin-resource-policy':
        print(name, re.sub(r"sha256-[^']*", 'sha256-...', headers[name]))
    print([r['id'] for r in s.data('')['runs']['runs']], s.data('')['live'], json.loads(s.ask('runs.json')[2])['runs'][0]['tag'])
    own = 'http://' + s.host
    for what, status in [
        ('HEAD', s.status('run/1', 'HEAD')),
        ('no such run', s.status('run/7')),
        ('no such page', s.status('nonsense')),
        ('a file', s.status('../../../../etc/passwd')),
        ('a file, written otherwise', s.status('%2e%2e/%2e%2e/etc/passwd')),
        ('the database', s.status('matmul.db')),
        ('no token', s.status('/', whole=True)),
        ('another token', s.status('/' + '0' * 32 + '/run/1', whole=True)),
        ('another name of the server', s.status('', headers={'Host': 'evil.example'})),
        ('no name of the server', s.status('', headers={'Host': None})),
        ('a page from elsewhere', s.status('', headers={'Origin': 'http://evil.example'})),
        ('its own page', s.status('', headers={'Origin': own})),
        ('PUT', s.status('run/1', 'PUT', body=b'x')),
        ('POST without a mark', s.status('rules', 'POST', headers={'Origin': own}, body=b'a=b')),
        ('POST of too much', s.status('rules', 'POST', headers={'Origin': own, 'X-Memspy': '1'}, body=b'a' * 100000)),
    ]:
        print(what, status)
    print('says:', s.data('run/7')['text'])
    code, err = s.stop(signal.SIGINT)
    print('stopped', code, err.splitlines()[-1])
END
