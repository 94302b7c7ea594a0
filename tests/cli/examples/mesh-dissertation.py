"""Checks what docs/tutorial-mesh.md says about the three layouts: reads NAME.json (memspy report) of each, and prints the
rules that do not hold, with the figures."""
import json
import sys

# For K and disp: the pointers to rows of pointers, the rows of pointers, the numbers.
LEVELS = {
    "pointers": (("double **.K", "double *.K[]", "double.K[][]"),
                 ("double **.disp", "double *.disp[]", "double.disp[][]")),
    "contiguous": (("double **.K", "double *.K_2", "double.K_3"),
                   ("double **.disp", "double *.disp_2", "double.disp_3")),
    "static": ((None, None, "K"), (None, None, "disp")),
}


class Run:
    def __init__(self, name):
        with open(name + ".json") as file:
            self.report = json.load(file)
        self.K, self.disp = LEVELS[name]
        self.data = {d["name"]: d for d in self.report["data"]}
        self.all = self.report["totals"]
        self.total = self.misses_of(self.all)

    @staticmethod
    def misses_of(row):
        return sum(row["levels"][0]["misses"].values())

    def misses(self, name):
        return self.misses_of(self.data[name]) if name else 0

    def refs(self, name):
        return sum(self.data[name]["references"].values()) if name else 0

    def pointers(self, count):
        return sum(count(name) for name in self.K[:2] + self.disp[:2])

    def numbers(self):
        return self.misses(self.K[2]) + self.misses(self.disp[2])

    def bytes_per_object(self, name):
        return self.data[name]["bytes"] / self.data[name]["objects"]

    def in_smvp(self, name):
        here = sum(self.misses_of(b) for b in self.report["bins"] if (b["code"], b["data"]) == ("smvp", name))
        return here / self.misses(name)


RULES = [
    # each level is there, in objects of 24 bytes
    "all(pointers.bytes_per_object(name) == 24 for name in pointers.K[1:] + pointers.disp[2:])",
    "pointers.in_smvp(pointers.K[1]) > 0.5 and pointers.in_smvp(pointers.K[2]) > 0.5",
    "pointers.pointers(pointers.misses) > 0.15 * pointers.total",
    # in one piece: fewer misses of pointers and of numbers, as many references
    "contiguous.pointers(contiguous.refs) > 0.9 * pointers.pointers(pointers.refs)",
    "contiguous.pointers(contiguous.misses) < 0.95 * pointers.pointers(pointers.misses)",
    "contiguous.misses(contiguous.K[1]) < 0.95 * pointers.misses(pointers.K[1])",
    "contiguous.numbers() < 0.85 * pointers.numbers()",
    "contiguous.total < 0.85 * pointers.total",
    "all(contiguous.data[name]['objects'] == 1 for name in contiguous.K + contiguous.disp)",
    # static: no pointers at all, and the numbers miss no more than before
    "not [name for name in static.data if name.startswith(('double *.', 'double **.'))]",
    "static.numbers() <= contiguous.numbers()",
    "static.total < 0.75 * contiguous.total",
    "static.misses('K') > 0.4 * static.total",
]


def main():
    runs = {name: Run(name) for name in LEVELS}
    broken = [rule for rule in RULES if not eval(rule, dict(runs))]
    for rule in broken:
        print("not so:", rule)
    for name, run in runs.items() if broken else ():
        print(name, "misses", run.total,
              {d: (run.misses(d), run.refs(d)) for d in run.K + run.disp if d})
    sys.exit(bool(broken))


main()
