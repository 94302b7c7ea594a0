# examples/multigrid: every version computes the same numbers, bit for bit, with any tile size; the residual shrinks with every
# cycle; wrong arguments are refused with a message.
set -u
for size in 2 3 6 32 48; do
	for tile in "1 1" "1 64" "3 5" "4 48" "100 2"; do
		for version in plain tiled padded; do
			# shellcheck disable=SC2086 # rows and columns
			"$EXAMPLES/multigrid" $version $size 3 $tile 2>err || echo "$version $size $tile: status $?"
			grep -qx 'resid and psinv: [0-9.]* seconds' err || cat err
		done
	done | sed 's/.*norm/norm/' | sort -u >results
	echo "size $size: $(wc -l <results) result"
done

# 1: at most a third of what was left after the cycle before
"$EXAMPLES/multigrid" plain 32 1 2>/dev/null | sed 's/.*norm //; s/,.*//' >before
for cycles in 2 3 4 5; do
	"$EXAMPLES/multigrid" plain 32 $cycles 2>/dev/null | sed 's/.*norm //; s/,.*//' >after
	awk '{ before = $1; getline <"after"; print ($1 < before / 3) }' before
	mv after before
done

refuse() {
	local status=0
	"$EXAMPLES/multigrid" "$@" >/dev/null 2>err || status=$?
	head -n 1 err
	echo "status $status"
}
refuse
refuse blocked
refuse plain 1
refuse plain 2049
refuse plain 64k
refuse plain 64 0
refuse tiled 64 1 0
refuse tiled 64 1 4 ''
refuse tiled 64 1 4 4 4
