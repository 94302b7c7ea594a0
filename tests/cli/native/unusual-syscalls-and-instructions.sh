# System calls and instructions that compilers never emit and programs seldom use: output and exit status are as natively, in
# whole runs, in windows, with sampled sets and with --follow-forks.
. "$SRC/tests/cli/run/lib.bash"
gcc -std=gnu17 -O1 -g -Wall -Wextra -o unusual "$SRC/tests/cli/native/unusual-syscalls-and-instructions.c" || fail gcc

for mode in clone descriptor file dispatch thread back prefixes grows refused; do
	timeout -s KILL 60 ./unusual $mode >alone.out
	status=$?
	[ $status != 77 ] || continue # not of this machine
	for way in '' '--sample 1/10 --window 20K' '--sample-sets 1/16' '--follow-forks'; do
		timeout -s KILL 60 "$MEMSPY" run -q --frontend native --db runs.db $way -- ./unusual $mode >out 2>err
		[ $? = $status ] || fail "$mode $way: ends otherwise: $(cat err)"
		cmp out alone.out || fail "$mode $way: prints $(cat out), natively $(cat alone.out)"
	done
done

# A lock makes two references of one, to the same place.
rm -f runs.db
./unusual bits
if [ $? != 77 ]; then
	"$MEMSPY" run -q --frontend native --db runs.db --l1 4K,1,64 --ll 64K,16,64 -- ./unusual bits 2>err || fail "bits: $(cat err)"
	for code in set_locked set_unlocked; do
		misses=$(sqlite3 runs.db "select sum(first + replaced) from bin_miss where code = '$code' and data = 'bit_string' and level = 'L1'")
		[ "$misses" = 64 ] || fail "bits: $code has $misses misses"
	done
fi

# What it did before it executed the file is known.
rm -f runs.db
"$MEMSPY" run -q --frontend native --db runs.db --sample 1/10 --window 100K -- ./unusual file >out 2>err || fail "file: $(cat err)"
[ "$(sqlite3 runs.db 'select min(exact) from sampling')" = 1 ] || fail "file: how many references there were is not known"

# A child that is forked natively, while another thread is at work in memspy, changes what may be code: nothing is locked for ever.
{
	echo '#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile uint64_t v[64];'
	for i in {0..2999}; do
		echo "static __attribute__((noinline)) void f$i(void) { v[$((i % 64))] += $i; if (v[$((i * 7 % 64))] & 1) v[$((i * 5 % 64))] ^= $i; }"
	done
	echo "static void (*const all[])(void) = {"
	printf 'f%d,\n' {0..2999}
	echo '};
static volatile int over;
static void *call_all(void *unused)
{
	while (!over)
		for (int i = 0; i < 3000; i++)
			all[i]();
	return unused;
}
int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, call_all, NULL);
	for (int i = 0; i < 150; i++) {
		for (volatile int k = 0; k < 2000; k++)
			;
		if (fork() == 0) {
			alarm(20);
			mprotect((void *)((uintptr_t)f0 & ~4095ul), 4096, PROT_READ | PROT_EXEC);
			_exit(0);
		}
		int status;
		wait(&status);
		if (status != 0)
			return printf("child %d hung\n", i), 1;
	}
	over = 1;
	pthread_join(thread, NULL);
	return 0;
}'
} >locks.c
gcc -O1 -pthread -o locks locks.c || fail "gcc locks.c"
timeout -s KILL 100 "$MEMSPY" run -q --frontend native --db runs.db --sample 1/25 --window 20K -- ./locks >out 2>err || fail "locks: $? $(cat out err)"
finish
