"""Threads, processes, signals and exceptions of python."""
import concurrent.futures
import hashlib
import multiprocessing
import signal
import subprocess
import sys


def work(n):
    return hashlib.sha256(str([i * n for i in range(2000)]).encode()).hexdigest()[:8]


class Alarm(Exception):
    pass


def ring(*_):
    raise Alarm


if __name__ == "__main__":
    with concurrent.futures.ThreadPoolExecutor(8) as threads:
        print(list(threads.map(work, range(40))))
    with multiprocessing.get_context("fork").Pool(2) as processes:
        print(processes.map(work, range(8)))
    signal.signal(signal.SIGALRM, ring)
    caught = 0
    for _ in range(20):
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.002)
            while True:
                work(1)
        except Alarm:
            caught += 1
    print(caught)
    print(subprocess.run(["sh", "-c", "cat; exit 5"], input=b"in", capture_output=True).returncode)
    sys.exit(11)
