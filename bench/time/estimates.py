"""Runs programs under memspy and reads the time of each phase from the report.

The time of a phase is that of the function of its name and of the functions that only it calls. Cycles become
nanoseconds by the measured clock.
"""
import fnmatch
import json
import subprocess


def phases_of(program, names, code, cycle_ns):
    """{phase: (nanoseconds, nanoseconds of stall)} of a report's list of functions."""
    found = {}
    for phase in names:
        patterns = [phase] + program.calls.get(phase, [])
        mine = [c for c in code if any(fnmatch.fnmatchcase(c["name"], p) for p in patterns)]
        stall = sum(c["stall_ns"] if "stall_ns" in c else c["stall_cycles"] * cycle_ns for c in mine)
        compute = sum(c["compute_ns"] if "compute_ns" in c else c["compute_cycles"] * cycle_ns for c in mine)
        found[phase] = (compute + stall, stall)
    return found


def profile(memspy, command, path, database, resident=False):
    """The report of one run, as memspy writes it."""
    environment = ["env", "PHASE_TIMES=/dev/null"] + (["PHASE_RESIDENT=1"] if resident else [])
    database.unlink(missing_ok=True)
    subprocess.run([*environment, memspy, *command, "-q", "--db", database, "--", path], check=True, stdout=subprocess.DEVNULL)
    report = subprocess.run([memspy, "report", "--db", database, "--json"], check=True, capture_output=True, text=True)
    database.unlink(missing_ok=True)
    return json.loads(report.stdout)


def references(report, program, names):
    """{phase: loads and stores}: the same on resident data if the program is right."""
    found = {}
    for phase in names:
        patterns = [phase] + program.calls.get(phase, [])
        found[phase] = sum(c["references"]["read"] + c["references"]["write"] for c in report["code"]
                           if any(fnmatch.fnmatchcase(c["name"], p) for p in patterns))
    return found
