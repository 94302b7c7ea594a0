# The same program, the same numbers: run again, and with 1, 2 and 7 workers; only id and time differ.
# (Not so for threads: who gets Valgrind's lock next is up to the kernel. See threads.sh.)
. "$SRC/tests/cli/run/lib.bash"
same() {
	python3 - "$@" <<'END' || fail "$* differ"
import json, sys
def load(name):
    report = json.load(open(name + ".json"))
    for key in ("id", "started", "wall_seconds", "workers"):
        report["run"].pop(key)
    return report
first = load(sys.argv[1])
for name in sys.argv[2:]:
    other = load(name)
    for key in first:
        if first[key] != other[key]:
            print(f"{sys.argv[1]} and {name} differ in {key}")
            if isinstance(first[key], list):
                for a, b in zip(first[key], other[key]):
                    if a != b:
                        print("   ", str(a)[:300], "\n   ", str(b)[:300])
                        break
            sys.exit(1)
END
}
machine=(--machine dash)
for program in heap cpp; do
	for workers in 1 2 7; do
		profile_quiet $program$workers "${machine[@]}" --workers $workers -- "$PROGRAMS/$program"
	done
	profile_quiet ${program}again "${machine[@]}" -- "$PROGRAMS/$program"
	same ${program}1 ${program}again ${program}2 ${program}7
done
finish
