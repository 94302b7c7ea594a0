# For the scripts in this folder.
#
#   until_true COMMAND...   waits until COMMAND succeeds, 30 seconds at most

until_true() {
	for _ in $(seq 300); do
		"$@" 2>/dev/null && return
		sleep 0.1
	done
}
