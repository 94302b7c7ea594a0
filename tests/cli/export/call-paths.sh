# A run with call paths: callgrind files have calls with inclusive costs, stacks begin with the callers, and all weights add up as without.
db=$("$DBS/make" paths)
"$MEMSPY" export callgrind --db "$db" -o callgrind.out
sed -n '/^fn=.*main/,/^[0-9]/p' callgrind.out
grep -c '^calls=1 ' callgrind.out
callgrind_annotate --inclusive=yes --tree=caller callgrind.out 2>/dev/null | tr -s ' ' | sed -n 's/^ *\([0-9,]*\) .* \([<*]\) .*:\([A-Za-z]*\).*/\1 \2 \3/p'
for view in code data; do
	"$MEMSPY" export collapsed --db "$db" --view $view >$view.stacks
	awk '{ sum += $NF } END { print sum }' $view.stacks
done
cat code.stacks
"$MEMSPY" export collapsed --db "$db" --metric L1_misses | awk '{ sum += $NF } END { print sum }'
"$MEMSPY" export collapsed --db "$db" --metric references | head -n 1
"$MEMSPY" export speedscope --db "$db" | jq -c '[.profiles[] | [(.weights | add), .endValue, (.samples | length)]], [.shared.frames as $f | .profiles[0].samples[0][] | $f[.].name]'
