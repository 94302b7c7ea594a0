# A request with two Host headers, two of another header that decides about access, or two lengths of its body is refused: a
# proxy may have checked the other one.
export MEMSPY
db=$("$DBS/make" matmul)
PYTHONPATH=$SRC/tests/cli/serve python3 - <<'END'
import socket
from server import Server

def status(s, method, lines, body=b''):
    head = ['%s %s HTTP/1.1' % (method, s.base + ('rules' if method == 'POST' else 'runs.json'))] + lines
    with socket.create_connection(s.host.split(':'), timeout=20) as c:
        c.sendall('\r\n'.join(head).encode() + b'\r\n\r\n' + body)
        return c.recv(1000).split(b'\r\n')[0].decode()

with Server('--db', 'matmul.db') as s:
    host, own = 'Host: ' + s.host, 'Origin: http://' + s.host
    for what, method, lines, body in [
        ('one Host', 'GET', [host], b''),
        ('two Hosts', 'GET', [host, 'Host: evil.example'], b''),
        ('two Hosts, the right one last', 'GET', ['Host: evil.example', host], b''),
        ('two Hosts, the same', 'GET', [host, host], b''),
        ('two Hosts, in other letters', 'GET', [host, 'hOST: evil.example'], b''),
        ('two Origins', 'GET', [host, own, 'Origin: http://evil.example'], b''),
        ('two sites', 'GET', [host, 'Sec-Fetch-Site: none', 'Sec-Fetch-Site: cross-site'], b''),
        ('one length', 'POST', [host, own, 'X-Memspy: 1', 'Content-Length: 8'], b'remove=9'),
        ('two lengths', 'POST', [host, own, 'X-Memspy: 1', 'Content-Length: 8', 'Content-Length: 3'], b'remove=9'),
        ('a length and chunks', 'POST', [host, own, 'X-Memspy: 1', 'Content-Length: 8', 'Transfer-Encoding: chunked'], b'8\r\nremove=9\r\n0\r\n\r\n'),
        ('chunks', 'POST', [host, own, 'X-Memspy: 1', 'Transfer-Encoding: chunked'], b'8\r\nremove=9\r\n0\r\n\r\n'),
        ('another server in the first line', 'GET', [host], None),
        ('a head of 100 KB', 'GET', [host, 'A: ' + 'b' * 100000], b''),
    ]:
        if body is None:
            s.base, base = 'http://' + s.host + s.base, s.base
            print(what, status(s, method, lines))
            s.base = base
        else:
            print(what, status(s, method, lines, body))
    print('stopped', s.stop()[0])
END
