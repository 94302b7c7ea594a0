"$MEMSPY" machine dash
