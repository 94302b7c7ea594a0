# A rank is killed, and Open MPI terminates the others: they save what they have, or their checkpoints remain.
. "$SRC/tests/cli/mpi/lib.bash"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_plm_rsh_agent=true
check_killed mpirun.openmpi --oversubscribe
