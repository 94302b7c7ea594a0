# A program that blocks all signals and accepts them synchronously (sigwaitinfo, signalfd, ppoll), signal 61 among them,
# receives each signal once, and none of memspy's.
. "$SRC/tests/cli/run/lib.bash"
gcc -std=gnu17 -O1 -g -pthread -Wall -Wextra -o taken "$SRC/tests/cli/native-signals/blocked-signals-accepted.c" || fail gcc

for mode in threads file poll select epoll suspend once; do
	timeout -s KILL 60 ./taken $mode >alone || fail "$mode: $?, alone"
	for way in 'run --frontend native' 'run --frontend native --sample 1/10 --window 2K' 'run --frontend native --sample 1/2 --window 2K' 'sample --event timer'; do
		for counted in 0 1; do
			MEMSPY_NATIVE_COUNTED=$counted timeout -s KILL 60 "$MEMSPY" $way -q --db taken.db -- ./taken $mode >out 2>err ||
				fail "$mode, $way: exit status $?: $(cat err)"
			cmp -s out alone || fail "$mode, $way, $counted: $(cat out)"
		done
	done
done
finish
