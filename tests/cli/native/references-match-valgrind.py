"""Compares two reports (memspy report --json) of one program, by the native front-end and by Valgrind's.

usage: references-match-valgrind.py NAME NATIVE.json VALGRIND.json

The functions of the program itself: references within 0.5 %, misses of the first level within 1 %. Few of them may
differ by a few: FEW misses, as the caches hold other lines when main() begins (Valgrind's loader is in them, natively it
has done its work before). Data that the program's functions use: the same names, but for the numbers of those with
equal names, and but for what is of the library that Valgrind preloads: the report names a bin's code by its name
alone, and that library has stubs (`__cxa_finalize@plt`) whose names are the program's, too. They read that library's
addresses, which are `<start-up>`. With --parallel misses are not compared, as who comes first is not the same; and two
threads may both bind a symbol at its first call: a few references more. With --tasks data are not compared either:
which thread takes a task, and so from where its stack and its blocks come, is another one each time.
"""
import json
import re
import sys

REFERENCES, MISSES, FEW = 0.005, 0.01, 64


def total(count):
    return count["read"] + count["write"]


class Report:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
        program = report["code"] and report["run"]["program"]
        self.code, self.data = {}, {}
        for row in report["code"]:
            if row["module"] is not None and row["module"].split("/")[-1] == program.split("/")[-1]:
                self.code[row["name"]] = (total(row["references"]), total(row["levels"][0]["misses"]))
        for row in report["bins"]:
            of_library = row["code"].endswith("@plt") and row["data"] == "<start-up>"
            if row["code"] in self.code and not of_library:
                data = re.sub("#[0-9]+$", "", row["data"])
                self.data[data] = self.data.get(data, 0) + total(row["references"])


def differ(a, b, share, few):
    return abs(a - b) > max(share * max(a, b), few)


def main():
    name, native, valgrind = sys.argv[1], Report(sys.argv[2]), Report(sys.argv[3])
    problems = []
    if not valgrind.code:
        problems.append("no function of the program is in the report")
    for code in sorted(set(native.code) | set(valgrind.code)):
        n, v = native.code.get(code, (0, 0)), valgrind.code.get(code, (0, 0))
        if differ(n[0], v[0], REFERENCES, FEW if "--parallel" in sys.argv else 0):
            problems.append(f"{code}: {n[0]} references natively, {v[0]} under Valgrind")
        if differ(n[1], v[1], MISSES, FEW) and "--parallel" not in sys.argv:
            problems.append(f"{code}: {n[1]} misses natively, {v[1]} under Valgrind")
    tasks = "--tasks" in sys.argv
    for data in sorted(set(native.data) ^ set(valgrind.data)) if not tasks else ():
        problems.append(f"{data}: {native.data.get(data, 0)} references natively, {valgrind.data.get(data, 0)} under Valgrind")
    for problem in problems:
        print(f"{name}: {problem}")
    if "-v" in sys.argv:
        refs = [sum(r[i] for r in report.code.values()) for report in (native, valgrind) for i in (0, 1)]
        print(f"{name}: {len(valgrind.code)} functions, {refs[0]} / {refs[2]} references, {refs[1]} / {refs[3]} misses")
    return 1 if problems else 0


sys.exit(main())
