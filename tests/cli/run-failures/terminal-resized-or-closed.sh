# The terminal is made narrower or closed while memspy, the program or the report uses it.
. "$SRC/tests/cli/run/lib.bash"
cat >terminal.py <<'END'
import fcntl, os, pty, re, signal, struct, sys, termios, time

memspy, ends, report_db = sys.argv[1:]

def start(command, ignore_hup=False, output=None):
    pid, fd = pty.fork()
    if pid == 0:
        if output: # and a program that does not read the terminal
            os.dup2(os.open(output, os.O_WRONLY | os.O_CREAT), 1)
            os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
        if ignore_hup:
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
        os.environ["TERM"] = "dumb"
        os.execv(command[0], command)
    return pid, fd

def resize(fd, columns):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))

# Reads until the pattern was seen (b"" at the end of all), at most a minute.
def read_until(fd, pattern, seen=b""):
    limit = time.monotonic() + 60
    while not (pattern and re.search(pattern, seen)) and time.monotonic() < limit:
        try:
            more = os.read(fd, 65536)
        except OSError:
            return seen
        seen += more
    return seen

def end_of(pid):
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

def touch(path):
    open(path, "w").close()

def run(db, *program):
    return [memspy, "run", "--machine", "dash", "--db", db, ends, *program]

def narrower():
    # Progress is drawn where the program neither writes nor reads.
    pid, fd = start(run("narrow.db", "until", "narrow.go"), output="narrow.out")
    resize(fd, 100)
    seen = read_until(fd, rb"\rmemspy: [^\r]{30,}\r")
    resize(fd, 30)
    seen = read_until(fd, rb"\rmemspy: [^\r]{0,21}\r", seen)
    touch("narrow.go")
    seen = read_until(fd, b"", seen)
    print("narrower: status", end_of(pid))
    lines = [l for l in seen.split(b"\r") if l.startswith(b"memspy: ") and b"refer" in l]
    print("narrower: some before", any(len(l) > 29 for l in lines))
    first = next(i for i, l in enumerate(lines) if len(l.rstrip()) <= 29)
    print("narrower: all fit after", all(len(l) <= 29 for l in lines[first:]))

# memspy is the session leader of the terminal: only it gets the signal.
def gone_leader():
    pid, fd = start(run("leader.db", "forever"))
    read_until(fd, b"ready")
    os.close(fd)
    print("leader: status", end_of(pid))

# A shell is the first process, memspy one of its commands.
def gone_shell():
    command = run("shell.db", "forever")
    pid, fd = start(["/bin/bash", "-c", '"$@"; echo $? >shell.status', "-", *command])
    read_until(fd, b"ready")
    os.close(fd)
    end_of(pid)

# As under nohup: the program goes on to its end, and so does memspy.
def gone_ignored():
    pid, fd = start(run("ignored.db", "until", "ignored.go"), ignore_hup=True)
    read_until(fd, b"ready")
    os.close(fd)
    touch("ignored.go")
    print("ignored: status", end_of(pid))

def gone_report():
    script = 'trap "" HUP; echo ready; read x; "$@"; echo $? >report.status'
    pid, fd = start(["/bin/bash", "-c", script, "-", memspy, "report", "--db", report_db])
    read_until(fd, b"ready")
    os.close(fd)
    print("report: status", end_of(pid), open("report.status").read().strip())

narrower()
gone_leader()
gone_shell()
gone_ignored()
gone_report()
END
python3 terminal.py "$MEMSPY" "$PROGRAMS/ends" "$("$DBS/make" matmul)"

# All runs are kept, and no process is left.
for name in leader shell ignored; do
	for ((i = 0; i < 1200; i++)); do
		[ "$(sqlite3 $name.db 'select count(*) from run' 2>/dev/null)" = 1 ] && break
		sleep 0.05
	done
	sqlite3 $name.db "select '$name', ended, exit_status from run"
done
