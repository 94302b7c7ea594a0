"""Compares estimated times of phases with measured ones.

A program of which less than LITTLE of the measured time is stall counts for times of phases only: shares of almost
nothing are noise.
"""
import collections
import math

LITTLE = 0.05
APART = 0.02    # shares of the stall that differ by less are in no order

Figures = collections.namedtuple("Figures", "programs judged worst strict pairs ordered share_error time_factor bias fixes fix_factor")


def shares(times):
    stall = sum(s for _, s in times.values())
    return {phase: s / stall if stall > 0 else 0 for phase, (_, s) in times.items()}


def waits(real):
    return sum(s for _, s in real.values()) >= LITTLE * sum(t for t, _ in real.values())


def names_worst(real, estimate):
    """Whether the phase with the most estimated stall has the most measured stall, or almost."""
    truth, guess = shares(real), shares(estimate)
    named = max(guess, key=guess.get)
    return guess[named] > 0 and truth[named] >= max(truth.values()) - APART


def names_worst_exactly(real, estimate):
    truth, guess = shares(real), shares(estimate)
    named = max(guess, key=guess.get)
    return guess[named] > 0 and truth[named] == max(truth.values())


def ordered_pairs(real, estimate):
    """(pairs in the right order, pairs that have an order)"""
    truth, guess = shares(real), shares(estimate)
    names = list(truth)
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1:] if abs(truth[a] - truth[b]) > APART]
    return sum((truth[a] - truth[b]) * (guess[a] - guess[b]) > 0 for a, b in pairs), len(pairs)


def share_errors(real, estimate):
    truth, guess = shares(real), shares(estimate)
    return [abs(truth[p] - guess[p]) for p in truth]


def log_ratio(estimate, real):
    """Of two times; one that was not seen at all counts as a thousandth."""
    return math.log(max(estimate, real / 1000) / real)


def speedup(times, fix):
    after = times[fix.after][0] / fix.work
    return times[fix.before][0] / after if after > 0 else math.inf


def mean(values):
    return sum(values) / len(values) if values else math.nan


def factor(logs):
    return math.exp(mean([abs(x) for x in logs])) if logs else math.nan


def judge(cases):
    """cases: [(program, measured times, estimated times)]"""
    judged = [c for c in cases if waits(c[1])]
    pairs = [ordered_pairs(real, estimate) for _, real, estimate in judged]
    logs = [log_ratio(estimate[p][0], real[p][0]) for _, real, estimate in cases for p in real]
    fixes = [log_ratio(speedup(estimate, fix), speedup(real, fix)) for program, real, estimate in cases for fix in program.fixes]
    return Figures(len(cases), len(judged), sum(names_worst(real, estimate) for _, real, estimate in judged),
                   sum(names_worst_exactly(real, estimate) for _, real, estimate in judged),
                   sum(n for _, n in pairs), sum(n for n, _ in pairs),
                   mean([e for _, real, estimate in judged for e in share_errors(real, estimate)]),
                   factor(logs), math.exp(mean(logs)) if logs else math.nan, len(fixes), factor(fixes))
