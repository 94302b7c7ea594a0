"$MEMSPY" sort -n file
