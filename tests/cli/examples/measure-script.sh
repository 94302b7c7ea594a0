# examples/measure prints tables of all versions whose programs compute equal numbers; times are not checked.
set -u
"$SRC/examples/measure" --small --rounds 1 | sed 's/[0-9.]* *\([0-9]* %\|-\)$//; s/ *$//'
for options in --rounds '--rounds 0' '--round 3' 3; do
	status=0
	# shellcheck disable=SC2086 # an option and its value
	"$SRC/examples/measure" $options >out 2>err || status=$?
	echo "status $status, $(wc -l <out) lines, $(head -n 1 err | cut -c1-31)"
done
CC=false "$SRC/examples/measure" 2>&1
echo "status $?"
