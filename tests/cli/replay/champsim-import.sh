# ChampSim traces are imported: 1,000 instructions that read 8 bytes each, one after the other, then write to the same line.
. "$SRC/tests/cli/run/lib.bash"
python3 - <<'END' >trace.champsim
import struct, sys
for i in range(1000):
    sys.stdout.buffer.write(struct.pack("<QBB6x2Q4Q", 0x400000, 0, 0, 0, 0, 0x10000 + 8 * i, 0, 0, 0))
    sys.stdout.buffer.write(struct.pack("<QBB6x2Q4Q", 0x400004, 1, i % 2, 0x20000, 0, 0x20000, 0, 0, 0))
END
"$MEMSPY" replay -q --db runs.db --l1 4K,4,64 --json -o champsim.json trace.champsim || fail "exit status $?"
expect champsim <<'END'
report['run']['frontend'] == 'champsim'
total.instructions == 2000
total.refs == 2000
code('0x400000').refs == 1000
code('0x400000').misses == 125
code('0x400004').refs == 1000
code('0x400004').misses == 1
END
finish
