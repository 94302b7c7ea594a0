# Sources that are missing, newer or older than the program, too short, or binary.
db=$("$DBS/make" matmul)
lines() { echo "# $1"; shift; "$MEMSPY" lines --db "$db" --context 1 "$@" | tail -n +12; }
lines missing
lines 'missing, all' --all
cp "$SRC/tests/cli/lines/matmul.c" . && touch -d 2026-11-15T10:31:03Z matmul.c
lines newer --source nowhere --source . --source matmul.c
head -n 30 "$SRC/tests/cli/lines/matmul.c" >matmul.c && touch -d 2026-11-01T00:00:00Z matmul.c
lines short --source .
lines 'short, all' --source . --all | tail -n 17
sqlite3 "$db" "update string set text = 'matmul' where id = 1"
touch -d 2026-10-01T00:00:00Z matmul
lines 'newer than the program' --source . | head -n 6
touch -d 2026-11-20T00:00:00Z matmul
lines 'the program was built anew' --source . | head -n 6
printf '\033[2J\377\0\r\n%.0s' $(seq 1 50) >matmul.c && touch -d 2026-11-01T00:00:00Z matmul.c
lines hostile --source . | head -n 8
rm matmul.c && mkdir matmul.c
lines folder --source . | head -n 6
