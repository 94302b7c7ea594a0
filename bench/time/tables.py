"""Tables of bench/accuracy-time: compact text for the terminal, Markdown for docs/accuracy/time.md."""
import compare
import functions

SETS = ("fit", "held-out")


def summary_rows(cases, sources):
    """cases: {source: [(program, real, estimate)]}"""
    for source in sources:
        for group in SETS:
            chosen = [c for c in cases[source] if c[0].set == group]
            if chosen:
                f = compare.judge(chosen)
                yield (source, group, f.programs, f"{f.worst} of {f.judged}", f.strict, f"{f.ordered} of {f.pairs}", f"{100 * f.share_error:.1f}",
                       f"x{f.time_factor:.2f}", f"x{f.bias:.2f}", f"x{f.fix_factor:.2f} ({f.fixes})")


SUMMARY = ("source", "set", "programs", "worst phase named", "strictly", "pairs in order", "share error", "time off by", "bias", "speedups off by")


def phase_rows(program, real, estimates):
    truth = compare.shares(real)
    for phase, (ns, stall) in real.items():
        row = [program.name, phase, f"{ns / 1e6:.1f}", f"{stall / 1e6:.1f}", f"{100 * truth[phase]:.0f}"]
        for estimate in estimates:
            share = compare.shares(estimate)
            row += [f"{estimate[phase][0] / 1e6:.1f}", f"{estimate[phase][1] / 1e6:.1f}", f"{100 * share[phase]:.0f}",
                    f"{estimate[phase][0] / ns:.2f}"]
        yield row


def phase_head(sources):
    head = ["program", "phase", "ms", "stall", "%"]
    for source in sources:
        head += [source, "stall", "%", "ratio"]
    return head


def fix_rows(program, real, estimates):
    for fix in program.fixes:
        yield [program.name, f"{fix.before} -> {fix.after}", f"{compare.speedup(real, fix):.2f}"] + \
              [f"{compare.speedup(e, fix):.2f}" for e in estimates]


FUNCTIONS = ("program", "function", "measured %", "simulated %")
WHOLE = ("program", "first function", "distance of shares", "simulated / measured time")


def function_rows(whole):
    for workload, found in whole.items():
        if "why" not in found:
            yield from functions.rows(workload, found)[0]


def whole_rows(whole):
    for workload, found in whole.items():
        if "why" in found:
            yield (workload, found["why"], "", "")
        else:
            distance, same, ratio = functions.rows(workload, found)[1]
            yield (workload, "the same" if same else "another", f"{100 * distance:.1f}", f"{ratio:.2f}")


def text(head, rows):
    """Columns that are as wide as their contents; the first two are names."""
    rows = [[str(cell) for cell in row] for row in rows]
    width = [max(len(row[i]) for row in [list(head)] + rows) for i in range(len(head))]
    for row in [list(head)] + rows:
        yield "  ".join(cell.ljust(w) if i < 2 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, width))).rstrip()


def markdown(head, rows):
    yield "| " + " | ".join(head) + " |"
    yield "| --- " * len(head) + "|"
    for row in rows:
        yield "| " + " | ".join(str(cell) for cell in row) + " |"
