# Files and functions are selected by their names alone, as in other commands.
export MEMSPY_DB=$("$DBS/make" matmul)
same() { # WORDS OPTIONS
	local with=$("$MEMSPY" lines --csv $1) as=$("$MEMSPY" lines --csv $2)
	[ "$with" = "$as" ] && echo "$1: $(echo "$with" | wc -l) lines"
}
same matmul.c '--file matmul.c'
same src/matmul.c '--file matmul.c'
same main '--code main'
same 'Blk matmul.c @1' '--code BlkMultiply --file matmul.c'
same 'base Clear' '--code ClearProduct @1'
"$MEMSPY" lines atmul.c
"$MEMSPY" lines nothing
