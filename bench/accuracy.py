"""The page and pictures of bench/accuracy.

accuracy.py length DB RATIO N                     how long windows must be for N of them
accuracy.py page FOLDER RATIO WINDOW OPTIONS      from NAME.db, and NAME.SIZE.SEED.json of memspy accuracy, in this folder
"""
import glob
import json
import math
import os
import sqlite3
import sys
from fractions import Fraction

from plot import lines

SIZES = ["16 KB", "128 KB", "1 MB", "32 MB"]
BYTES = [16 << 10, 128 << 10, 1 << 20, 32 << 20]
GUESSES = ["run", "stitched", "half", "dead", "data-dead"]


def percent(value, digits=3):
    return "-" if value is None or math.isnan(value) else f"{100 * value:.{digits}f}"


def relative(value, truth):
    return math.nan if value is None or not truth else (value - truth) / truth


# --- what the databases have ---

def runs(db, tag):
    """In the order of the machines."""
    return [r[0] for r in db.execute("select id from run where tag = ? order by id", (tag,))]


def whole_rate(db, run):
    misses = db.execute("select sum(first + replaced) from miss where run = ? and level = 0", (run,)).fetchone()[0] or 0
    return misses / references(db, run)


def references(db, run):
    return db.execute("select sum(refs) from cell where run = ?", (run,)).fetchone()[0]


def in_windows(db, run):
    """The true miss rate in the windows that a run has as phases; with how many windows."""
    row = db.execute("select phase.refs, phase_miss.misses, phase.times from phase left join phase_miss on phase_miss.run = phase.run and phase_miss.phase = phase.phase "
                     "and level = 0 where phase.run = ? and name = 'window'", (run,)).fetchone()
    return (row[1] or 0) / row[0], row[2]


def sampled_sums(db, run):
    known, hits, misses = db.execute("select coalesce(sum(known), 0), coalesce(sum(unknown_hits), 0), coalesce(sum(unknown_misses), 0) from sampled_miss "
                                     "where run = ? and level = 0", (run,)).fetchone()
    windows, seen, scale = db.execute("select windows, refs, scale from sampling where run = ?", (run,)).fetchone()
    frames, met = db.execute("select frames, unknown from sampled_level where run = ? and level = 0", (run,)).fetchone()
    dead, whole, generations = db.execute("select coalesce(sum(dead), 0), coalesce(sum(whole), 0), coalesce(sum(generations), 0) from sampled_life "
                                          "where run = ? and level = 0", (run,)).fetchone()
    return {"known": known, "unknown": hits + misses, "windows": windows, "seen": seen, "frames": frames, "met": met / max(windows, 1),
            "dead": dead / whole if whole else math.nan, "generations": generations}


def mu_dead(share, frames, met):
    """As analysis/confidence_intervals/miss_rate_estimators.c has it."""
    mu = (share * frames - (frames - met)) / met if 0 < met < frames else share
    return max(0, min(1, mu)) if not math.isnan(mu) else mu


# --- the studies ---

def read_programs():
    programs = {}
    for path in sorted(glob.glob("*.db")):
        name = path[:-3]
        accuracies = {}
        for file in glob.glob(f"{name}.*.*.json"):
            _, size, seed, _ = file.split(".")
            accuracies[int(size) - 1, int(seed)] = json.load(open(file))
        if accuracies:
            programs[name] = (sqlite3.connect(path), accuracies)
    return programs


def guess_of(accuracy, name):
    return next(e for e in accuracy["levels"][0]["estimates"] if e["name"] == name)


def by_number(db):
    """(windows, mean relative error of the true rate in them) for each number of windows."""
    truth = whole_rate(db, runs(db, "whole")[1])
    points = []
    for number in (3, 10, 30, 100, 300):
        found = [in_windows(db, run) for seed in (1, 2) for run in runs(db, f"number-{number}-{seed}")]
        if found and truth > 0:
            points.append((sum(n for _, n in found) / len(found), sum(abs(relative(r, truth)) for r, _ in found) / len(found)))
    return points


def by_length(db, guess):
    """(length, relative error of an estimator against the true rate in the windows), 1 MB."""
    points = []
    for length in (30000, 100000, 300000, 1000000, 3000000, 8000000):
        sampled, phases = runs(db, f"length-{length}-sampled"), runs(db, f"length-{length}-phases")
        if not sampled or not phases:
            continue
        truth, s = in_windows(db, phases[0])[0], sampled_sums(db, sampled[0])
        rate = whole_rate(db, sampled[0]) if guess == "run" else (s["known"] + 0.5 * s["unknown"]) / s["seen"]
        if truth > 0:
            points.append((length, abs(relative(rate, truth))))
    return points


