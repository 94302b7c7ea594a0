"$MEMSPY" machine dash host
