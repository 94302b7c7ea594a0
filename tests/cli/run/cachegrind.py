"""cachegrind.py CACHEGRIND_OUT REPORT_JSON: fails, with a table, where the two are too far apart."""
import json
import sys

# What is compared, as sums of cachegrind's events, and how many percent they may differ.
ROWS = [
    ("instructions", ["Ir"], 0.01),
    ("data references", ["Dr", "Dw"], 0.01),
    ("L1 data misses", ["D1mr", "D1mw"], 0.1),
    ("last-level data misses", ["DLmr", "DLmw"], 1.0),
]


def read_cachegrind(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        lines = {line.split(":")[0]: line.split()[1:] for line in file if ":" in line}
    return dict(zip(lines["events"], map(int, lines["summary"])))


def read_memspy(path):
    with open(path, encoding="utf-8") as file:
        totals = json.load(file)["totals"]
    first, last = totals["levels"]
    return {
        "instructions": totals["instructions"],
        "data references": sum(totals["references"].values()),
        "L1 data misses": sum(first["misses"].values()),
        "last-level data misses": sum(last["misses"].values()),
    }


def main():
    theirs, ours = read_cachegrind(sys.argv[1]), read_memspy(sys.argv[2])
    table, good = [], True
    for name, events, allowed in ROWS:
        expected = sum(theirs[event] for event in events)
        off = 100 * (ours[name] - expected) / max(expected, 1)
        good = good and abs(off) <= allowed
        table.append(f"{name:24}{expected:14,}{ours[name]:14,}{off:12.4f} %{allowed:10} %")
    if not good:
        print(f"{'':24}{'cachegrind':>14}{'memspy':>14}{'off':>14}{'allowed':>12}")
        print("\n".join(table))
        sys.exit(1)


if __name__ == "__main__":
    main()
