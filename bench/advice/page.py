"""Writes the results of bench/accuracy-advice as a Markdown page."""
import datetime

WITHIN = 1.5
# Changes that gain less are within the noise: on this machine they are no remedy.
LEAST_GAIN = 0.1
HIGH_LOAD = 1.5
# Of programs with several threads: runs for each that counts. Threads on fewer processors than this ran in turn.
ATTEMPTS = 6
AT_ONCE = 1.4

HEAD = """# Accuracy: findings

Written by `make accuracy-advice` on {date}: {processor}, {processors} processors. Programs of `bench/advice` are built
before and after a change. The build before runs under `memspy run --machine {machine}`{origin}, and
`memspy advise` gives its findings; both builds run without memspy, {rounds} times in turn (`memspy verify`).
[Figures of an aarch64 machine](advice-neoverse-v1.md).

- *Right*: the first finding has the kind and the data of the change. A program whose first finding is another one counts
  as wrong, even if the expected one is second.
- *Measured gain*: share of the processor time that the change saves: of the fastest rounds. Programs with several
  threads run {attempts} times as often; of those runs in which most threads ran at the same time, the median counts, since
  threads that run one after the other do not disturb each other.
- *Within x{within}*: the predicted gain of a right finding is within this factor of the measured one, in either direction.
  *In bounds*: the measured gain is between the bounds of the prediction.
- Programs of the set *fit* were used while the rules were written, and constants were adjusted to them. Programs of the
  set *held-out* were written after that. Those of the set *textbook* are loops as textbooks have them; rules were
  changed so that the kind of their first finding is right, but no constant was adjusted to their gains.
- *Gain of {least} % or more*: without the pairs whose change gains less than that on this machine.
"""


def percent(part, whole):
    return f"{part} of {whole} ({100 * part / whole:.0f} %)" if whole else "-"


def pairs(results):
    return [r for r in results if r["set"] != "tuned"]


def is_within(r):
    return r["ratio"] is not None and r["ratio"] <= WITHIN


def is_in_bounds(r):
    return r["predicted"] is not None and r["gain"] is not None and r["predicted"]["low"] <= r["gain"] <= r["predicted"]["high"]


def row(cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def table(head, rows):
    return "\n".join([row(head), row(["---"] * len(head))] + [row(r) for r in rows]) + "\n"


def sums(label, some):
    right = [r for r in some if r["right"]]
    return [label, len(some), percent(len(right), len(some)), percent(sum(map(is_within, right)), len(right)),
            percent(sum(map(is_within, some)), len(some)), percent(sum(map(is_in_bounds, right)), len(right))]


def summary(results):
    of = pairs(results)
    sets = [("all", of)] + [(name, [r for r in of if r["set"] == name]) for name in ("fit", "held-out", "textbook")]
    sets.append((f"gain of {100 * LEAST_GAIN:.0f} % or more", [r for r in of if r["gain"] is not None and r["gain"] >= LEAST_GAIN]))
    head = ["set", "pairs", "right", f"within x{WITHIN}, of right ones", f"within x{WITHIN}, of all", "in bounds, of right ones"]
    return table(head, [sums(name, some) for name, some in sets if some])


def by_kind(results):
    of = pairs(results)
    kinds = sorted({r["kind"] for r in of})
    return table(["kind", "pairs", "right", f"within x{WITHIN}"],
                 [[kind, len(some), sum(r["right"] for r in some), sum(map(is_within, some))]
                  for kind in kinds for some in [[r for r in of if r["kind"] == kind]]])


def share(value):
    return "-" if value is None else f"{value:.2f}"


def first(r):
    if not r["findings"]:
        return "none"
    return f"{r['findings'][0]['kind']}: `{r['findings'][0]['data'] or '-'}`"


def pair_row(r):
    p = r["predicted"]
    seconds = [f"{r['native'][side]['fastest_seconds']:.3f}" for side in ("before", "after")]
    bounds = f"{p['low']:.2f} to {p['high']:.2f}" if p else "-"
    ratio = "-" if r["ratio"] is None else f"x{r['ratio']:.2f}"
    return [r["name"], r["set"], r["kind"], first(r), "yes" if r["right"] else "**no**", *seconds, share(r["gain"]),
            share(p["predicted"] if p else None), bounds, ratio]


def tuned(results):
    some = [r for r in results if r["set"] == "tuned"]
    without = sum(not r["findings"] for r in some)
    rows = [[r["name"], first(r), share(r["findings"][0]["gain"]["predicted"]) if r["findings"] else "-", share(r["gain"])] for r in some]
    return (f"Without a finding: {percent(without, len(some))}. `multigrid` is the case study of a machine of 2004, whose change "
            "makes the program\nslower on this one.\n\n" + table(["program", "first finding", "predicted", "measured"], rows))


def turns_note(results):
    names = [f"`{r['name']}`" for r in results if r["native"] and r["native"]["before"].get("processors", AT_ONCE) < AT_ONCE]
    return f"Threads of {', '.join(names)}\nhardly ran at the same time, so that their measured gain says little.\n\n" if names else ""


def load_note(results):
    natives = [r["native"] for r in results if r["native"]]
    if natives and all(native.get("first") for native in natives):
        return ("Measured programs ran before all others (`SCHED_FIFO`), so that threads ran at the same time. Load averages were "
                f"{min(n['load'] for n in natives):.1f} to\n{max(n['load'] for n in natives):.1f}: the use of shared caches and of "
                "memory bandwidth by other programs is in the measured times.\n\n")
    loads = [r["native"]["load"] for r in results if r["native"] and r["native"]["load"] is not None]
    if loads and max(loads) >= HIGH_LOAD:
        return (f"Other programs were running: load averages before measuring were {min(loads):.1f} to {max(loads):.1f}. Their use of "
                "shared caches and\nof memory bandwidth is in the measured times.\n\n")
    return ""


def write(results, about):
    about = dict(about, date=datetime.date.today().isoformat(), within=WITHIN, attempts=ATTEMPTS, least=f"{100 * LEAST_GAIN:.0f}")
    rounds = sorted({r["native"]["rounds"] for r in results if r["native"] and "rounds" in r["native"]})
    about["rounds"] = " to ".join(str(n) for n in dict.fromkeys(rounds[:1] + rounds[-1:]))
    about["origin"] = " (of `memspy machine --calibrate`)" if about["machine"].endswith(".ini") else ""
    parts = [HEAD.format(**about), load_note(results), turns_note(results)]
    if pairs(results):
        parts += ["## Summary\n\n", summary(results), "\n## By kind\n\n", by_kind(results), "\n## Pairs\n\n",
                  "Times are the fastest, in seconds.\n\n",
                  table(["pair", "set", "expected", "first finding", "right", "before", "after", "measured", "predicted", "bounds", "off by"],
                        [pair_row(r) for r in sorted(pairs(results), key=lambda r: (r["kind"], r["name"]))])]
    parts += ["\n## Well-tuned programs\n\n", tuned(results)]
    return parts[0] + "\n" + "".join(parts[1:])
