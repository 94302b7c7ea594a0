"""Checks what docs/tutorial-multigrid.md says about plain, tiled and padded: reads NAME.json (memspy report) and
NAME.evictions.json (memspy evictions) of each, and prints the rules that do not hold, with the figures."""
import json
import sys

VERSIONS = ("plain", "tiled", "padded")
STENCILS = ("resid", "psinv")
ARRAYS = ("double.U", "double.V", "double.R")


class Run:
    def __init__(self, name):
        with open(name + ".json") as file:
            self.report = json.load(file)
        with open(name + ".evictions.json") as file:
            self.evictions = json.load(file)
        self.total = sum(self.report["totals"]["levels"][0]["misses"].values())
        self.stencils = sum(self.misses(code, data) for code in STENCILS for data in ARRAYS)

    def misses(self, code, data):
        return sum(sum(b["levels"][0]["misses"].values()) for b in self.report["bins"]
                   if (b["code"], b["data"]) == (code, data))

    def itself(self, data):
        """The share that a data has in the evictions of it."""
        return sum(p["share"] for p in self.evictions["pairs"] if p["evicted"] == p["evicted_by"] == data)

    def where(self, data):
        """The function in whose lines it evicts itself most often."""
        by = {}
        for p in self.evictions["places"]:
            if p["evicted"] == p["evicted_by"] == data:
                by[p["code"]] = by.get(p["code"], 0) + p["evictions"]
        return max(by, key=by.get)

    def lines(self, data, code):
        return [p["line"] for p in self.evictions["places"]
                if (p["evicted"], p["evicted_by"], p["code"]) == (data, data, code) and p["file"].endswith("stencil.c")]

    def columns(self):
        """What the shares of each evicted data add up to."""
        sums = {}
        for p in self.evictions["pairs"]:
            sums[p["evicted"]] = sums.get(p["evicted"], 0) + p["share"]
        return sums.values()


RULES = [
    "plain.itself('double.U') > 0.5",
    "plain.itself('double.R') > 0.5",
    "plain.where('double.U') == 'resid'",
    "plain.where('double.R') == 'psinv'",
    "len(plain.lines('double.U', 'resid')) >= 2",
    "len(plain.lines('double.R', 'psinv')) >= 2",
    "plain.stencils > 0.5 * plain.total",
    "tiled.stencils < 0.92 * plain.stencils",
    "padded.stencils < 0.85 * tiled.stencils",
    "tiled.total < 0.96 * plain.total",
    "padded.total < 0.96 * tiled.total",
    "tiled.misses('resid', 'double.U') < plain.misses('resid', 'double.U')",
    "tiled.misses('resid', 'double.R') < 0.7 * plain.misses('resid', 'double.R')",
    "tiled.misses('psinv', 'double.U') < 0.1 * plain.misses('psinv', 'double.U')",
    "padded.misses('resid', 'double.U') < 0.8 * plain.misses('resid', 'double.U')",
    "padded.misses('psinv', 'double.R') < 0.8 * plain.misses('psinv', 'double.R')",
    "all(abs(s - 1) < 1e-9 for run in (plain, tiled, padded) for s in run.columns())",
]


def main():
    runs = {name: Run(name) for name in VERSIONS}
    broken = [rule for rule in RULES if not eval(rule, dict(runs))]
    for rule in broken:
        print("not so:", rule)
    for name, run in runs.items() if broken else ():
        print(name, "misses", run.total, "of the stencils", run.stencils,
              {(c, d): run.misses(c, d) for c in STENCILS for d in ARRAYS},
              "evicted by itself", {d: round(run.itself(d), 3) for d in ARRAYS}, "most in",
              {d: run.where(d) for d in ARRAYS})
    sys.exit(bool(broken))


main()
