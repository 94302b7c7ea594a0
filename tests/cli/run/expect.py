"""Checks a report (memspy report --json) against expressions, one a line, read from standard input.

An expression is Python with these names (first, replaced, misses: of the first level):
  data(NAME)         a data bin: .reads .writes .refs .misses .first .replaced .objects .bytes .kind ...
  code(NAME)         a function, likewise
  bin(CODE, DATA)    a bin, likewise, and .by: {data: count} of its replacement misses at L1
  total              the totals, likewise, and .instructions
  names(KIND)        sorted names of all data of a kind (all kinds: None)
  lost(TEXT)         what is unattributed for a reason that contains TEXT
  report             the whole object
A name may be a glob; then exactly one entry must match. A missing entry fails the line.
"""
import ast
import fnmatch
import json
import sys


class Entry:
    def __init__(self, row):
        self.row = row
        self.reads = row["references"]["read"]
        self.writes = row["references"]["write"]
        self.refs = self.reads + self.writes
        self.levels = [Level(level) for level in row["levels"]]
        self.misses = self.levels[0].misses
        self.first = self.levels[0].first
        self.replaced = self.levels[0].replaced
        name = row["levels"][0]["name"]
        self.by = {}
        for r in row.get("replaced_by", []):
            if r["level"] == name:
                self.by[r["data"]] = self.by.get(r["data"], 0) + r["count"]

    def __getattr__(self, name):
        return self.row[name]


class Level:
    def __init__(self, row):
        self.row = row
        self.misses = row["misses"]["read"] + row["misses"]["write"]
        self.read_misses = row["misses"]["read"]
        self.write_misses = row["misses"]["write"]
        self.first = row["causes"]["first"]
        self.replaced = row["causes"]["replacement"]
        self.covered = row.get("covered")


class Missing(Exception):
    pass


def pick(rows, what, **wanted):
    found = [r for r in rows if all(fnmatch.fnmatchcase(r[k], v) for k, v in wanted.items())]
    if len(found) != 1:
        text = " in ".join(wanted.values())
        raise Missing(f"{len(found)} {what} match {text!r}")
    return Entry(found[0])


def vocabulary(report):
    return {
        "report": report,
        "total": Entry(report["totals"]),
        "data": lambda name: pick(report["data"], "data", name=name),
        "code": lambda name: pick(report["code"], "functions", name=name),
        "bin": lambda code, data: pick(report["bins"], "bins", code=code, data=data),
        "names": lambda kind: sorted(d["name"] for d in report["data"] if kind in (None, d["kind"])),
        "lost": lambda text: pick(report["unattributed"], "reasons", reason=f"*{text}*"),
    }


def values_in(text, scope):
    """The sides of a comparison, evaluated: for the message."""
    shown = []
    tree = ast.parse(text, mode="eval").body
    for node in ast.walk(tree):
        if not isinstance(node, ast.Compare):
            continue
        for side in [node.left, *node.comparators]:
            if not isinstance(side, ast.Constant):
                part = ast.unparse(side)
                shown.append(f"{part} is {eval(part, scope)!r}")
    return shown


def check(text, scope):
    try:
        if eval(text, scope):
            return True
        print(f"not so: {text}")
        for line in values_in(text, scope):
            print(f"    {line}")
    except Missing as missing:
        print(f"not so: {text}\n    {missing}")
    except Exception as error:
        print(f"cannot check: {text}\n    {type(error).__name__}: {error}")
    return False


def most_used(report):
    rows = sorted(report["bins"], key=lambda row: -Entry(row).refs)
    return [f"{row['code']} in {row['data']} ({Entry(row).refs})" for row in rows[:12]]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        scope = vocabulary(json.load(file))
    lines = [line.strip() for line in sys.stdin]
    lines = [line for line in lines if line and not line.startswith("#")]
    good = [check(line, scope) for line in lines]
    if not all(good):
        print("most used:", ", ".join(most_used(scope["report"])))
        sys.exit(1)


main()
