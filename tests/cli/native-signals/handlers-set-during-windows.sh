# A program that sets handlers while other threads are in windows reads back its own handlers, natively and in windows.
. "$SRC/tests/cli/run/lib.bash"
gcc -std=gnu17 -O1 -g -pthread -Wall -Wextra -o replaced "$SRC/tests/cli/native-signals/handlers-set-during-windows.c" || fail gcc
[ "$(./replaced)" = '0 wrong' ] || fail "alone"

# The state, system call and signals of each thread of memspy and of the program.
show_waits() {
	local process task
	for process in "$1" $(program_of "$1"); do
		for task in "/proc/$process/task"/*; do
			echo "$(cat "$task/comm") $(cut -d ' ' -f 3 "$task/stat"): system call $(cat "$task/syscall")," \
				"$(grep -E '^Sig(Pnd|Blk)' "$task/status" | tr '\t\n' '  ')"
		done
	done
}

# Ends a run that takes longer than a minute, and shows what it waits for: a run takes less than a second.
run_at_most_a_minute() {
	local memspy tenths
	"$MEMSPY" run -q --frontend native --db replaced.db "$@" -- ./replaced >out 2>err &
	memspy=$!
	for ((tenths = 0; tenths < 600; tenths++)); do
		kill -0 "$memspy" 2>/dev/null || break
		sleep 0.1
	done
	if [ "$tenths" = 600 ]; then
		show_waits "$memspy"
		# shellcheck disable=SC2046 # no or one program
		kill -KILL $(program_of "$memspy") "$memspy"
	fi
	wait "$memspy"
}

for way in '--sample 1/4 --window 2K' '--sample 1/10'; do
	for counted in 0 1; do
		for seed in 1 2; do
			# shellcheck disable=SC2086 # several words
			if ! MEMSPY_NATIVE_COUNTED=$counted run_at_most_a_minute $way --sample-seed $seed; then
				fail "$way, $counted: exit status is not 0: $(cat err)"
				continue
			fi
			got=$(cat out)
			# A window that opens in the midst of it may put a handler back: docs/design/failures-limits.md
			[ "${got% wrong}" -lt 10 ] || fail "$way, $counted: $got"
		done
	done
done
finish
