# A program that has all signals blocked and takes them when it likes, ours (61) among them: it is told of what was sent, once, when
# it asks, and of nothing of memspy's.
. "$SRC/tests/cli/run/lib.bash"
gcc -std=gnu17 -O1 -g -pthread -Wall -Wextra -o taken "$SRC/tests/cli/native/taken.c" || fail gcc

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
