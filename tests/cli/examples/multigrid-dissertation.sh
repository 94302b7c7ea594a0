# examples/multigrid as in section 5.4 of the 2004 dissertation: U and R mostly evict themselves, in resid and psinv; tiling
# reduces these misses, padding reduces them further. The cache is half of the dissertation's, for a cube of half its side.
. "$SRC/tests/cli/run/lib.bash"
for version in plain tiled padded; do
	profile $version --machine buck-2004 --l1 32K,4,32 -- "$EXAMPLES/multigrid" $version 64 1 4 24
	[ "$status" = 0 ] || fail "$version: exit status $status: $(tail -n 3 $version.err)"
	"$MEMSPY" evictions --db $version.db --json --top 10000 >$version.evictions.json || fail "$version: evictions"
done
[ "$(sed 's/.*: norm/norm/' plain.out tiled.out padded.out | sort -u | wc -l)" = 1 ] || fail "$(cat ./*.out)"
python3 "$SRC/tests/cli/examples/multigrid-dissertation.py" || fail "see above"
finish
