# Two machine names are refused.
"$MEMSPY" machine dash host
