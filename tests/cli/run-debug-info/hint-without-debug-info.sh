# Without debug information, the last lines of a report say what is missing and what to do; JSON has the same sentences.
. "$SRC/tests/cli/run/lib.bash"
hint() {
	build walk "$@"
	"$MEMSPY" run --db walk.db --machine memspy-1992-matmul --l1 32K,1,64 --width 200 ./walk 2>&1 >/dev/null | grep '^Hint: ' ||
		echo "no hint"
	"$MEMSPY" report --json --db walk.db | python3 -c '
import json, sys
for hint in json.load(sys.stdin)["hints"]:
    print("    JSON:", hint)'
}
for flags in "-O1 -g" -O1 "-O1 -s"; do
	# shellcheck disable=SC2086 # several words
	echo "$flags: $(hint $flags)"
done
finish
