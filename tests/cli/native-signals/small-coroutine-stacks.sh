# Memory below a coroutine's stack of 4 KiB is unchanged whatever interrupts the coroutine: memspy's signal frames are on its
# own stack.
. "$SRC/tests/cli/run/lib.bash"
ways=('run --frontend native --sample 1/100 --window 10K' 'run --frontend native --sample 1/10 --window 20K' 'sample --rate 5000' 'run --frontend native')
program=$PROGRAMS/coroutines
# check PROGRAM MODE: prints and ends as natively in all ways
check() {
	timeout -s KILL 60 "$@" >alone.out || fail "$*: natively exit status $?"
	for way in "${ways[@]}"; do
		timeout -s KILL 120 "$MEMSPY" $way -q --db runs.db -- "$@" >out 2>err || fail "$way: $*: exit status $?: $(cat err)"
		cmp out alone.out || fail "$way: $*: prints $(cat out), natively $(cat alone.out)"
	done
}
for mode in one allocates many handlers preempt signals; do
	check "$program" $mode
done
# Stacks that grow in small pieces (not on every architecture).
if echo 'int main(void) { return 0; }' | gcc -fsplit-stack -x c -o split - 2>/dev/null; then
	gcc -std=gnu17 -O1 -g -fsplit-stack -pthread -x c -o split - <<-'END' || fail "gcc -fsplit-stack"
		#include <pthread.h>
		#include <stdio.h>
		static __attribute__((noinline)) long down(int n)
		{
			volatile char block[600];
			block[0] = block[599] = (char)n;
			return n == 0 ? 0 : down(n - 1) + (block[0] == block[599]);
		}
		static void *run(void *sum)
		{
			for (int i = 0; i < 3000; i++)
				*(long *)sum += down(i % 500);
			return NULL;
		}
		int main(void)
		{
			pthread_t threads[4];
			long sums[4] = { 0 };
			for (int i = 0; i < 4; i++)
				pthread_create(&threads[i], NULL, run, &sums[i]);
			for (int i = 0; i < 4; i++)
				pthread_join(threads[i], NULL);
			printf("%ld %ld %ld %ld\n", sums[0], sums[1], sums[2], sums[3]);
			return 0;
		}
	END
	check ./split
fi
finish
