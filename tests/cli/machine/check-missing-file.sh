# memspy machine check reports a file that does not exist.
"$MEMSPY" machine check no.ini
