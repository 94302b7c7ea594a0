"""Starts memspy serve for a test, sends requests, and stops it: with Server(...) as s: s.get('run/1')."""
import http.client, os, re, signal, subprocess, sys, time
from urllib.parse import urlsplit

def wait_for(what):
    """What it returns, once that is something."""
    for i in range(1200):
        found = what()
        if found:
            return found
        time.sleep(0.05)
    raise SystemExit('never: ' + what.__name__)

def names(page, which):
    """Of a table of a page."""
    t = page['tables'][which]
    return [page['tables']['texts'][row[t['columns'].index('name')]] for row in t['rows']]

class Server:
    def __init__(self, *options):
        self.child = subprocess.Popen([os.environ['MEMSPY'], 'serve', *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.address = self.child.stdout.readline().strip()
        parts = urlsplit(self.address)
        self.host, self.base = parts.netloc, parts.path

    def ask(self, path, method='GET', headers={}, body=None, whole=False):
        """Status, headers and body; path is relative to the token unless it is whole."""
        connection = http.client.HTTPConnection(self.host, timeout=30)
        connection.putrequest(method, path if whole else self.base + path, skip_host='Host' in headers, skip_accept_encoding=True)
        for key, value in headers.items():
            if value is not None:
                connection.putheader(key, value)
        if body is not None:
            connection.putheader('Content-Length', str(len(body)))
        connection.endheaders(body)
        answer = connection.getresponse()
        got = answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read().decode()
        connection.close()
        return got

    def status(self, *args, **more):
        return self.ask(*args, **more)[0]

    def data(self, path):
        """The JSON in a page."""
        import json
        return json.loads(re.search(r'id="data">(.*?)</script>', self.ask(path)[2], re.S).group(1))

    def stop(self, number=signal.SIGTERM):
        self.child.send_signal(number)
        out, err = self.child.communicate(timeout=60)
        return self.child.returncode, err

    def __enter__(self):
        return self

    def __exit__(self, *what):
        if self.child.poll() is None:
            self.child.kill()
            self.child.communicate()
