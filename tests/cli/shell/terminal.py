"""terminal.py ROWS COLUMNS COMMAND...: runs a command on a terminal of its own and talks to it.

Standard input is the dialogue, a line each: "> text" is typed (Python's escapes: \\n \\t \\x03), "< text" must come,
and has to before 20 seconds have passed, "! text" must not have come since the last "<". Escape sequences are left out of what is compared. Prints what went wrong and all
that was shown then, or "as expected"; and "status N". With "= FILE" what was shown goes there, byte for byte.
"""
import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time

SECONDS = 20


class Terminal:
    def __init__(self, rows, columns, command):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            time.sleep(0.1)  # until the terminal has its size
            os.execvp(command[0], command)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.shown = b""
        self.seen = 0

    def read(self, seconds):
        if not select.select([self.fd], [], [], seconds)[0]:
            return False
        try:
            more = os.read(self.fd, 65536)
        except OSError:
            return False
        self.shown += more
        return len(more) > 0

    def expect(self, text):
        end = time.time() + SECONDS
        while text not in plain(self.shown)[self.seen :]:
            if not self.read(0.5) and time.time() > end:
                return False
        self.seen = plain(self.shown).index(text, self.seen) + len(text)
        return True

    def end(self):
        end = time.time() + SECONDS
        while time.time() < end:
            if os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                break
            self.read(0.1)
        else:
            os.kill(self.pid, 9)
        while self.read(0):
            pass
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def text_of(line):
    return line[2:].encode().decode("unicode_escape").encode("latin-1")


def plain(shown):
    shown = re.sub(rb"\x1b(\[[0-9;?]*[A-Za-z]|[=>]|\([A-Z0-9])", b"", shown)
    return shown.replace(b"\r", b"").replace(b"\x07", b"")


def main():
    terminal = Terminal(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
    wrong, last = None, 0
    for line in sys.stdin.read().splitlines():
        if line.startswith("> "):
            os.write(terminal.fd, text_of(line))
        elif line.startswith("< "):
            last = terminal.seen
            if not terminal.expect(text_of(line)):
                wrong = line
                break
        elif line.startswith("! ") and text_of(line) in plain(terminal.shown)[last:]:
            wrong = line
            break
        elif line.startswith("= "):
            with open(line[2:], "wb") as out:
                out.write(terminal.shown)
    if wrong:
        os.kill(terminal.pid, 9)
    status = terminal.end()
    print(f"not as expected: {wrong}" if wrong else "as expected")
    if wrong:
        sys.stdout.flush()
        sys.stdout.buffer.write(plain(terminal.shown))
    print(f"status {status}")


main()
