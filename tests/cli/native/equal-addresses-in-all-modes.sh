# A program's memory is at the same addresses in a whole, a sampled and an idle run.
. "$SRC/tests/cli/run/lib.bash"
places() {
	timeout -s KILL 120 "$MEMSPY" "${@:2}" --db runs.db -o report.txt -- "$PROGRAMS/print-addresses" >"$1.out" 2>"$1.err" || fail "$1: exit status $?: $(cat "$1.err")"
	[ "$(wc -l <"$1.out")" = 12 ] || fail "$1: says $(cat "$1.out")"
}
places whole run --frontend native
places sampled run --frontend native --sample 1/10 --window 20K
places sets run --frontend native --sample-sets 1/8
places seeds run --frontend native --sample 1/100 --sample-seed 1234567890 --follow-forks
places idle sample --event timer
for how in sampled sets seeds idle; do
	diff whole.out $how.out >diff.txt || fail "$how: $(cat diff.txt)"
done
finish
