# Launchers use the numbers of jobs again: databases of an earlier job are left out, and reports of its merged run do
# not show the later one.
. "$SRC/tests/cli/ranks/lib.bash"
# job NUMBER RANKS PROGRAM RANK ...: these ranks of a job.
job() {
	for rank in "${@:4}"; do
		as_rank "$1" "$rank" "$2" "$MEMSPY" run -q --tag "$1-$3" --machine dash "$PROGRAMS/$3" || echo "status $?"
	done
}
# started NUMBER WHEN RANK ...
started() {
	for rank in "${@:3}"; do
		sqlite3 "memspy.d/$1/$rank.db" "update run set started = '$2'"
	done
}
ranks_of() {
	"$MEMSPY" ranks --csv "$@" | cut -d, -f1,2 | tr -d '\r' | tail -n +2 | tr '\n' ' '
	echo
}
instructions() { "$MEMSPY" report --json "$@" | python3 -c 'import json, sys; print(json.load(sys.stdin)["totals"]["instructions"])'; }

echo "fewer ranks than before:"
job 7 4 ranks 0 1 2 3
before=$(instructions 7-ranks --rank 0,1) && one=$(instructions 7-ranks --rank 1)
job 7 2 far-bss 0 1
"$MEMSPY" merge memspy.d/7 2>&1 | sed 's/started [-0-9T:Z]*/started WHEN/'
ranks_of 7-far-bss
[ "$(instructions 7-ranks --rank 0,1)" = "$before" ] && [ "$(instructions 7-ranks --rank 1)" = "$one" ] &&
	echo "ranks of the first job are as before"
[ "$(instructions 7-far-bss --rank 0,1)" = "$(instructions 7-far-bss)" ] && echo "those of the second one are its own"

echo "a rank that has no database, but had one:"
job 8 3 ranks 0 1 2
started 8 2026-01-01T00:00:00Z 0 1 2
job 8 3 ranks 0 2
"$MEMSPY" merge -o killed.db memspy.d/8 2>&1 | sed 's/started [-0-9T:Z]*/started WHEN/'
ranks_of --db killed.db

echo "no rank twice, but a day between them:"
job 9 4 ranks 0 1
started 9 2026-01-01T00:00:00Z 0 1
job 9 4 ranks 2 3
"$MEMSPY" merge memspy.d/9 2>&1
ranks_of

echo "an earlier job that was killed left marks:"
job 10 8 ranks 4 5 6 7
job 10 3 ranks 0
ranks_of 10-ranks 2>&1
job 10 3 ranks 1 2
ranks_of 10-ranks

echo "of several jobs the last one:"
mkdir several && cp memspy.d/7/0.db several/a.db && cp memspy.d/9/2.db several/b.db && cp memspy.d/10/0.db several/c.db
for db in a b c; do
	sqlite3 several/$db.db "update run set started = '2026-01-0$([ $db = b ] && echo 2 || echo 1)T00:00:00Z'"
done
"$MEMSPY" merge several -o several.db 2>&1
"$MEMSPY" merge several -o several.db --job 10 2>&1
"$MEMSPY" merge -q several -o several.db 2>&1

echo "what is gone:"
rm memspy.d/8/0.db
"$MEMSPY" report --db killed.db --rank 0 || echo "status $?"
