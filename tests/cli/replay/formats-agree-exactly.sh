# cachegrind, a live run and its traces in lackey, Dinero and ChampSim format have exactly the same instructions, reads, writes,
# first-level and last-level misses of one program.
. "$SRC/tests/cli/run/lib.bash"
valgrind=$(command -v valgrind.bin || command -v valgrind)
# The options before --tool: see tests/cli/run/matches-cachegrind.sh.
under=("$valgrind" --vex-guest-chase=no)
machine=(--l1 4K,2,64 --ll 32K,4,64)

replay() {
	"$MEMSPY" replay -q --db runs.db "${machine[@]}" --json -o "$1.json" "${@:2}" || fail "$1: exit status $?"
}

# lackey's trace as Dinero has it; an instruction that reads and writes is MODIFIED.
to_din() {
	awk -v modified="$1" '{ split($2, part, ",") }
		$1 == "I" { print 2, part[1] }
		$1 == "L" || $1 == "M" { print 0, part[1] }
		$1 == "S" || $1 == "M" && modified == "read and write" { print 1, part[1] }' "$2"
}

# compare NAME PROGRAM: what all formats have; Dinero has no sizes
compare() {
	"${under[@]}" --tool=lackey --trace-mem=yes --log-file="$1.lackey" "$2" || fail "$1: lackey, exit status $?"
	"${under[@]}" --tool=cachegrind --cache-sim=yes --I1=32768,8,64 --D1=4096,2,64 --LL=32768,4,64 \
		--cachegrind-out-file="$1.cg" "$2" 2>/dev/null || fail "$1: cachegrind, exit status $?"
	"$MEMSPY" run -q --frontend valgrind --db runs.db "${machine[@]}" --trace "$1.trace" --json -o "$1-live.json" -- "$2" ||
		fail "$1: exit status $?"
	replay "$1-lackey" "$1.lackey"
	replay "$1-own" "$1.trace"
	python3 "$SRC/tests/cli/replay/formats-agree-exactly.py" "$1.cg" "$1-live.json" "$1-lackey.json" "$1-own.json" || fail "$1: see above"
}

compare bare "$PROGRAMS/bare"
to_din read bare.lackey >bare.din
replay bare-din bare.din
replay bare-din-workers --workers 3 bare.din
python3 "$SRC/tests/cli/replay/formats-agree-exactly.py" bare.cg bare-din.json bare-din-workers.json || fail "din: see above"
# As a read and a write the references are more, and the misses the same: the write finds what was just read.
to_din 'read and write' bare.lackey >twice.din
replay twice twice.din
python3 "$SRC/tests/cli/replay/formats-agree-exactly.py" --misses bare.cg twice.json || fail "din, twice: see above"

# As ChampSim's tracers have it: a record for each instruction, with what it reads and writes.
python3 - bare.lackey bare.champsim <<'END'
import struct, sys

records = []
for line in open(sys.argv[1], encoding="ascii", errors="replace"):
    kind, _, where = line.strip().partition(" ")
    if kind == "I":
        records.append((int(where.strip().split(",")[0], 16), [], []))
    elif kind in ("L", "S", "M"):
        address = int(where.strip().split(",")[0], 16)
        if kind != "S":
            records[-1][1].append(address)
        if kind != "L":
            records[-1][2].append(address)
with open(sys.argv[2], "wb") as out:
    for ip, reads, writes in records:
        out.write(struct.pack("<Q8x2Q4Q", ip, *(writes + [0] * 2)[:2], *(reads + [0] * 4)[:4]))
END
replay bare-champsim bare.champsim
python3 "$SRC/tests/cli/replay/formats-agree-exactly.py" bare.cg bare-champsim.json || fail "champsim: see above"

# References on two lines are one each, and miss once at most.
build bare -DCROSS -O1 -static -nostdlib -ffreestanding -fno-stack-protector
compare crossing ./bare
finish
