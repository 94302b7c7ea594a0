# With --follow-forks each process has its own checkpoints; all are marked as interrupted when memspy is killed, and no process
# is left.
export MEMSPY PROGRAMS
PYTHONPATH=$SRC/tests/cli/run-checkpoints python3 - <<'END'
from checkpoints import *

def processes_of(pid):
    all = children(pid)
    for child in list(all):
        all += processes_of(child)
    return all

def name_of(pid):
    try:
        return open('/proc/%d/comm' % pid).read().strip()
    except OSError: # a process that saves a checkpoint may have ended
        return ''

# The shell waits, after some work of its own; the program that it executes reads.
script = 'i=0; while [ $i -lt 3000 ]; do i=$((i + 1)); done; "$0"; exit 3'
run = Run('forks.db', 'run', '--follow-forks', '--', 'bash', '-c', script, rounds)
def are_saved():
    run.feed(b'.' * 20)
    return sorted(states('forks.db')) == ['running', 'running'] and all(r['references'] > 0 for r in runs('forks.db'))
wait_for(are_saved)
had = processes_of(run.child.pid)
ours = [p for p in had if name_of(p) == 'memspy']
run.kill()
wait_for(lambda: all(has_ended(p) for p in ours))
print(len(ours) >= 2, states('forks.db'), sorted(os.path.basename(r['program']) for r in runs('forks.db')))
run.child.stdin.close()
wait_for(lambda: all(has_ended(p) for p in had))

# The same without a kill: complete runs, one linked to the other, and no checkpoint is left.
run = Run('ended.db', 'run', '--follow-forks', '--', 'bash', '-c', script, rounds)
def are_saved():
    run.feed(b'.' * 20)
    return sorted(states('ended.db')) == ['running', 'running']
wait_for(are_saved)
run.child.stdin.close()
print(run.child.wait(), states('ended.db'), sorted((os.path.basename(r['program']), r['relation'] or '') for r in runs('ended.db')))
END
