# memspy machine calibrate writes a valid machine file that says how it was measured; the measured figures are not checked.
. "$SRC/tests/cli/run/lib.bash"
"$MEMSPY" machine --calibrate --force -o host.ini >out 2>err || fail "exit status $?: $(cat err)"
[ ! -s out ] || fail "-o: on standard output: $(cat out)"
"$MEMSPY" machine check host.ini >check.out 2>&1 || fail "check: $(cat check.out)"
grep -Eq "^source = measured on this machine on [0-9-]*( while it was not quiet)?, geometry " host.ini || fail "source: $(cat host.ini)"
grep -q '^# by definition; a hit measured: [0-9.]* cycles ([0-9.]*\.\.[0-9.]* over 9 rounds), [0-9.]* ns$' host.ini ||
	fail "the first level: $(cat host.ini)"
levels=$(grep -c '^\[level' host.ini)
[ "$(grep -B1 '^latency\|^\[memory' host.ini | grep -c '^# \(measured: [0-9]* cycles ([0-9]*\.\.[0-9]* over [0-9] rounds\?), \([0-9.]* ns, in [0-9.]* [KMG]iB of .*\(pages\|translation included\)\|in its usable part\)\|assumed: \)')" = "$levels" ] ||
	fail "not each latency says how it came about: $(cat host.ini)"
grep -q '^core = out-of-order$' host.ini || fail "no core: $(cat host.ini)"
for key in ipc clock; do
	grep -B1 "^$key = " host.ini | grep -q '^# measured: [0-9.]* ([0-9.]*\.\.[0-9.]* over [0-9] rounds\?)$' || fail "$key: $(cat host.ini)"
done
for key in window store-buffer bandwidth distance entries outstanding page huge-pages; do
	grep -q "^$key = " host.ini || fail "no $key: $(cat host.ini)"
done
grep -q '^memspy: core, round 3: ' err || fail "rounds: $(cat err)"
[ "$(grep -c '^memspy: .*: [0-9.]* ns, [0-9.]* cycles ([0-9.]*\.\.[0-9.]*), a walk through\|cannot be distinguished' err)" = $((levels + 1)) ] ||
	fail "progress: $(cat err)"
awk '$1 == "latency" { if ($3 < before || (n++ > 0 && $3 < 1)) exit 1; before = $3 } END { exit n < 2 }' host.ini ||
	fail "the latencies are not in order: $(cat host.ini)"

awk '$1 == "latency" && !memory { last = $3 } /^\[memory/ { memory = 1 } $1 == "peer-latency" { peer = $3 } END { exit !(peer >= last) }' host.ini ||
	fail "another processor's cache is nearer than the last level: $(cat host.ini)"

# The geometry is what the system says, and the file can be used.
"$MEMSPY" machine show host --ini | grep -E '^(\[level|size|ways|line|processors)' >says
grep -E '^(\[level|size|ways|line|processors)' host.ini | diff says - || fail "another geometry than the system's"
printf '0 1000\n' >trace.din
"$MEMSPY" replay -q -f din --machine host.ini trace.din 2>err || fail "replay: $(cat err)"

# Saved, it is the host; of another machine, it is not.
export XDG_CONFIG_HOME=$PWD/config
mkdir -p config/memspy
cp host.ini config/memspy/host.ini
"$MEMSPY" machine --json >host.json || fail "saved: exit status $?"
grep -q '"name": *"host"' host.json && grep -q '"origin": *".*config/memspy/host.ini: measured on this machine on ' host.json ||
	fail "the saved figures are not those of the host: $(cat host.json)"
sed 's/^text = .*/text = another/' host.ini >config/memspy/host.ini
"$MEMSPY" machine --json | grep -q 'host.ini is the calibration of another machine' || fail "another machine's figures are used"
echo '[machine' >config/memspy/host.ini
"$MEMSPY" machine >out 2>err && fail "a broken file is ignored"
grep -q '^memspy: .*config/memspy/host.ini' err || fail "a broken file: says $(cat err)"
unset XDG_CONFIG_HOME

refuses() {
	local words=$1
	shift
	"$MEMSPY" machine --calibrate "$@" >out 2>err
	local got=$?
	[ "$(head -n 1 err)" = "memspy: $words" ] || fail "$*: says $(cat err)"
	[ $got = 2 ] || fail "$*: exit status $got, expected 2"
	[ ! -s out ] || fail "$*: prints $(cat out)"
}
refuses "unexpected argument 'dash': --calibrate measures this machine" dash
refuses '--calibrate measures the caches that are there; it goes without --l1, --l2, --l3 and --ll' --ll 8M,16,64
refuses '--calibrate writes a machine file; it goes without --json and --csv' --json
"$MEMSPY" machine -o file >out 2>err
[ $? = 2 ] && [ "$(head -n 1 err)" = 'memspy: --output goes with --calibrate only' ] || fail "-o alone: $(cat err)"
refuses '--save writes a file of its own; it goes without --output' --save -o file
"$MEMSPY" machine --save >out 2>err
[ $? = 2 ] && [ "$(head -n 1 err)" = 'memspy: --save goes with --calibrate only' ] || fail "--save alone: $(cat err)"
"$MEMSPY" machine --force >out 2>err
[ $? = 2 ] && [ "$(head -n 1 err)" = 'memspy: --force goes with --calibrate only' ] || fail "--force alone: $(cat err)"

# Where it cannot be written, nothing is measured.
mkdir folder
for file in no/such/folder/host.ini folder; do
	"$MEMSPY" machine --calibrate -o $file >out 2>err
	got=$?
	[ $got = 1 ] || fail "-o $file: exit status $got"
	case $file in folder) why='Is a directory' ;; *) why='No such file or directory' ;; esac
	[ "$(cat err)" = "memspy: $file: could not open it to write: $why" ] || fail "-o $file: says $(cat err)"
done
finish
