# examples/tri: every version computes the right result with any number of threads; malformed files are refused with a message.
set -u
for version in sequential parallel reordered nan dependence; do
	for threads in 1 2 3 4 16; do
		"$EXAMPLES/tri" $version $threads >out || echo "$version with $threads threads: status $?"
	done
	cat out
done

cat >small.mtx <<'END'
%%MatrixMarket matrix coordinate real symmetric
% a comment

4 4 6
1 1 2.0
4 4 2.0
4 2 -3
2 1 1e3
1 3 0.5
3 3 9
END
for version in sequential parallel dependence; do
	"$EXAMPLES/tri" $version 3 small.mtx
done

refuse() {
	local status=0
	"$EXAMPLES/tri" "$@" >/dev/null 2>err || status=$?
	head -n 1 err
	echo "status $status"
}
refuse
refuse serial
refuse nan 0
refuse nan 4x
refuse nan 4 none.mtx
sed 's/symmetric/general/' small.mtx >bad.mtx
refuse nan 4 bad.mtx
sed 's/4 4 6/4 5 6/' small.mtx >bad.mtx
refuse nan 4 bad.mtx
sed 's/4 4 6/4 4 7/' small.mtx >bad.mtx
refuse nan 4 bad.mtx
sed 's/4 2 -3/5 2 -3/' small.mtx >bad.mtx
refuse nan 4 bad.mtx
sed 's/1e3/nan/' small.mtx >bad.mtx
refuse nan 4 bad.mtx
: >bad.mtx
refuse nan 4 bad.mtx
