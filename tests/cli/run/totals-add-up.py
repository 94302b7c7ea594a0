"""totals-add-up.py NAME: whether all sums in NAME.json, NAME.lines.json and NAME.db are the same."""
import json
import sqlite3
import sys

SHARING = ("true_sharing", "false_sharing", "peer", "remote", "write_backs")  # of several processors
good = True


def same(what, got, expected):
    global good
    if got != expected:
        print(f"{what}: {got}, expected {expected}")
        good = False


def figures(row):
    """All counts of an entry, in one tuple."""
    numbers = [row["references"]["read"], row["references"]["write"], row["stall_cycles"]]
    for level in row["levels"]:
        numbers += [level["misses"]["read"], level["misses"]["write"]]
        numbers += [level["causes"][c] for c in ("first", "replacement", "invalidation")]
        numbers += [level[c] for c in SHARING if c in level]
    return tuple(numbers)


def total(rows, width):
    return tuple(map(sum, zip(*map(figures, rows)))) or (0,) * width


def check_report(report, lines):
    expected = figures(report["totals"])
    for key in ("code", "data", "bins", "processors"):
        if key in report:
            same(f"sum of {key}", total(report[key], len(expected)), expected)
    same("sum of lines", total(lines["lines"], len(expected)), expected)
    unknown = [d for d in report["data"] if d["kind"] == "unknown"]
    same("unattributed", total(report["unattributed"], len(expected)), total(unknown, len(expected)))
    same("compute cycles of code", sum(c["compute_cycles"] for c in report["code"]),
         report["totals"]["compute_cycles"])
    same("shares of stall", round(sum(b["stall_share"] for b in report["bins"]), 6), 1.0)
    for row in [report["totals"], *report["bins"]]:
        check_levels(row)
    for row in report["bins"]:
        check_evictors(row)
    names = [d["name"] for d in report["data"]]
    same("names that are not unique", len(names) - len(set(names)), 0)
    same("order of bins", [b["stall_cycles"] for b in report["bins"]],
         sorted((b["stall_cycles"] for b in report["bins"]), reverse=True))


def check_levels(row):
    """A level misses no more than the one before it, and each miss has one cause."""
    before = sum(row["references"].values())
    for level in row["levels"]:
        misses = sum(level["misses"].values())
        same("causes", sum(level["causes"].values()), misses)
        same("true and false", level.get("true_sharing", 0) + level.get("false_sharing", 0),
             level["causes"]["invalidation"])
        if misses > before:
            same("misses of " + level["name"], misses, f"at most {before}")
        before = misses


def check_evictors(row):
    for level in row["levels"]:
        by = sum(r["count"] for r in row["replaced_by"] if r["level"] == level["name"])
        same(f"evictors of {row['code']} in {row['data']}", by, level["causes"]["replacement"])


def check_database(name, report):
    db = sqlite3.connect(name + ".db")
    one = lambda query: db.execute(query).fetchone()[0]
    references = sum(report["totals"]["references"].values())
    same("run.refs", one("select refs from run"), references)
    same("cells", one("select sum(refs) from cell"), references)
    same("view bin", one("select sum(reads) + sum(writes) from bin"), references)
    same("instructions", one("select instructions from run"), report["totals"]["instructions"])
    same("of lines", one("select sum(instructions) from line"), report["totals"]["instructions"])
    for number, level in enumerate(report["totals"]["levels"]):
        misses = sum(level["misses"].values())
        where = f"where level = {number}"
        same("level.misses", one(f"select misses from level {where}"), misses)
        same("misses", one(f"select sum(first + replaced + invalidated) from miss {where}"), misses)
        same("replaced", one(f"select coalesce(sum(count), 0) from replaced {where}"),
             level["causes"]["replacement"])
    same("foreign keys", db.execute("pragma foreign_key_check").fetchall(), [])
    same("integrity", one("pragma integrity_check"), "ok")


def main():
    name = sys.argv[1]
    with open(name + ".json", encoding="utf-8") as file:
        report = json.load(file)
    with open(name + ".lines.json", encoding="utf-8") as file:
        lines = json.load(file)
    check_report(report, lines)
    check_database(name, report)
    sys.exit(not good)


main()
