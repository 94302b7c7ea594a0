# Each rank of a job has a database of its own, in memspy.d or by a pattern; nothing is reported by single ranks.
. "$SRC/tests/cli/ranks/lib.bash"
runs() {
	find . -name '*.db' | LC_ALL=C sort | while read -r db; do
		echo "$db $(sqlite3 "$db" 'select job, rank, ranks, local_rank, local_ranks, program is not null from run')"
	done
}
for rank in 0 1; do
	as_rank 7.0 $rank 4 "$MEMSPY" run --machine dash "$PROGRAMS/ranks" || echo "status $?"
done
as_rank 7.0 2 4 "$MEMSPY" sample --json "$PROGRAMS/ranks" || echo "status $?"
runs
rm -r memspy.d

# A second job in the same folder; a pattern; a database for the merged run; one process is no job.
as_rank 8/x 0 2 "$MEMSPY" run --machine dash "$PROGRAMS/ranks" 2>/dev/null
as_rank 9 1 2 "$MEMSPY" run --db 'all/%j-%h/%p-%r.db' --machine dash "$PROGRAMS/ranks" 2>/dev/null
as_rank 9 1 2 "$MEMSPY" run --db here/sum.db --machine dash "$PROGRAMS/ranks" 2>/dev/null
as_rank 9 0 1 "$MEMSPY" run --machine dash "$PROGRAMS/ranks" 2>/dev/null
"$MEMSPY" run --db 'alone/%j-%r.db' --machine dash "$PROGRAMS/ranks" 2>/dev/null
runs | sed "s/$(uname -n)/NODE/; s/[0-9]*-1\.db/PID-1.db/"

# Programs in job scripts may not take part: no rank, no file, the program alone.
for rank in 0 1 2 3 4; do
	as_rank 10 $rank 5 "$MEMSPY" run --db 'some/%r.db' --ranks 0,2:4/2 --machine dash "$PROGRAMS/ranks" 2>/dev/null || echo "status $?"
done
ls some | grep db
as_rank 10 1 5 "$MEMSPY" run --ranks 0 sh -c 'exit 3' || echo "status $?"
as_rank 10 1 5 "$MEMSPY" run --ranks 0 ./none || echo "status $?"
as_rank 10 1 5 "$MEMSPY" run --ranks 0 --other-ranks sample:1/2 --db 'sampled/%r.db' --l1 32K,8,64 "$PROGRAMS/ranks" 2>/dev/null || echo "status $?"
sqlite3 sampled/1.db 'select rank, ratio from run join sampling on sampling.run = run.id'

# What cannot be.
as_rank 11 0 2 "$MEMSPY" run --db 'x%j.db' true || echo "status $?"
as_rank 11 0 2 "$MEMSPY" run --db 'x%r%z.db' true || echo "status $?"
as_rank 11 0 2 "$MEMSPY" run --ranks 1- true || echo "status $?"
as_rank 11 0 2 "$MEMSPY" run --other-ranks off true || echo "status $?"
as_rank 11 0 2 "$MEMSPY" run --ranks 1 --other-ranks some true || echo "status $?"
as_rank 11 0 2 "$MEMSPY" sample --ranks 1 --other-ranks sample:1/9 true || echo "status $?"
"$MEMSPY" run -q --ranks 1 --machine dash true
"$MEMSPY" run --ranks 1 --machine dash true 2>&1 | head -n 1

# What does not start leaves no folder.
as_rank 12 0 2 "$MEMSPY" run ./none || echo "status $?"
as_rank 12 0 2 "$MEMSPY" run --machine none "$PROGRAMS/ranks" 2>/dev/null || echo "status $?"
as_rank 12 0 2 "$MEMSPY" sample ./none || echo "status $?"
as_rank 12 0 2 "$MEMSPY" run --ranks 1 ./none || echo "status $?"
"$MEMSPY" run --db 'none/%p.db' ./none || echo "status $?"
find . -name '*12*' -o -name none
