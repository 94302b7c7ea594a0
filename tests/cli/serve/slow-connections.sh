# Clients without the token cannot keep out those that have it: neither by many connections with partial requests, nor by one
# that sends a request byte by byte. A connection that has sent a request with the token stays.
export MEMSPY
db=$("$DBS/make" matmul)
PYTHONPATH=$SRC/tests/cli/serve python3 - <<'END'
import http.client, socket, threading, time
from server import Server

def connect(s):
    return socket.create_connection(s.host.split(':'), timeout=30)

def closed_after(c, more):
    """Seconds until the server closes it, sending a byte now and then."""
    begun = time.monotonic()
    c.settimeout(0.25)
    while time.monotonic() - begun < 30:
        try:
            if more:
                c.sendall(more)
            if c.recv(1000) == b'':
                break
        except TimeoutError:
            pass
        except OSError:
            break
    return time.monotonic() - begun

with Server('--db', 'matmul.db') as s:
    kept = http.client.HTTPConnection(s.host, timeout=20)
    kept.request('GET', s.base + 'runs.json')
    kept.getresponse().read()
    before = kept.sock
    slow = [connect(s) for _ in range(150)]
    for c in slow:
        try:
            c.sendall(b'GET / HTTP/1.1\r\nHost: ')
        except OSError:
            pass
    with connect(s) as c:
        c.settimeout(4)
        c.sendall(('GET %sruns.json HTTP/1.1\r\nHost: %s\r\n\r\n' % (s.base, s.host)).encode())
        try:
            print('with the token:', c.recv(100).split(b'\r\n')[0].decode())
        except TimeoutError:
            print('with the token: no answer')
    try:
        kept.request('GET', s.base + 'runs.json')
        print('on the connection from before:', kept.getresponse().status, kept.sock is before)
    except OSError as e:
        print('on the connection from before:', e)
    with connect(s) as bytewise, connect(s) as silent, connect(s) as body:
        body.sendall(('POST /%s/rules HTTP/1.1\r\nHost: %s\r\nContent-Length: 100000\r\n\r\n' % ('0' * 32, s.host)).encode())
        times = {}
        def measure(name, c, more):
            times[name] = closed_after(c, more)
        threads = [threading.Thread(target=measure, args=a) for a in (('byte by byte', bytewise, b'G'), ('nothing', silent, b''), ('a body', body, b'x'))]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        for name, seconds in sorted(times.items()):
            print(name, 'closed' if seconds < 20 else 'still open after 20 seconds')
    print('afterwards', s.status('run/1'), s.stop()[0])
END
