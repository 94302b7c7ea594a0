# When memspy is killed while it is attached to a process, the run is stored, and the process runs on.
export MEMSPY PROGRAMS
PYTHONPATH=$SRC/tests/cli/run-checkpoints python3 - <<'END'
from checkpoints import *

for name, options in ('whole', []), ('windows', ['--sample', '1/2', '--window', '10000']):
    db = name + '.db'
    program = subprocess.Popen([rounds], stdin=subprocess.PIPE)
    run = Run(db, 'run', *options, '--attach', str(program.pid))
    def is_saved():
        program.stdin.write(b'.' * 20)
        program.stdin.flush()
        return states(db) == ['running'] and references(db) > 0
    wait_for(is_saved)
    run.kill()
    print(name, states(db), program.poll())
    program.stdin.write(b'.....q')
    program.stdin.close()
    print('ends', program.wait(60))
END
