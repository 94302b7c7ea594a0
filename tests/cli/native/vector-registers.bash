# vector-registers.bash - for vector-registers.sh and vector-registers-emulated.sh: ./wide prints the same, whole and in windows that open at random.

# wide_same [WORD]...: these words stand before it where it runs alone
wide_same() {
	local mode options
	for mode in kept loops; do
		timeout -s KILL 60 "$@" ./wide $mode >alone.out || fail "$mode, alone: $(cat alone.out)"
		for options in '' '--sample 1/3 --window 2K' '--sample 1/10 --window 5K --processors 2'; do
			# shellcheck disable=SC2086 # they are words
			timeout -s KILL 60 "$MEMSPY" run -q --frontend native --db runs.db $options -- ./wide $mode >traced.out 2>traced.err ||
				fail "$mode${options:+, $options}: ends with $?: $(cat traced.out traced.err)"
			cmp traced.out alone.out || fail "$mode${options:+, $options}: $(cat traced.out), not $(cat alone.out)"
		done
	done
}