def by_size(db, accuracies, guess):
    """(bytes, relative error against the true rate in the windows)."""
    points = []
    for size, run in enumerate(runs(db, "phases-1")):
        truth = in_windows(db, run)[0]
        if truth > 0 and (size, 1) in accuracies:
            points.append((BYTES[size], abs(relative(guess_of(accuracies[size, 1], guess)["rate"], truth))))
    return points


# --- the page ---

def table(out, head, rows):
    out.append("| " + " | ".join(head) + " |")
    out.append("| --- " * len(head) + "|")
    out.extend("| " + " | ".join(str(cell) for cell in row) + " |" for row in rows)
    out.append("")


def rates(out, programs):
    out.append("## Miss rates, true and estimated\n\n128 KB (the paper's Table 3). *In windows*: the true rate of the simulated references, the best that a sample could show.\n")
    rows = []
    for name, (db, accuracies) in programs.items():
        a = accuracies[1, 1]
        rows.append((name, a["windows"], percent(a["levels"][0]["true"]), percent(in_windows(db, runs(db, "phases-1")[1])[0]),
                     percent(guess_of(a, "run")["rate"]), percent(guess_of(a, "half")["rate"])))
    table(out, ("program", "windows", "true", "true in windows", "estimated", "with μ = 0.5"), rows)


def unknown(out, programs):
    out.append("## Unknown references\n\n1 MB (Tables 4 and 5). *μ*: the share of the unknown references that miss. *All*: from the dead time of "
               "all of the program's lines; *G*: generations in a window for each line of the cache, below 1 there is little evidence. Errors are relative to the true rate in the windows, in per cent.\n")
    mus, errors = [], []
    for name, (db, accuracies) in programs.items():
        a, truth = accuracies[2, 1], in_windows(db, runs(db, "phases-1")[2])[0]
        s, everything = sampled_sums(db, runs(db, "sampled-1")[2]), sampled_sums(db, runs(db, "all")[0])
        actual = (truth * s["seen"] - s["known"]) / s["unknown"] if s["unknown"] else math.nan
        mus.append((name, percent(s["unknown"] / s["seen"], 2), f"{actual:.3f}", f"{mu_dead(everything['dead'], s['frames'], s['met']):.3f}")
                   + tuple("-" if guess_of(a, g)["mu"] is None else f"{guess_of(a, g)['mu']:.3f}" for g in ("dead", "data-dead", "stitched", "run"))
                   + (f"{a['levels'][0]['generations_each']:.2f}",))
        cells = [name, percent(truth)]
        for guess in ("dead", "data-dead", "half", "stitched", "run"):
            rate = guess_of(a, guess)["rate"]
            cells += [percent(rate), percent(relative(rate, truth), 1)]
        errors.append(cells)
    table(out, ("program", "unknown %", "actual μ", "μ' (all)", "μ'", "μ' by data", "stitched", "run", "G"), mus)
    table(out, ("program", "true in windows", "μ'", "error", "μ' by data", "error", "μ = 0.5", "error", "stitched", "error", "run", "error"), errors)


def order(a):
    said = f"{a['in_order']} of {len(a['bins'])}"
    return said + (f", {a['swapped']} swapped, {a['unmet']} not seen, {a['wrong']} wrong" if a["swapped"] else "")


def sizes(out, programs):
    inside = cases = 0
    worst = {}
    for size, text in enumerate(SIZES):
        rows = []
        for name, (_, accuracies) in programs.items():
            for (at, seed), a in sorted(accuracies.items()):
                if at != size:
                    continue
                level = a["levels"][0]
                guess = {g: guess_of(a, g) for g in GUESSES}
                cases += 1
                inside += bool(level["inside"])
                for g in GUESSES:
                    if guess[g]["error"] is not None:
                        worst.setdefault((size, g), []).append(abs(guess[g]["error"]))
                rows.append((name, a["windows"], percent(level["true"]), percent(guess["run"]["rate"]), percent(guess["run"]["error"]), percent(guess["run"]["relative_error"], 1),
                             f"{percent(level['low'])} to {percent(level['high'])}", "yes" if level["inside"] else "no", order(a))
                            + tuple(percent(guess[g]["error"]) for g in GUESSES[1:]) + (f"{level['generations_each']:.2f}",))
        out.append(f"## {text}\n")
        table(out, ("program", "windows", "true", "sampled", "error", "relative %", "interval", "inside", "order", "stitched", "μ = 0.5", "μ'", "μ' by data", "G"), rows)
    out.append("## Estimators compared\n\nMean and largest error in points over the programs, and for how many programs there is one.\n")
    table(out, ["cache"] + GUESSES, [[text] + [f"{percent(sum(e) / len(e))}, {percent(max(e))} ({len(e)})" if (e := worst.get((size, g))) else "-" for g in GUESSES]
                                     for size, text in enumerate(SIZES)])
    out.append(f"The true miss rate lies in the interval in {inside} of {cases} runs.\n")


