# examples/mesh: the three programs compute the same numbers, bit for bit; wrong arguments are refused with a message.
set -u
for size in "2 1" "3 7" "7 2" "12 30"; do
	for layout in pointers contiguous static; do
		# shellcheck disable=SC2086 # side and steps
		"$EXAMPLES/mesh-$layout" $size 2>err || echo "$layout $size: status $?"
		grep -qx 'steps: [0-9.]* seconds' err || cat err
	done | sort -u >results
	sed 's/, node.*//' results
done

refuse() {
	local status=0
	"$EXAMPLES/mesh-static" "$@" >/dev/null 2>err || status=$?
	head -n 1 err
	echo "status $status"
}
refuse 1
refuse 65
refuse 8x
refuse 8 0
refuse 8 8 8
