"""Measures programs without memspy: each phase on its own data and on data that stay in the first-level cache.

Both variants run alternately. Each phase counts with its fastest repetition. Where the median is more than NOISE
above it, everything is repeated, at most MOST times as often as asked for; then the program is called noisy.
"""
import hashlib
import json
import os
import statistics
import subprocess
import tempfile

NOISE = 0.10
SHORT_NS = 1e6    # shorter phases (on resident data) may vary: they are small against what they are subtracted from
MOST = 3


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def processor_ticks():
    """(stolen, all) ticks of all processors since the system started."""
    with open("/proc/stat") as stat:
        ticks = [int(x) for x in stat.readline().split()[1:9]]
    return ticks[7], sum(ticks)


def cycle_ns(build):
    return float(subprocess.run([build / "bench/time/clock"], check=True, capture_output=True, text=True).stdout)


def run_once(program, resident):
    """{phase: nanoseconds of processor time}, in the order of the phases."""
    with tempfile.NamedTemporaryFile("r") as times:
        environment = dict(os.environ, PHASE_TIMES=times.name)
        if resident:
            environment["PHASE_RESIDENT"] = "1"
        subprocess.run([program], check=True, stdout=subprocess.DEVNULL, env=environment)
        return {name: int(cpu) for name, cpu, _ in (line.split() for line in times)}


def variation(runs, phase):
    times = sorted(run[phase] for run in runs)
    return statistics.median(times) / times[0] - 1 if times[0] >= SHORT_NS else 0


def is_noisy(full, resident):
    return any(variation(runs, phase) > NOISE for runs in (full, resident) for phase in runs[0])


def measure(path, build, repeats):
    stolen, ticks = processor_ticks()
    full, resident = [], []
    while len(full) < repeats or (is_noisy(full, resident) and len(full) < MOST * repeats):
        full.append(run_once(path, False))
        resident.append(run_once(path, True))
    after, total = processor_ticks()
    return {"digest": digest(path), "cycle_ns": cycle_ns(build), "stolen": (after - stolen) / max(total - ticks, 1),
            "noisy": is_noisy(full, resident), "full": full, "resident": resident}


def stored(path, keep):
    """What was measured of exactly this program, or None."""
    try:
        found = json.loads(keep.read_text())
    except FileNotFoundError:
        return None
    return found if found["digest"] == digest(path) else None


def times(measured):
    """{phase: (nanoseconds, nanoseconds of stall)}"""
    best = {variant: {phase: min(run[phase] for run in measured[variant]) for phase in measured[variant][0]}
            for variant in ("full", "resident")}
    return {phase: (ns, max(0, ns - best["resident"][phase])) for phase, ns in best["full"].items()}
