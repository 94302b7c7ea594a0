# A preset as CSV.
"$MEMSPY" machine dash --csv
