"""The programs of bench/time: their kinds and sets, and what comments at their beginning say about phases.

fix: BEFORE AFTER WORK     phase AFTER is a faster version of phase BEFORE and does WORK times as much
calls: PHASE PATTERN...    functions that only this phase calls: their time is part of its time
"""
import collections
import pathlib
import re

FOLDER = pathlib.Path(__file__).resolve().parent

Program = collections.namedtuple("Program", "name kind set source fixes calls")
Fix = collections.namedtuple("Fix", "before after work")


def read_source(path):
    head = path.read_text().split("*/")[0]
    fixes = [Fix(before, after, float(work)) for before, after, work in re.findall(r"fix: (\w+) (\w+) ([\d.]+)$", head, re.M)]
    calls = {phase: patterns.split() for phase, patterns in re.findall(r"calls: (\w+) (.+)$", head, re.M)}
    return fixes, calls


def read_list():
    for line in (FOLDER / "programs").read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            kind, name, group = line.split()
            source = next(FOLDER.glob(f"{name}.c*"))
            yield Program(name, kind, group, source, *read_source(source))


def choose(group, names):
    """Those of a set, or those named; a name that does not exist is an error."""
    every = {p.name: p for p in read_list()}
    unknown = [n for n in names if n not in every]
    if unknown:
        raise SystemExit(f"accuracy-time: no program '{unknown[0]}'; bench/time/programs lists them")
    return [p for p in every.values() if (p.name in names if names else group in ("all", p.set))]
