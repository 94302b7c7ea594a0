# Ranks that a Slurm of one node starts have a database each; a second job in the same folder has its own.
. "$SRC/tests/cli/mpi/slurm.bash"
start_slurm || exit 1
for job in 1 2; do
	srun --overcommit -n 3 "$MEMSPY" run -q --machine amd-zen3 "$PROGRAMS/ranks" || echo "status $?"
done
find memspy.d -name '*.db' | LC_ALL=C sort
for db in memspy.d/*/2.db; do
	sqlite3 "$db" "select job, rank, ranks, machine_origin like '%each of the 3 ranks%' from run"
done
