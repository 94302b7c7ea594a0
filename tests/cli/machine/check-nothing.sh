"$MEMSPY" machine check
