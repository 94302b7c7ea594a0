"""formats-agree-exactly.py [--misses] CACHEGRIND_OUT REPORT_JSON...: fails, with a table, where a report is not what cachegrind has counted.

--misses: references may differ.
"""
import json
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../run"))
from cachegrind import read_cachegrind

EVENTS = ["Ir", "Dr", "Dw", "D1mr", "D1mw", "DLmr", "DLmw"]
MISSES = EVENTS[3:]


def read_report(path):
    with open(path, encoding="utf-8") as file:
        totals = json.load(file)["totals"]
    first, last = (level["misses"] for level in totals["levels"])
    refs = totals["references"]
    figures = [totals["instructions"]] + [part[kind] for part in (refs, first, last) for kind in ("read", "write")]
    return dict(zip(EVENTS, figures))


def main():
    paths = sys.argv[1:]
    events = EVENTS
    if paths[0] == "--misses":
        paths, events = paths[1:], MISSES
    theirs, good = read_cachegrind(paths[0]), True
    if any(theirs[event] < 1000 for event in events):
        print(f"{theirs}: too few to believe")
        good = False
    for path in paths[1:]:
        ours = read_report(path)
        for event in events:
            if ours[event] != theirs[event]:
                print(f"{path}: {event} {ours[event]:,}, cachegrind has {theirs[event]:,}")
                good = False
    sys.exit(not good)


main()
