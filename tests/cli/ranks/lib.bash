# tests/cli/ranks/lib.bash - ranks of a job, without a launcher: the variables that Open MPI sets.

# as_rank JOB RANK RANKS COMMAND ...
as_rank() {
	env PMIX_NAMESPACE="$1" OMPI_COMM_WORLD_RANK="$2" OMPI_COMM_WORLD_SIZE="$3" OMPI_COMM_WORLD_LOCAL_RANK="$2" \
		OMPI_COMM_WORLD_LOCAL_SIZE="$3" "${@:4}"
}

# merged COMMAND ...: runs the command with all of its processes, and checks their sums.
merged() {
	rm -f memspy.db
	"$MEMSPY" run -q --follow-forks --merge --machine dash "$@" || echo "status $?"
	sqlite3 memspy.db "select case when (select sum(instructions) from run where folder is null and id < (select max(id) from run))
		= instructions then 'the sums are those of all processes' else 'other sums' end from run order by id desc limit 1"
}

# programs PATTERN: how many processes of programs with such names.
programs() {
	"$MEMSPY" ranks --json | python3 -c '
import json, re, sys
found = {p["name"]: p["processes"] for p in json.load(sys.stdin)["programs"]}
print(", ".join("%s %d" % (name, n) for name, n in sorted(found.items()) if re.fullmatch(sys.argv[1], name)))' "$1"
}
