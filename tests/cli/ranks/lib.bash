# tests/cli/ranks/lib.bash - ranks of a job, without a launcher: the variables that Open MPI sets.

# as_rank JOB RANK RANKS COMMAND ...
as_rank() {
	env PMIX_NAMESPACE="$1" OMPI_COMM_WORLD_RANK="$2" OMPI_COMM_WORLD_SIZE="$3" OMPI_COMM_WORLD_LOCAL_RANK="$2" \
		OMPI_COMM_WORLD_LOCAL_SIZE="$3" "${@:4}"
}
