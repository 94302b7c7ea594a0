"""Writes docs/accuracy/time.md."""
import datetime
import pathlib
import platform
import re

import compare
import tables

INTRODUCTION = """# Accuracy: time

Written by `{command}` on {date}: {processor}, {ghz:.2f} GHz. Programs of `bench/time` time their own phases. Each phase
also runs the same loop on data that fit in the first-level cache; the difference is its *stall*. Times are processor
time, the fastest of {repeats} runs or more. `make accuracy-time` repeats it; raw figures are in `{keep}`.

| source | what it is |
| --- | --- |
{sources}

- *Worst phase named*: the phase with the most estimated stall has the most measured stall of its program, or at most 2
  % of it less; *strictly*: it has the most. *Pairs in order*: of phases of a program whose shares of its stall are more than 2 % apart. *Share
  error*: mean of the differences of stall shares, in points. Programs with less than 5 % stall ({little}) are left out
  of these three.
- *Time off by*: the geometric mean of the factor between estimated and measured time of phases; *bias*: the same, with
  too long and too short compensating each other.
- *Speedups off by*: likewise, of the predicted speedups of fixes.
- No figure was fitted to the programs of the set *held-out*, but phases of two of them (streams, transposition) were
  looked at while the model was written, and results of earlier versions of the model were on this page.
  `bench/time/programs` has the rule that chose them.
"""

SOURCES = {
    "run": "`memspy run`, this machine as memspy knows it without calibration",
    "calibrated": "`memspy run --machine FILE`, where `memspy machine --calibrate` wrote the file",
    "windows": "`memspy run --sample 1/10`",
    "sample": "`memspy sample` by the timer, {rate} samples a second",
    "joined": "`memspy join` of these runs of `memspy run` and `memspy sample`: measured time, simulated causes",
}


def processor():
    try:
        cpu = pathlib.Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.machine()
    found = re.search(r"model name\s*: (.*)", cpu)
    part = re.search(r"CPU part\s*: (\w+)", cpu)
    parts = {"0xd0c": "Neoverse N1", "0xd40": "Neoverse V1", "0xd49": "Neoverse N2", "0xd4f": "Neoverse V2"}
    return found[1] if found else parts.get(part[1], f"CPU part {part[1]}") if part else platform.machine()


def phases(out, cases, sources, group):
    lists = [[c for c in cases[s] if c[0].set == group] for s in sources]
    if not lists or not lists[0]:
        return
    out.append(f"## Phases: {group}\n\nMilliseconds, and shares of the program's stall in per cent. *Ratio*: of estimated to measured time.\n")
    rows = [row for i, (program, real, _) in enumerate(lists[0]) for row in tables.phase_rows(program, real, [cs[i][2] for cs in lists])]
    out += tables.markdown(tables.phase_head(sources), rows)
    rows = [row for i, (program, real, _) in enumerate(lists[0]) for row in tables.fix_rows(program, real, [cs[i][2] for cs in lists])]
    out.append(f"\n## Fixes: {group}\n\nSpeedup of a phase by another that does the same work on data arranged in another way.\n")
    out += tables.markdown(["program", "fix", "measured"] + sources, rows)
    out.append("")


def whole_programs(out, whole):
    out.append("## Whole programs by function\n\nShares of user time: measured by `perf` (cpu-clock), and simulated by `memspy run`. *Distance*: how much "
               "of the time is in the wrong function, in points. Functions with at least 3 % in either are listed.\n")
    out += tables.markdown(tables.WHOLE, tables.whole_rows(whole))
    out.append("")
    out += tables.markdown(tables.FUNCTIONS, tables.function_rows(whole))
    out.append("")


def write(options, measured, cases, sources, whole, busy):
    clocks = [m["cycle_ns"] for m in measured.values()]
    little = sorted({p.name for p, real, _ in cases[sources[0]] if not compare.waits(real)})
    noisy = sorted(name for name, m in measured.items() if m["noisy"])
    out = [INTRODUCTION.format(
        command="make accuracy-time", date=datetime.date.today().isoformat(), processor=processor(), ghz=1 / min(clocks),
        repeats=options.repeats, keep="build/accuracy-time", little=", ".join(little) or "none",
        sources="\n".join(f"| {s} | {SOURCES[s].format(rate=options.rate)} |" for s in sources))]
    if noisy:
        out.append(f"Times of {', '.join(noisy)} varied by more than 10 %.\n")
    if busy is not None and abs(busy - 1) > 0.05:
        out.append(f"Other programs were running: right after each program was sampled, its phases took x{busy:.2f} of their measured time "
                   "without memspy. *sample* and *joined* contain this factor.\n")
    out.append("## Summary\n")
    out += tables.markdown(tables.SUMMARY, tables.summary_rows(cases, sources))
    out.append("")
    for group in tables.SETS:
        phases(out, cases, sources, group)
    if whole:
        whole_programs(out, whole)
    return "\n".join(out).rstrip("\n") + "\n"
