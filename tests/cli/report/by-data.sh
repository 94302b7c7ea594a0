# The report by data structure, with the number and size of objects where the page is wide enough.
"$MEMSPY" report --db "$("$DBS/make" matmul)" --by data --threshold 0 @1
# Where there is room: how many objects, and how large.
"$MEMSPY" report --db matmul.db --by data --threshold 0 --top 2 --width 150 @1 | sed -n '/^BY DATA/,/^$/p'
"$MEMSPY" report --db matmul.db --by data --csv @1 | tr -d '\r' | head -n 2 | cut -d, -f 24-32
