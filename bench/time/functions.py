"""Whole programs by function: shares of time of a native profile and of memspy.

The native profile is perf's (cpu-clock, user mode, several runs), which knows nothing of memspy. Its samples are
addresses; each belongs to the nearest function before it among those that memspy reports. Programs are profiled
without debug information, where memspy's functions are those of the symbol table (inlined ones are not separate) or,
in programs without symbols, of the unwind tables.
"""
import bisect
import collections
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile

import native

BENCH = pathlib.Path(__file__).resolve().parent.parent
# Workloads of bench/workloads.
WORKLOADS = ("gzip-text", "bzip2", "xz", "sqlite3", "python3", "perl", "cc1", "solver", "graph", "mesh", "multigrid", "tri")
FREQUENCY = "10000"
SAMPLES, ROUNDS = 5000, 40    # profiles are repeated until there are so many samples, at most so often
SHOWN = 0.03    # functions with a smaller share in both are added up

MMAP = re.compile(r"PERF_RECORD_MMAP2? .*\[0x([0-9a-f]+)\(0x([0-9a-f]+)\) @ (0x[0-9a-f]+|0) .*\]: r-xp (\S+)")


def command_of(workload, build, folder):
    """The command line; None and the reason if it cannot be run here."""
    script = f'set -u; build={shlex.quote(str(build))}; . {shlex.quote(str(BENCH / "workloads"))}; command=() why=; workload_{workload}; ' \
             'printf "%s\\n" "$why" "${command[@]}"'
    out = subprocess.run(["bash", "-c", script], cwd=folder, check=True, capture_output=True, text=True).stdout.split("\n")[:-1]
    return (None, out[0]) if out[0] else (out[1:], None)


def without_debug_information(command, folder):
    """Inlined functions are functions for memspy, not for the native profile."""
    copy = folder / "bin" / pathlib.Path(command[0]).name
    copy.parent.mkdir(exist_ok=True)
    if subprocess.run(["strip", "-g", "-o", copy, command[0]], capture_output=True).returncode == 0:
        if "python" in copy.name:
            prefix = subprocess.run([command[0], "-c", "import sys; print(sys.prefix)"], check=True, capture_output=True, text=True).stdout.strip()
            os.environ["PYTHONHOME"] = prefix
        return [str(copy)] + command[1:]
    return command


def readelf(option, path):
    return subprocess.run(["readelf", option, path], capture_output=True, text=True).stdout


def segments_of(path):
    """[(offset in the file, bytes, address)] of its code."""
    return [(int(o, 16), int(n, 16), int(a, 16)) for o, a, n in
            re.findall(r"LOAD\s+(0x\w+) (0x\w+) 0x\w+ (0x\w+) 0x\w+ R E ", readelf("-lW", path))]


def debug_file(path):
    """Distributions keep symbols in files of their own, which memspy reads, too."""
    build_id = re.search(r"Build ID: (\w\w)(\w+)", readelf("-nW", path))
    return f"/usr/lib/debug/.build-id/{build_id[1]}/{build_id[2]}.debug" if build_id else None


def without_arguments(name):
    """As memspy writes a function of C++: neither arguments nor what it returns."""
    depth, end = 0, len(name)
    for i, c in enumerate(name):
        depth += (c == "<") - (c == ">")
        if c == "(" and depth == 0 and i > 0 and not name.startswith("(anonymous namespace)", i):
            end = i
            break
    depth, begin = 0, 0
    for i, c in enumerate(name[:end]):
        depth += (c == "<") - (c == ">")
        if c == " " and depth == 0 and "operator" not in name[:i]:
            begin = i + 1
    return name[begin:end].replace("> >", ">>")


def demangled(names):
    out = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True).stdout.split("\n")
    return {name: without_arguments(plain) for name, plain in zip(names, out)}


def symbol_addresses(path):
    found = {}
    for file in path, debug_file(path):
        if file and os.path.exists(file):
            for address, name in re.findall(r"^ *\d+: (\w+) +\S+ (?:FUNC|IFUNC) +\w+ +\w+ +\w+ (\S+)$", readelf("-sW", file), re.M):
                found.setdefault(name.split("@")[0], int(address, 16))
    plain = demangled(list(found))
    return {plain.get(name, name): address for name, address in found.items()}


