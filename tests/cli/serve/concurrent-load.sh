# Sixteen clients at full speed (wrk) on every kind of page: all requests are answered, and the server keeps no
# descriptors open.
export MEMSPY
db=$("$DBS/make" matmul)
PYTHONPATH=$SRC/tests/cli/serve python3 - <<'END'
import os, re, subprocess
from server import Server

# As a program that runs would leave it; its snapshot is the stored run.
live = 'matmul.db-live-%d' % os.getpid()
with open(live, 'w') as f:
    f.write('memspy-live 1\npid %d\nstarted x\nmachine x\nword program\nat 1 2 3\n' % os.getpid())
os.link('matmul.db', live + '.run')
with Server('--db', 'matmul.db') as s:
    for page in ['', 'run/1', 'diff/1/1', 'rules', 'runs.json', 'live.json', 'live/%d' % os.getpid(), 'live/%d.json' % os.getpid()]:
        output = subprocess.run(['wrk', '-t', '1', '-c', '16', '-d', '1', '--timeout', '60', s.address + page], capture_output=True, text=True).stdout
        answered = int(re.search(r'(\d+) requests in', output).group(1))
        print(re.sub(r'\d{2,}', 'PID', page) or '/', s.status(page), 'answered' if answered > 0 else output, *re.findall(r'Non-2xx.*|Socket errors.*', output))
    print('files', len(os.listdir('/proc/%d/fd' % s.child.pid)) < 60, 'stopped', s.stop()[0])
END
