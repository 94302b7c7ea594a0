# The served pages in a real browser, and what a page from elsewhere gets: nothing.
export MEMSPY
db=$("$DBS/make" matmul)
mkdir elsewhere && echo '<!DOCTYPE html><title>elsewhere</title><body>' >elsewhere/index.html
PYTHONPATH=$SRC/tests/cli/serve python3 - <<'END'
import functools, http.server, os, subprocess, threading
from server import Server

class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *what):
        pass

other = http.server.ThreadingHTTPServer(('127.0.0.1', 0), functools.partial(Quiet, directory='elsewhere'))
threading.Thread(target=other.serve_forever, daemon=True).start()
with Server('--db', 'matmul.db') as s:
    subprocess.run(['node', os.environ['SRC'] + '/tests/browser/serve.js', s.address, 'http://127.0.0.1:%d/' % other.server_port], timeout=120)
    print(s.stop()[0])
END
