# A program that sets handlers while other threads are in windows reads back its own handlers, natively and in windows.
. "$SRC/tests/cli/run/lib.bash"
gcc -std=gnu17 -O1 -g -pthread -Wall -Wextra -o replaced "$SRC/tests/cli/native-signals/handlers-set-during-windows.c" || fail gcc
[ "$(./replaced)" = '0 wrong' ] || fail "alone"
for way in '--sample 1/4 --window 2K' '--sample 1/10'; do
	for counted in 0 1; do
		for seed in 1 2; do
			got=$(MEMSPY_NATIVE_COUNTED=$counted timeout -s KILL 60 "$MEMSPY" run -q --frontend native --db replaced.db $way --sample-seed $seed -- ./replaced 2>err) ||
				fail "$way, $counted: exit status $?: $(cat err)"
			# A window that opens in the midst of it may put a handler back: docs/design/failures-limits.md
			[ "${got% wrong}" -lt 10 ] || fail "$way, $counted: $got"
		done
	done
done
finish
