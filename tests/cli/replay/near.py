"""near.py LIVE_JSON IMPORTED_JSON: fails, with a table, where the totals of two reports are too far apart."""
import json
import sys

# How many percent they may differ; why they may is in docs/formats/import.md.
ALLOWED = {"instructions": 0.01, "references": 0.01, "first-level misses": 0.1, "last-level misses": 1.0}
# In a program of a few thousand references a few store-exclusives are more than that.
ALWAYS = {"references": 8}


def read(path):
    with open(path, encoding="utf-8") as file:
        totals = json.load(file)["totals"]
    return {
        "instructions": totals["instructions"],
        "references": sum(totals["references"].values()),
        "first-level misses": sum(totals["levels"][0]["misses"].values()),
        "last-level misses": sum(totals["levels"][-1]["misses"].values()),
    }


def main():
    live, imported = read(sys.argv[1]), read(sys.argv[2])
    off = {name: 100 * (imported[name] - live[name]) / max(live[name], 1) for name in live}
    good = all(abs(off[name]) <= ALLOWED[name] or abs(imported[name] - live[name]) <= ALWAYS.get(name, 0) for name in live)
    if not good:
        for name in live:
            print(f"{name:20}{live[name]:14,}{imported[name]:14,}{off[name]:12.4f} %{ALLOWED[name]:8} %")
    sys.exit(not good)


main()
