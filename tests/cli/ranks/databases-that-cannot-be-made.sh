# Ranks whose databases cannot be made name the folder and the remedy, and do not run; databases without ranks are no job.
. "$SRC/tests/cli/ranks/lib.bash"
touch memspy.d
as_rank 7 0 2 "$MEMSPY" run --machine dash "$PROGRAMS/ranks" || echo "status $?"
as_rank 7 0 2 "$MEMSPY" run --machine dash --db 'memspy.d/%r.db' "$PROGRAMS/ranks" || echo "status $?"
as_rank 7 0 2 "$MEMSPY" sample "$PROGRAMS/ranks" || echo "status $?"
as_rank 7 0 2 "$MEMSPY" run --machine dash --db 'other/%j/%r.db' "$PROGRAMS/ranks" || echo "status $?"
ls
mkdir no-job
"$MEMSPY" run -q --machine dash --db no-job/0.db true
"$MEMSPY" merge no-job || echo "status $?"
