"$MEMSPY" machine dash --csv
