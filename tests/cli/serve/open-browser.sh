# --open leads Chromium to the list of runs, once.
export MEMSPY
db=$("$DBS/make" matmul)
mkdir bin
printf '#!/bin/sh\necho "$1" >url.new\nmv url.new url\n' >bin/xdg-open
chmod +x bin/xdg-open
unset XDG_RUNTIME_DIR
TMPDIR=$PWD PATH=$PWD/bin:$PATH PYTHONPATH=$SRC/tests/cli/serve python3 - <<'END'
import os, subprocess
from server import Server, wait_for

with Server('--db', 'matmul.db', '--open') as s:
    url = wait_for(lambda: os.path.exists('url') and open('url').read().strip())
    subprocess.run(['node', os.environ['SRC'] + '/tests/browser/open-file.js', url, s.address], timeout=120)
    print(s.stop()[0])
END
