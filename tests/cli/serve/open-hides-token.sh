# --open gives the browser a file that only its owner can read, so that no command line contains a token. The file leads to an
# address that works once, from any page, and goes on to the pages. The file is removed after that, and in any case when the
# server ends.
export MEMSPY
db=$("$DBS/make" matmul)
mkdir bin runtime
chmod 700 runtime
cat >bin/xdg-open <<'SH'
#!/bin/sh
tr '\0' ' ' </proc/$$/cmdline >words
echo "$1" >url.new
mv url.new url
SH
chmod +x bin/xdg-open
PATH=$PWD/bin:$PATH XDG_RUNTIME_DIR=$PWD/runtime PYTHONPATH=$SRC/tests/cli/serve python3 - <<'END'
import os, re, stat
from urllib.parse import unquote, urlsplit
from server import Server, wait_for

def opened():
    """The file that the browser is given."""
    url = wait_for(lambda: os.path.exists('url') and open('url').read().strip())
    os.remove('url')
    return unquote(urlsplit(url).path)

def mode(path):
    return oct(stat.S_IMODE(os.stat(path).st_mode))

with Server('--db', 'matmul.db', '--open') as s:
    file = opened()
    words = open('words').read()
    print('a token on the command line:', re.search('[0-9a-f]{32}', words) is not None)
    print('file', mode(file), 'directory', mode(os.path.dirname(file)), 'in the directory of the session:', file.startswith(os.getcwd() + '/runtime/'))
    page = open(file).read()
    print('the token of the pages in it:', s.base.strip('/') in page)
    entry = urlsplit(re.search('url=([^"]*)"', page).group(1))
    print('the server:', entry.netloc == s.host)
    elsewhere = {'Sec-Fetch-Site': 'cross-site'}
    print('HEAD', s.status(entry.path, 'HEAD', headers=elsewhere, whole=True), 'of another name', s.status(entry.path, headers={'Host': 'evil.example'}, whole=True))
    status, headers, body = s.ask(entry.path, headers=elsewhere, whole=True)
    print('once', status, headers['referrer-policy'], 'url=%s"' % s.base in body)
    print('twice', s.status(entry.path, headers=elsewhere, whole=True), s.status(entry.path, whole=True))
    print('the pages', s.status(''), 'left', os.listdir('runtime'))
    print('stopped', s.stop()[0])
with Server('--db', 'matmul.db', '--open') as s:
    file = opened()
    print('never used:', os.path.exists(file), s.stop()[0], os.listdir('runtime'))
with Server('--db', 'matmul.db') as s:
    print('without --open', s.status('/', whole=True), os.listdir('runtime'), s.stop()[0])
END
