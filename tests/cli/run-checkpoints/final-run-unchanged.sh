# The complete run has the same figures with and without checkpoints, and replaces the last checkpoint under its number.
export MEMSPY PROGRAMS
PYTHONPATH=$SRC/tests/cli/run-checkpoints python3 - <<'END'
from checkpoints import *

def rows(db):
    """All figures of a run: every table but for the times, and texts instead of their numbers."""
    report = json.loads(subprocess.run([memspy, 'report', '--db', db, '--json', '@1'], capture_output=True, text=True, check=True).stdout)
    for key in ('started', 'wall_seconds', 'uid', 'bytes', 'processor_seconds'):
        report['run'].pop(key, None)
    return report

def complete(name, *words):
    for db, seconds in (name + '-with.db', '0.2'), (name + '-without.db', '0'):
        run = Run(db, words[0], '--checkpoint', seconds, *words[1:], rounds)
        run.give(b'...')
        if seconds != '0':
            wait_for(lambda: states(db) == ['running'])
        run.give(b'..q')
        assert run.child.wait() == 0
    with_, without = rows(name + '-with.db'), rows(name + '-without.db')
    print(name, states(name + '-with.db'), states(name + '-without.db'), with_ == without, with_['run']['id'])
    if with_ != without:
        for key in with_:
            if with_[key] != without.get(key):
                print(key, json.dumps(with_[key])[:2000], json.dumps(without[key])[:2000], sep='\n')
    counts = "select count(*), sum(refs) from cell; select count(*), sum(first + replaced + invalidated) from miss; select count(*), sum(length(evictors)), sum(length(victims)) from replacement; select count(*) from frame; select count(*) from checkpoint"
    two = [subprocess.run(['sqlite3', name + db, counts], capture_output=True, text=True, check=True).stdout for db in ('-with.db', '-without.db')]
    print(two[0] == two[1])
    if two[0] != two[1]:
        print(*two)

complete('native', 'run')
complete('processors', 'run', '--processors', '2')
complete('sets', 'run', '--sample-sets', '1/2', '--sample-seed', '1')
END
