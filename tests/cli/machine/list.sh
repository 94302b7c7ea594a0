"$MEMSPY" machine list
