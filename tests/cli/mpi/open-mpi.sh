# Ranks of Open MPI: the same output in all modes; the slow data of one rank is found there; ranks share their node.
. "$SRC/tests/cli/mpi/lib.bash"
compile_heat mpicc.openmpi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_plm_rsh_agent=true
check_ranks mpirun.openmpi --oversubscribe
