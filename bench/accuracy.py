"""accuracy.py RATIO WINDOW FILE...: the page of bench/accuracy, from what memspy accuracy --json has written."""
import json
import os
import sys

SIZES = ["16 KB", "128 KB", "1 MB", "32 MB"]


def percent(value, digits=3):
    return "-" if value is None else f"{100 * value:.{digits}f}"


def main():
    rows = {}
    for path in sys.argv[3:]:
        name, size, seed, _ = os.path.basename(path).split(".")
        rows.setdefault(int(size) - 1, []).append((name, int(seed), json.load(open(path))))
    inside = runs = 0
    print("# How near samples come to the truth\n")
    print(f"Written by `make accuracy`: programs of `make bench`, {sys.argv[1]} of their references in windows of {sys.argv[2]} on average, one cache level of "
          "8 ways and lines of 64 bytes, memory at 100 cycles. Miss rates in per cent; errors in points of them. *Interval*: 95 %, with all unknown "
          "references taken for hits, or for misses. *Order*: of the bins with 90 % of the stall time, those in the true order from the first on. The five ways to "
          "guess are those of [sampling](../design/sampling.md); G: lines that came and left for each line of the cache in a window.\n")
    worst = {}
    for size in sorted(rows):
        print(f"## {SIZES[size]}\n")
        print("| program | windows | true | sampled | error | relative % | interval | inside | order | stitched | μ = 0.5 | μ' | μ' by data | G |")
        print("| --- " * 14 + "|")
        for name, _, r in sorted(rows[size], key=lambda row: row[:2]):
            level = r["levels"][0]
            guess = {e["name"]: e for e in level["estimates"]}
            runs += 1
            inside += level["inside"]
            for key, e in guess.items():
                if e["error"] is not None:
                    worst.setdefault((size, key), []).append(abs(e["error"]))
            print(f"| {name} | {r['windows']} | {percent(level['true'])} | {percent(guess['run']['rate'])} | {percent(guess['run']['error'])} "
                  f"| {percent(guess['run']['relative_error'], 1)} | {percent(level['low'])} to {percent(level['high'])} | {'yes' if level['inside'] else 'no'} "
                  f"| {r['in_order']} of {len(r['bins'])} | {percent(guess['stitched']['error'])} | {percent(guess['half']['error'])} "
                  f"| {percent(guess['dead']['error'])} | {percent(guess['data-dead']['error'])} | {level['generations_each']:.2f} |")
        print()
    print("## Guesses compared\n\nMean and largest error in points over the programs.\n")
    keys = ["run", "stitched", "half", "dead", "data-dead"]
    print("| cache | " + " | ".join(keys) + " |\n" + "| --- " * 6 + "|")
    for size in sorted(rows):
        cells = []
        for key in keys:
            errors = worst.get((size, key), [])
            cells.append(f"{percent(sum(errors) / len(errors))}, {percent(max(errors))} ({len(errors)})" if errors else "-")
        print(f"| {SIZES[size]} | " + " | ".join(cells) + " |")
    print(f"\nThe true miss rate lies in the interval in {inside} of {runs} runs.")


main()
