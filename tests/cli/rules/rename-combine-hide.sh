# Renamed, combined and hidden names apply to every report, and combined figures add up.
db=$("$DBS/make" matmul)
export MEMSPY_DB=$db
"$MEMSPY" rename Y weights
"$MEMSPY" combine matrices Matrix.Z Matrix.X
"$MEMSPY" hide '<stack>'
"$MEMSPY" rename --code Blk kernel
"$MEMSPY" report | sed -n '/^PERCENT/,$p'
"$MEMSPY" show --data matrices | sed -n '/^DETAILED/,/^$/p'
"$MEMSPY" evictions --csv | head -3
"$MEMSPY" lines --csv | tail -3
"$MEMSPY" rules
echo "--rules none:"
"$MEMSPY" report --by data --rules none | sed -n '/^BY DATA/,/^$/p'
echo "a name that is there, and one that a rule has given:"
"$MEMSPY" combine counter weights
"$MEMSPY" combine matrices '<unknown>'
