# Hundreds of concurrent malformed and truncated requests: the server answers the next valid one, has served no file, and stops
# cleanly.
export MEMSPY
db=$("$DBS/make" matmul)
PYTHONPATH=$SRC/tests/cli/serve python3 - <<'END'
import os, random, socket, threading
from server import Server

def request(r, s):
    paths = [s.base + p for p in ['', 'run/1', 'diff/1/1', 'diff/1/2', 'rules', 'rules', 'runs.json', 'live.json', 'live/%d' % os.getpid(), 'live/%d.json' % os.getpid(), 'live/1.json']]
    paths += ['/', s.base + '../../etc/passwd', s.base + '%2e%2e/%00', s.base + 'run/' + '9' * 30, s.base + 'x' * 40000]
    fields = ['run=1', 'run=-1', 'subject=data', 'subject=code', 'verb=rename', 'verb=combine', 'verb=hide', 'verb=x', 'thing=*', 'thing=Matrix.X', 'thing=%2e', 'name=%3Cb%3E', 'name=' + 'n' * 9000, 'name=%', 'name=%00', 'remove=1', '&', '=']
    body = r.choice([r.randbytes(r.choice([0, 5, 300, 70000])), '&'.join(r.choices(fields, k=8)).encode()])
    lines = ['%s %s HTTP/%s' % (r.choice(['GET', 'POST', 'HEAD', 'PUT', 'X' * 300, '\0']), r.choice(paths), r.choice(['1.1', '1.0', '9'])), 'Host: ' + r.choice([s.host, 'evil', ''])]
    for _ in range(r.randrange(5)):
        lines.append(r.choice(['Origin: http://' + s.host, 'X-Memspy: 1', 'Sec-Fetch-Site: none', 'Transfer-Encoding: chunked', 'Content-Length: %d' % r.choice([0, 5, len(body), -1, 10**18]),
                               'A: ' + 'b' * 9000, ': ', '\x01\x02']))
    data = bytearray('\r\n'.join(lines).encode('latin1') + b'\r\n\r\n' + body)
    for _ in range(r.choice([0, 0, 5])):
        data[r.randrange(len(data))] = r.getrandbits(8)
    return bytes(data[:r.randrange(len(data)) if r.random() < 0.2 else len(data)])

def worker(number, s, answers):
    r = random.Random(number)
    for _ in range(60):
        try:
            with socket.create_connection(s.host.split(':'), timeout=5) as c:
                c.sendall(request(r, s))
                c.settimeout(0.1)
                got = b''
                try:
                    while r.random() < 0.95 and (more := c.recv(65536)):
                        got += more
                except TimeoutError:
                    pass
                answers.append(got)
        except OSError:
            pass

# As a program that runs would leave it; what lies there as its snapshot is no database.
with open('matmul.db-live-%d' % os.getpid(), 'w') as f:
    f.write('memspy-live 1\npid %d\nstarted x\nmachine x\nword program\nat 1 2 3\n' % os.getpid())
open('matmul.db-live-%d.run' % os.getpid(), 'wb').write(random.Random(1).randbytes(9999))
with Server('--db', 'matmul.db') as s:
    answers = []
    threads = [threading.Thread(target=worker, args=(i, s, answers)) for i in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    print('many answers', sum(a.startswith(b'HTTP/1.1 ') for a in answers) > 100, 'leaks', sum(b'root:x:0' in a for a in answers), 'next', s.status('run/1'))
    code, err = s.stop()
    print('stopped', code, len(err.splitlines()))
    if code:
        print(err)
END
