# Samples are attributed to the right data structure where blocks are allocated and freed all the time: by short threads, and by
# the allocator itself.
sample() {
	"$MEMSPY" sample --event timer --db runs.db --json -o "$1.json" "${@:2}" >/dev/null 2>"$1.err" || echo "$1: status $?"
	grep -vE '^memspy: (sampling took .* of the program.s time|[0-9]+ of [0-9]+ samples are lost)' "$1.err"
}
check() {
	python3 - "$1" <<'END' "$(cat)"
import json, sys
name, lines = sys.argv[1:]
report = json.load(open(name + ".json"))
hardware, bins = report["run"]["hardware"], report["bins"]
data = {d["name"]: d for d in report["data"]}
lost = {l["reason"]: l["samples"] for l in hardware["lost"]}
def samples(of=None, code=None):
    return sum(b["samples"] for b in bins if of in (None, b["data"]) and code in (None, b["code"]))
def codes(of):
    return {b["code"] for b in bins if b["data"] == of}
for line in lines.splitlines():
    if not eval(line):
        print("%s: not so: %s; %s" % (name, line, ([(b["code"], b["data"], b["samples"]) for b in bins], hardware)))
END
}

# Thousands of threads that live for a moment, four at a time, in arenas of their own: all blocks are recorded, none is taken for one that was
# freed, nothing is lost but what the thread was not itself at work in, or the address of (a load into its own base, in the libraries).
sample threads --rate 2000 "$PROGRAMS/stalls" threads 3000
check threads <<'END'
data["char.p"]["objects"] == 3000
hardware["samples"] > 8 and hardware["threads"] > 4
samples("<freed>") == 0
samples("char.p", "moment") > 0.9 * samples(None, "moment")
set(lost) <= {"memspy itself was at work for the thread", "in a system call", "the load has overwritten its own address"}
sum(lost.values()) < 0.3 * hardware["samples"]
END
check_allocates() {
	check allocates <<'END'
samples() - samples(None, "<page faults>") > 20
samples("<allocator>") > 0.5 * (samples() - samples(None, "<page faults>"))
codes("<allocator>") and "main" not in codes("<allocator>")
samples("<freed>") == 0 and not any(d.startswith("void") and n["samples"] for d, n in data.items())
sum(b["samples"] for b in bins if b["code"] == "main" and b["data"] != "main::blocks") == 0
END
}
# All blocks recorded.
sample allocates --rate 2000 "$PROGRAMS/allocates"
check_allocates
# Some recorded: where a signal takes milliseconds, 1 % of the time pays for too few samples.
for overhead in 1 5 25 50; do
	sample allocates --overhead "$overhead" "$PROGRAMS/allocates"
	check_allocates >said
	grep -qF 'not so: samples() - samples(None, "<page faults>") > 20' said || break
done
cat said
