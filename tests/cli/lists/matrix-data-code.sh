# memspy matrix, data and code print one list each, of all or of selected code and data structures.
export MEMSPY_DB=$("$DBS/make" matmul)
"$MEMSPY" matrix
"$MEMSPY" data
"$MEMSPY" data BlkMultiply --width 80
"$MEMSPY" data --code main --code Clear --sort references --width 80
"$MEMSPY" code Z --top 1 --width 80
"$MEMSPY" data --sort stall --csv | diff - <("$MEMSPY" data --sort stall_cycles --csv) && echo "stall is stall_cycles"
"$MEMSPY" code --data '*' --csv | cut -d, -f1-4
"$MEMSPY" data @base --latency memory=1000 --width 80
