"$MEMSPY" machine --jsno
