# memspy is killed while it starts the program and while that forks beside busy threads, in all modes: every process of the
# program ends by itself.
. "$SRC/tests/cli/run/lib.bash"

# left_of SESSION: processes that have not ended; zombies wait for whoever adopted them
left_of() {
	ps -o pid=,stat=,comm= -s "$1" | awk '$2 !~ /^Z/'
}

# killed NAME SECONDS OPTION...: memspy is killed after this time
killed() {
	local name=$1 seconds=$2 session i
	shift 2
	setsid "$MEMSPY" run -q --db "$name.db" -o report.txt "$@" -- "$PROGRAMS/forkstorm" 3 >"$name.out" 2>"$name.err" &
	session=$!
	sleep "$seconds"
	kill -KILL $session 2>/dev/null
	wait $session 2>/dev/null
	for ((i = 0; i < 600; i++)); do
		[ -n "$(left_of $session)" ] || return
		sleep 0.1
	done
	fail "$name after $seconds s: left are $(left_of $session | tr '\n' ';')"
	kill -KILL -- $(left_of $session | awk '{ print $1 }') 2>/dev/null
}
for seconds in 0.03 0.3 0.7; do
	killed valgrind $seconds --frontend valgrind --processors 4 --follow-forks
	[ -e "$BUILD/frontends/memspy-native.so" ] || continue
	killed whole $seconds --frontend native --follow-forks
	killed sampled $seconds --frontend native --sample 1/10 --follow-forks
	killed processors $seconds --frontend native --processors 4
done 2>/dev/null
finish
