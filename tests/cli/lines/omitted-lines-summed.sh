# Omitted lines are added up: as the rest of a file, as the rest of all files, and as what filters exclude.
db=$("$DBS/make" matmul)
sqlite3 "$db" "insert into string values (70, '/home/u/src/main.c');
	update line set file = 70 where line = 2"
cp "$SRC/tests/cli/lines/matmul.c" . && touch -d 2026-11-01T00:00:00Z matmul.c
lines() { echo "# $*"; "$MEMSPY" lines --db "$db" --source . "$@" | tail -n +6; }
lines --top 1 --context 1
lines --top 1 --context 2 --width 60
lines --threshold 3 --context 0
lines --file main.c
lines --code Clear --code memcpy --context 0
lines --file 'm*.c' --code 'm*' --context 0
lines --threshold 99
lines --latency L2=0,memory=0 --context 0
