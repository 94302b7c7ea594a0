# On a terminal the program has the terminal to itself. If its output goes elsewhere, memspy shows its progress, and removes it
# at the end.
. "$SRC/tests/cli/run/lib.bash"
cat >terminal.py <<'END'
import os, pty, sys
pid, fd = pty.fork()
if pid == 0:
    os.environ["TERM"] = "xterm"
    if "OUTPUT" in os.environ:
        os.dup2(os.open(os.environ["OUTPUT"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666), 1)
    os.execv(sys.argv[1], sys.argv[1:])
seen = b""
while True:
    try:
        more = os.read(fd, 65536)
    except OSError:
        break
    if not more:
        break
    seen += more
open("seen", "wb").write(seen)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
END
python3 terminal.py "$MEMSPY" run --machine dash "$PROGRAMS/ends" while || fail "exit status $?"
grep -aq 'ready' seen || fail "the program's words are missing"
grep -aqE 'memspy: [0-9.]+[KMG]? references' seen && fail "progress on the program's terminal: $(cat -A seen)"
OUTPUT=output python3 terminal.py "$MEMSPY" run --machine dash "$PROGRAMS/ends" while || fail "exit status $?"
grep -q 'ready' output || fail "the program's words are missing"
grep -aqE 'memspy: [0-9.]+[KMG]? references, [0-9.]+[KMG]?/s, .*miss' seen || fail "no progress"
grep -aq 'native time' seen && fail "how long it takes alone is not known: $(grep -ao 'memspy: .*native time' seen)"
grep -aq 'TOTAL APPLICATION STATISTICS' seen || fail "no report"
grep -aq $'\033\\[' seen || fail "no colour"

# Of a sampled program it counts what is simulated, and says so.
OUTPUT=output python3 terminal.py "$MEMSPY" run --l1 4K,4,64 --sample-sets 1/2 sh -c 'i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done' || fail "sampled: exit status $?"
grep -aqE 'memspy: [0-9.]+[KMG]? references simulated, [0-9.]+[KMG]?/s, .*miss' seen || fail "sampled: no progress"

python3 terminal.py "$MEMSPY" run -q --machine dash "$PROGRAMS/ends" while || fail "-q: exit status $?"
tr -d '\r' <seen >quiet
[ "$(cat quiet)" = $'ready\ndone' ] || fail "-q: $(cat -A quiet)"

NO_COLOR=1 python3 terminal.py "$MEMSPY" run --machine dash "$PROGRAMS/walk" || fail "status $?"
grep -aq $'\033\\[' seen && fail "colour in spite of NO_COLOR"
finish
