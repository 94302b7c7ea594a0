# What memspy had collected at its last checkpoint is in the database when it is killed (SIGKILL), marked as running before and
# as interrupted after. The program is not delayed, runs on, and ends when it is asked to.
export MEMSPY PROGRAMS
PYTHONPATH=$SRC/tests/cli/run-checkpoints python3 - <<'END'
from checkpoints import *

def report(db):
    return subprocess.run([memspy, 'report', '--db', db], capture_output=True, text=True).stdout

def killed(name, at_a_time, *words, of=()):
    db = name + '.db'
    run = Run(db, *words, rounds, *of)
    def is_saved():
        run.feed(b'.' * at_a_time)
        return states(db) == ['running'] and references(db) > 0 and 'walk' in report(db)
    wait_for(is_saved)
    had = run.kill()
    ended = lambda: all(has_ended(p) for p in had)
    after = states(db)
    print(name, after, references(db) > 0, 'interrupted; figures until 00:' in report(db), 'walk' in report(db))
    run.child.stdin.close()
    ended.__name__ = 'the end of the program'
    wait_for(ended)

killed('native', 20, 'run')
killed('workers', 20, 'run', '--workers', '3')
killed('windows', 20, 'run', '--sample', '1/2', '--window', '10000')
killed('valgrind', 20, 'run', '--checkpoint', '2', '--frontend', 'valgrind')
# Steps over pages: only what waits is in a report of samples.
killed('timer', 20, 'sample', '--checkpoint', '1', '--event', 'timer', of=('67108864', '4160'))

# A trace that comes in slowly.
run = Run('replay.db', 'replay', '--format', 'din', '-m', 'dash', '-m', 'cachegrind', '-')
def is_saved():
    run.give(b''.join(b'0 %x\n' % (64 * i) for i in range(20000)))
    return states('replay.db') == ['running', 'running']
wait_for(is_saved)
run.kill()
print('replay', states('replay.db'), references('replay.db') > 0)
END
