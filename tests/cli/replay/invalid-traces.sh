# Files that are no traces, or of another format than stated, are refused, and no run is stored.
exec 2>&1
"$MEMSPY" run -q --db live.db --trace good.trace -- "$PROGRAMS/walk"

try() {
	"$MEMSPY" replay --db none.db -m dash "$@"
	echo "exit status $?"
}

try
try one two
try missing.trace
try .
: >empty
try empty
try -f memspy empty
echo hello >foreign
try foreign
try -f lackey foreign
try -f memspy foreign
try -f zip foreign
printf '0 1000\n0 2000\n0 z\n' >bad.din
try bad.din -f din
{ cat good.trace | head -c 8; printf '\377\377\377\377'; tail -c +13 good.trace; } >newer.trace
try newer.trace
{ head -c 3000 good.trace; printf XXXX; tail -c +3005 good.trace; } >damaged.trace
try damaged.trace
# A chunk's head and the index: nothing leads to what follows.
python3 - good.trace <<'END'
import struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
at, = struct.unpack_from("<Q", data, len(data) - 16)
second, = struct.unpack_from("<Q", data, at + 32 + 8)
data[second] = 0
open("lost.trace", "wb").write(data[:-8] + b"XXXXXXXX")
END
try lost.trace
try - <good.trace
[ ! -e none.db ] || echo "a run was kept"
