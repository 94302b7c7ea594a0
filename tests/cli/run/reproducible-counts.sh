# Repeated runs, and runs with 1, 2 and 7 workers, have the same counts; only id and time differ. (With threads, Valgrind's lock
# makes the order random: see run-threads/all-threads-counted.sh.)
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
