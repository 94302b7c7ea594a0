# examples/tri as in section 4 of the 1992 paper: misses rise and fall from version to version as in its Table 1, for the causes
# that the paper gives.
. "$SRC/tests/cli/run/lib.bash"
versions=(sequential parallel reordered nan dependence)
for version in "${versions[@]}"; do
	profile $version --machine sgi-4d-340 --processors 4 -- "$EXAMPLES/tri" $version 4
	[ "$status" = 0 ] || fail "$version: exit status $status: $(tail -n 3 $version.err)"
	grep -q ' 0 wrong$' $version.out || fail "$version: $(cat $version.out)"
done
python3 "$SRC/tests/cli/examples/tri-paper-table1.py" "${versions[@]}" || fail "see above"
finish
