# Threads of gcc's OpenMP runtime spin, then sleep; the figures are those of the loops, and reproducible.
. "$SRC/tests/cli/run/lib.bash"
program=${OPENMP:-$PROGRAMS/openmp}
alone=$("$program")
for run in a b; do
	profile $run --machine sgi-4d-340 --processors 4 -- "$program"
	[ "$status" = 0 ] || fail "exit status $status; it says $(cat $run.err)"
	[ "$(cat $run.out)" = "$alone" ] || fail "prints $(cat $run.out), alone $alone"
done
expect a <<'END'
data('a').writes == 20000
data('b').writes == 20000 - 2
data('a').reads == 3 * (20000 - 2)
len([p for p in report['processors'] if p['references']['write'] > 5000]) == 4
END
[ -n "${OPENMP-}" ] || python3 - <<'END' || fail "two runs differ"
import json, sys
a, b = (json.load(open(name)) for name in ("a.json", "b.json"))
sys.exit(a["totals"] != b["totals"] or a["bins"] != b["bins"])
END
finish
