"""For the tests of checkpoints: a memspy that is killed, and what its run database holds then."""
import fcntl, json, os, struct, subprocess, termios, time

memspy, programs = os.environ['MEMSPY'], os.environ['PROGRAMS']
rounds = programs + '/rounds'

def wait_for(what, *args):
    """What it returns, once that is something."""
    for i in range(1200):
        found = what(*args)
        if found:
            return found
        time.sleep(0.05)
    raise SystemExit('never: ' + what.__name__)

def runs(db):
    if not os.path.exists(db):
        return []
    listed = subprocess.run([memspy, 'runs', '--db', db, '--json'], capture_output=True, text=True)
    return json.loads(listed.stdout)['runs'] if listed.returncode == 0 else []

def states(db):
    return [r.get('checkpoint', {}).get('state', r['end']) for r in runs(db)]

def has_ended(pid):
    """Also one that has not been waited for."""
    try:
        return open('/proc/%d/stat' % pid).read().rsplit(')', 1)[1].split()[0] in 'ZX'
    except OSError:
        return True

def children(pid):
    return [int(p) for p in subprocess.run(['pgrep', '-P', str(pid)], capture_output=True, text=True).stdout.split()]

class Run:
    """A memspy with checkpoints, whose program reads what is given to it."""
    def __init__(self, db, *words):
        self.db = db
        self.child = subprocess.Popen([memspy, words[0], '-q', '--checkpoint', '0.5', '--db', db, *words[1:]],
                                      stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)

    def give(self, text):
        self.child.stdin.write(text)
        self.child.stdin.flush()

    def feed(self, text):
        """Not before it has read what it was given: it is to end soon when it is asked to."""
        unread = struct.unpack('i', fcntl.ioctl(self.child.stdin, termios.FIONREAD, b'\0' * 4))[0]
        if unread == 0:
            self.give(text)

    def kill(self):
        """As the kernel does for want of memory; the processes that it had."""
        had = children(self.child.pid)
        self.child.kill()
        self.child.wait()
        return had

def references(db, run='@1'):
    report = subprocess.run([memspy, 'report', '--db', db, '--json', run], capture_output=True, text=True, check=True)
    r = json.loads(report.stdout)
    return sum(r['totals'].get('references', {}).values()) if 'hardware' not in r['run'] else r['run']['hardware']['samples']
