# The hottest lines with some context; a source file that was moved.
db=$("$DBS/make" matmul)
cp "$SRC/tests/cli/lines/matmul.c" . && touch -d 2026-11-01T00:00:00Z matmul.c
"$MEMSPY" lines --db "$db" --source .
"$MEMSPY" lines --db "$db" --source . --width 150 --all | tail -n +7
