"""Runs programs under memspy and reads the time of each phase from the report.

The time of a phase is that of the function of its name and of the functions that only it calls. Cycles become
nanoseconds by the measured clock.
"""
import fnmatch
import json
import shutil
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


def read_report(memspy, database, run):
    out = subprocess.run([memspy, "report", "--db", database, "--json", run], check=True, capture_output=True, text=True).stdout
    return json.loads(out)


def profile(memspy, command, path, database, resident=False):
    """The report of one run, as memspy writes it; the run stays in the database."""
    environment = ["env", "PHASE_TIMES=/dev/null"] + (["PHASE_RESIDENT=1"] if resident else [])
    database.unlink(missing_ok=True)
    subprocess.run([*environment, memspy, *command, "-q", "--db", database, "--", path], check=True, stdout=subprocess.DEVNULL)
    return read_report(memspy, database, "@latest")


def join(memspy, simulated, measured, database):
    """The report of a simulated and a sampled run together."""
    shutil.copy(simulated, database)
    subprocess.run([memspy, "runs", "import", "--db", database, measured], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([memspy, "join", "-q", "--db", database, "@1", "@2"], check=True, stdout=subprocess.DEVNULL)
    report = read_report(memspy, database, "@latest")
    database.unlink()
    # Measured nanoseconds are reported as cycles of the machine's clock, of 1 GHz if that is not known.
    cycle_ns = 1000 / (report["run"]["core"]["clock_mhz"] or 1000)
    for code in report["code"]:
        code["stall_ns"], code["compute_ns"] = code["stall_cycles"] * cycle_ns, code["compute_cycles"] * cycle_ns
    return report


def references(report, program, names):
    """{phase: loads and stores}: the same on resident data if the program is right."""
    found = {}
    for phase in names:
        patterns = [phase] + program.calls.get(phase, [])
        found[phase] = sum(c["references"]["read"] + c["references"]["write"] for c in report["code"]
                           if any(fnmatch.fnmatchcase(c["name"], p) for p in patterns))
    return found