def causes(out, programs):
    out.append("## Causes\n\n128 KB, shares of the misses in per cent. *Not seen*: replaced between windows by unknown data.\n")
    rows = []
    for name, (_, accuracies) in programs.items():
        level = accuracies[1, 1]["levels"][0]
        rows.append([name] + [percent(level[key], 1) for key in ("first", "sampled_first", "replaced", "sampled_replaced", "not_seen")])
    table(out, ("program", "first uses", "sampled", "replaced", "sampled", "not seen"), rows)


def draw(folder, programs):
    def write(name, **picture):
        open(os.path.join(folder, name), "w").write(lines(**picture))
    write("sampling-number.svg", title="Relative error of the true rate in the windows, by their number", x="windows", y="relative error, %",
          series={n: [(x, 100 * y) for x, y in by_number(db)] for n, (db, _) in programs.items()})
    for guess, file, what in (("half", "sampling-size-half.svg", "μ = 0.5"), ("run", "sampling-size.svg", "as runs have it")):
        write(file, title=f"Relative error by cache size ({what})", x="bytes of the cache", y="relative error, %", binary=True,
              series={n: [(x, 100 * y) for x, y in by_size(db, a, guess)] for n, (db, a) in programs.items()})
    for guess, file, what in (("half", "sampling-length-half.svg", "μ = 0.5"), ("run", "sampling-length.svg", "as runs have it")):
        write(file, title=f"Relative error by length of the windows, 1 MB ({what})", x="references in a window", y="relative error, %",
              series={n: [(x, 100 * y) for x, y in by_length(db, guess)] for n, (db, _) in programs.items()})


def page(folder, ratio, window, options):
    programs = read_programs()
    out = ["# Accuracy: sampled runs by cache size and window length\n",
           f"Written by `make accuracy{' ACCURACY=' + repr(options) if options else ''}`: programs of `make bench`, {ratio} of their references in windows of {int(window):,} on average, one cache "
           "level of 8 ways and lines of 64 bytes, memory at 100 cycles. Miss rates in per cent; errors in points, unless they are called relative. *Interval*: 95 %, from the variation between windows and the error of the estimate for unknown "
           "references. *Order*: of the bins with 90 % of the stall time, those in the true order from the first on; how many pairs are swapped, how many of "
           "these have a bin that no window saw, and how many the sampled run claims to know (beyond the interval of the difference). The five estimators "
           "are those of [unknown references](../design/sampling-unknown.md#known-and-unknown-references); G: generations for each line of the cache in a window.\n"]
    rates(out, programs)
    out.append("## More windows\n\n128 KB, as many references in more and shorter windows, two seeds (the paper's Figure 5: the true rate in the windows against that of the "
               "program; unknown references do not matter here).\n\n![Relative error by number of windows](sampling-number.svg)\n")
    out.append("## Larger caches\n\nErrors relative to the true rate in the windows (Figure 7): with half of the unknown references missing, as in the paper, and as stored in runs.\n\n"
               "![Relative error by cache size, μ = 0.5](sampling-size-half.svg)\n\n![Relative error by cache size](sampling-size.svg)\n")
    out.append("## Longer windows\n\n1 MB, half of the references in longer and longer windows (Figure 9).\n\n"
               "![Relative error by length, μ = 0.5](sampling-length-half.svg)\n\n![Relative error by length](sampling-length.svg)\n")
    unknown(out, programs)
    causes(out, programs)
    sizes(out, programs)
    open(os.path.join(folder, "sampling.md"), "w").write("\n".join(out))
    draw(folder, programs)


def main():
    if sys.argv[1] == "length":
        db = sqlite3.connect(sys.argv[2])
        print(int(references(db, runs(db, "whole")[0]) * Fraction(sys.argv[3]) / int(sys.argv[4])))
    else:
        page(*sys.argv[2:6])


main()
