"$MEMSPY" help machin
