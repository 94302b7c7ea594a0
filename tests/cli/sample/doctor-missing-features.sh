# memspy doctor on simulated machines names what each source and front-end lacks, and the remedy.
# finding NAME OUT: the finding of this name in OUT, on two lines.
finding() {
	python3 - "$1" "$2" <<'END'
import json, sys
f = next(f for f in json.load(open(sys.argv[2]))["findings"] if f["name"] == sys.argv[1])
print(f["name"], "works" if f["works"] else "no", f["what"], sep="|")
if f["remedy"]:
    print("  ", f["remedy"])
END
}
# machine MOUNTS COMMAND...: in a mount namespace in which the shell commands MOUNTS were run first.
machine() {
	local mounts=$1
	shift
	unshare -m sh -c "mount --make-rprivate / && $mounts && exec \"\$@\"" sh "$@"
}
# Rights as anybody's: root, but without any capability.
anybody=(setpriv --bounding-set=-all --inh-caps=-all)
say() {
	printf '%s\n' "$1" >"$2"
}
for paranoid in 3 4; do
	echo "-- perf_event_paranoid $paranoid"
	say $paranoid paranoid
	machine "mount --bind paranoid /proc/sys/kernel/perf_event_paranoid" "${anybody[@]}" "$PROGRAMS/forbid" 13 "$MEMSPY" doctor --json >out
	finding timer out
	finding page-faults out
	finding perf out
done
echo "-- rights are there, the container's filter is in the way"
"$PROGRAMS/forbid" 1 "$MEMSPY" doctor --json >out
finding page-faults out
echo "-- a kernel without perf"
"$PROGRAMS/forbid" 38 "$MEMSPY" doctor --json >out
finding timer out
echo "-- PMUs that are shown, but do not sample"
mkdir -p pmu/cpu/format pmu/ibs_op pmu/arm_spe_0
say config1:0-15 pmu/cpu/format/ldlat
say 4 pmu/cpu/type
say 990 pmu/ibs_op/type
say 991 pmu/arm_spe_0/type
for error in 95 16; do
	machine "mount --bind pmu /sys/bus/event_source/devices" "$PROGRAMS/forbid" $error "$MEMSPY" doctor --json >out
	for source in pebs ibs spe; do
		finding $source out
	done | sed 's/mem-loads/load-latency/; s/MEM_TRANS_RETIRED[^)]*/load-latency/'
done
echo "-- no PMU"
mkdir none
machine "mount --bind none /sys/bus/event_source/devices" "$MEMSPY" doctor --json >out
for source in pebs ibs spe; do
	finding $source out
done
mkdir -p kernel/yama
for scope in 0 1 2 3; do
	echo "-- ptrace_scope $scope: root, anybody"
	say $scope kernel/yama/ptrace_scope
	machine "mount --bind kernel /proc/sys/kernel" "$MEMSPY" doctor --json >out
	finding ptrace out
	machine "mount --bind kernel /proc/sys/kernel" setpriv --reuid 65534 --clear-groups "$MEMSPY" doctor --json >out
	finding ptrace out
done
echo "-- ptrace_scope 1: root of a container"
say 1 kernel/yama/ptrace_scope
machine "mount --bind kernel /proc/sys/kernel" "${anybody[@]}" "$MEMSPY" doctor --json >out
finding ptrace out
echo "-- no front-end"
MEMSPY_LIBDIR=none "$MEMSPY" doctor --json >out
for name in timer page-faults native valgrind perf ptrace; do
	finding $name out
done | sed 's/memspy-[a-z0-9]*-linux/memspy-ARCH-linux/'
"$PROGRAMS/forbid" 1 env MEMSPY_LIBDIR=none "$MEMSPY" doctor --json >out
finding timer out
# What is said to be next works.
"$MEMSPY" doctor | tail -1
MEMSPY_LIBDIR=none "$MEMSPY" doctor | grep -c '^Next'
echo "-- no caches"
machine "mount -t tmpfs none /sys/devices/system/cpu" "$MEMSPY" doctor --json >out
finding host out