def starts(path, names):
    """Sorted [(address, name)] of functions as memspy names them: a symbol, or FILE+0xADDRESS."""
    symbols, found = None, []
    for name in names:
        offset = re.fullmatch(r".*\+0x([0-9a-f]+)", name)
        if offset:
            found.append((int(offset[1], 16), name))
            continue
        symbols = symbol_addresses(path) if symbols is None else symbols
        plain = name.removeprefix("__GI_")
        address = symbols.get(name, symbols.get(plain, symbols.get("__" + plain)))
        if address is not None:
            found.append((address, name))
    return sorted(found)


def perf_samples(command, folder):
    """{file: {address in it: samples}}"""
    data, found = folder / "perf.data", collections.defaultdict(collections.Counter)
    subprocess.run(["perf", "record", "-q", "-e", "cpu-clock:u", "-F", FREQUENCY, "-o", data, "--", *command], cwd=folder,
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    out = subprocess.run(["perf", "script", "-i", data, "-F", "ip", "--show-mmap-events"], check=True, capture_output=True, text=True).stdout
    maps = []
    for line in out.splitlines():
        mapped = MMAP.search(line)
        if mapped:
            maps.append((int(mapped[1], 16), int(mapped[2], 16), int(mapped[3], 16), mapped[4]))
        elif re.fullmatch(r"\s*[0-9a-f]+\s*", line):
            address = int(line, 16)
            for begin, size, offset, path in reversed(maps):
                if begin <= address < begin + size:
                    found[path][address - begin + offset] += 1
                    break
    return found


def native_profile(command, folder, code):
    """{(file, function): share}, and user time in nanoseconds, of several runs."""
    totals, period = collections.Counter(), 1e9 / int(FREQUENCY)
    tables, segments, rounds = {}, {}, 0
    while rounds < ROUNDS and sum(totals.values()) < SAMPLES:
        rounds += 1
        for path, samples in perf_samples(command, folder).items():
            if path not in tables:
                real = os.path.realpath(path)
                names = [c["name"] for c in code if os.path.realpath(c["module"] or "") == real]
                tables[path], segments[path] = starts(path, names), segments_of(path)
            table = tables[path]
            for offset, count in samples.items():
                address = next((a + offset - o for o, n, a in segments[path] if o <= offset < o + n), offset)
                at = bisect.bisect_right(table, (address, "\uffff")) - 1
                totals[os.path.basename(path), table[at][1] if at >= 0 else "?"] += count
    samples = sum(totals.values())
    return {key: count / samples for key, count in totals.items()}, samples * period / rounds


def simulated_profile(code):
    cycles = collections.Counter()
    for c in code:
        cycles[os.path.basename(os.path.realpath(c["module"] or "")), c["name"]] += c["compute_cycles"] + c["stall_cycles"]
    total = sum(cycles.values())
    return {key: n / total for key, n in cycles.items()}, total


def measure(workload, options):
    """{native, simulated: {function: share}; native_ns, simulated_ns} or {why}"""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        command, why = command_of(workload, options.build.resolve(), folder)
        if command is None:
            return {"why": why}
        command = without_debug_information(command, folder)
        db = folder / "run.db"
        memspy = options.build.resolve() / "memspy"
        subprocess.run([memspy, "run", "-q", "--db", db, "--", *command], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        report = json.loads(subprocess.run([memspy, "report", "--db", db, "--json"], check=True, capture_output=True, text=True).stdout)
        real, ns = native_profile(command, folder, report["code"])
        simulated, cycles = simulated_profile(report["code"])
        return {"native": [[*k, v] for k, v in real.items()], "native_ns": ns,
                "simulated": [[*k, v] for k, v in simulated.items()], "simulated_ns": cycles * native.cycle_ns(options.build)}


def is_possible():
    return shutil.which("perf") is not None and shutil.which("readelf") is not None


def rows(workload, found):
    """Rows of the table of functions, and (distance of shares, whether the first function is the same, time ratio)."""
    real = {tuple(k): v for *k, v in found["native"]}
    guess = {tuple(k): v for *k, v in found["simulated"]}
    keys = sorted(set(real) | set(guess), key=lambda k: -real.get(k, 0))
    distance = sum(abs(real.get(k, 0) - guess.get(k, 0)) for k in keys) / 2
    same = max(real, key=real.get) == max(guess, key=guess.get)
    lines = [(workload, k[1], f"{100 * real.get(k, 0):.1f}", f"{100 * guess.get(k, 0):.1f}") for k in keys
             if max(real.get(k, 0), guess.get(k, 0)) >= SHOWN]
    return lines, (distance, same, found["simulated_ns"] / found["native_ns"])
