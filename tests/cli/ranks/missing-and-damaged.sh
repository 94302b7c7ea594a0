# Ranks that were killed, are missing or cannot be read are named and left out; the others are merged.
. "$SRC/tests/cli/ranks/lib.bash"
for rank in 0 1 2 3 4 5; do
	[ $rank = 5 ] || as_rank 7 $rank 8 "$MEMSPY" run --ranks 0:3,5:7 --machine dash "$PROGRAMS/ranks" 3 2>/dev/null || echo "rank $rank: status $?"
done
echo damaged >memspy.d/7/6.db
[ ! -e memspy.db ] && echo "nothing is merged"
"$MEMSPY" merge memspy.d/7 2>&1 | sed 's/rank 6: .*: memspy/rank 6: memspy/; s/: found.*//'
"$MEMSPY" ranks --csv | cut -d, -f1,2 | tr -d '\r'
"$MEMSPY" merge -q memspy.d/7 -o other.db && sqlite3 other.db 'select count(*) from rank'
# Two jobs in one folder.
for job in a b; do
	for rank in 0 1; do
		as_rank $job $rank 2 "$MEMSPY" run --db "both/$job-%r.db" --machine dash "$PROGRAMS/ranks" 2>/dev/null || echo "status $?"
	done
done
sqlite3 memspy.db "select job, relation, count(*) from run group by job, relation"
"$MEMSPY" merge both --job b -o b.db 2>&1
# What is no folder of a job.
mkdir empty
"$MEMSPY" merge empty || echo "status $?"
"$MEMSPY" merge none || echo "status $?"
"$MEMSPY" merge || echo "status $?"
"$MEMSPY" merge memspy.db || echo "status $?"
"$MEMSPY" merge memspy.d/7 --job x || echo "status $?"
