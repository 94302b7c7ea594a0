"$MEMSPY" machine check no.ini
