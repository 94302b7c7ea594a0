# synchronise FRONTEND MODE...: runs tests/programs/synchronise, and prints what follows from its synchronisation.
synchronise() {
	local frontend=$1 mode
	shift
	for mode in "$@"; do
		"$MEMSPY" run -q --frontend "$frontend" --processors 4 --l1 64K,8,64 --ll 1M,16,64 --db runs.db --json -o report.json -- \
			"$PROGRAMS/synchronise" "$mode" >printed || exit
		python3 "$SRC/tests/cli/run-threads/synchronise.py" "$mode" printed report.json
	done
}
