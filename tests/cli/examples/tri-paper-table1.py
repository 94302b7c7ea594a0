"""Table 1 of the 1992 paper from five reports (memspy report --json), NAME.json for each version in the order of
the arguments: prints it when a direction differs.

Misses of the first level, of the code that solves and waits, by data.
"""
import json
import sys

CODE = {"SolveSequential", "Parallel", "Reordered", "WithNaN", "WaitForReady", "WaitForNumber"}
DATA = {"M.nz": ("double.M.nz",), "M.col": ("int.M.col",), "Ready": ("int.Ready",), "x": ("double.x",),
        "b": ("double.b",)}


class Row:
    def __init__(self, name):
        with open(name + ".json") as file:
            report = json.load(file)
        self.total = self.count(report, None)
        self.by = {short: self.count(report, names) for short, names in DATA.items()}
        self.invalidated = {short: self.count(report, names, "invalidation") for short, names in DATA.items()}
        self.first = {short: self.count(report, names, "first") for short, names in DATA.items()}

    @staticmethod
    def count(report, names, cause=None):
        misses = 0
        for row in report["bins"]:
            if row["code"] in CODE and (names is None or row["data"] in names):
                level = row["levels"][0]
                misses += level["causes"][cause] if cause else sum(level["misses"].values())
        return misses


def matrix(row):
    return row.by["M.nz"] + row.by["M.col"]


RULES = [
    "parallel.total > 1.8 * sequential.total",
    "matrix(parallel) > 1.3 * matrix(sequential)",
    "parallel.first['M.nz'] > 0.5 * parallel.by['M.nz']",
    "parallel.invalidated['M.nz'] < 0.02 * parallel.by['M.nz']",
    "parallel.by['b'] > 2 * sequential.by['b']",
    "min(parallel.by['Ready'], parallel.by['x']) > 3 * sequential.by['x']",
    "parallel.invalidated['x'] > 0.3 * parallel.by['x']",
    "parallel.invalidated['Ready'] > 0.3 * parallel.by['Ready']",
    "sequential.by['Ready'] == 0",
    "sum(sequential.invalidated.values()) == 0",
    "reordered.by['M.nz'] < 1.05 * sequential.by['M.nz']",
    "matrix(reordered) < 1.1 * matrix(sequential)",
    "reordered.by['b'] < 1.3 * sequential.by['b']",
    "reordered.total < parallel.total",
    "reordered.by['Ready'] > 0.5 * parallel.by['Ready']",
    "nan.by['Ready'] == 0",
    "matrix(nan) < 1.1 * matrix(sequential)",
    "nan.total < 0.85 * reordered.total",
    "dependence.by['x'] < 0.9 * nan.by['x']",
    "dependence.by['Ready'] == 0",
    "matrix(dependence) < 1.1 * matrix(sequential)",
    "dependence.total < nan.total",
    "dependence.total > sequential.total",
]


def main():
    rows = {name: Row(name) for name in sys.argv[1:]}
    broken = [rule for rule in RULES if not eval(rule, {"matrix": matrix}, rows)]
    for rule in broken:
        print("not so:", rule)
    if broken:
        for name, row in rows.items():
            print(f"{name:12} {row.total:7}", row.by, "first", row.first, "invalidated", row.invalidated)
    sys.exit(bool(broken))


main()
