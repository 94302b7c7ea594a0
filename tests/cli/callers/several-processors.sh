# Call paths where several processors are simulated: exact, the same for any number of workers, in a replay, and where processors are added when
# the program starts its first thread. Each thread reads a block 3 times for often() and once for rarely(), and adds to a counter that both share.
cat >threads.c <<'END'
#include <pthread.h>
#include <stdlib.h>
enum { BYTES = 1 << 21, LINE = 64 };
static long shared[8] __attribute__((aligned(64)));
static __attribute__((noinline)) long touch(const char *block)
{
	long sum = 0;
	for (size_t i = 0; i < BYTES; i += LINE)
		sum += *(const volatile char *)&block[i];
	return sum;
}
static __attribute__((noinline)) void add(int i) { __atomic_fetch_add(&shared[i], 1, __ATOMIC_SEQ_CST); }
static __attribute__((noinline)) long often(const char *block) { return touch(block) + touch(block) + touch(block); }
static __attribute__((noinline)) long rarely(const char *block) { return touch(block) + 1; }
static void *work(void *block)
{
	long sum = often(block);
	for (int i = 0; i < 2000; i++)
		add(i % 8);
	sum += rarely(block);
	return (void *)(sum & 1);
}
int main(void)
{
	char *block[3];
	pthread_t thread[2];
	for (int i = 0; i < 3; i++)
		block[i] = aligned_alloc(4096, BYTES);
	long sum = rarely(block[2]);
	for (int i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, work, block[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	return sum == 0;
}
END
gcc -O2 -g -pthread -fno-optimize-sibling-calls threads.c -o threads
caches="--l1 32K,8,64 --l2 256K,8,64"
paths() {
	sqlite3 "$1" 'select path, parent, line, kind from path; select path, line, data, level, misses from path_miss'
}
check() { # DATABASE: callers of touch() and their misses of the first level, in multiples of 64: return addresses miss, too; sums
	"$MEMSPY" callers --db "$1" --csv touch | tr -d '\r' | awk -F, '$1 <= 1 && $7 > 1000 { print $1, $2, $7 - $7 % 64 }'
	sqlite3 "$1" "select case when (select sum(misses) from path_miss) = (select sum(first + replaced + invalidated) from miss)
		then 'all misses have a path' else 'sums differ' end"
}
for frontend in native valgrind; do
	echo "$frontend:"
	"$MEMSPY" run -q --call-paths --frontend $frontend --processors 2 $caches --trace $frontend.trace --db $frontend.db ./threads 2>err || cat err
	check $frontend.db
	paths $frontend.db >$frontend.paths
	for workers in 1 2 3 4; do
		"$MEMSPY" replay -q --call-paths --workers $workers --processors 2 $caches --db $frontend-$workers.db $frontend.trace
		paths $frontend-$workers.db | cmp - $frontend.paths && echo "the same with $workers"
	done
	# Following calls changes no counts.
	"$MEMSPY" replay -q --workers 2 --processors 2 $caches --db $frontend-plain.db $frontend.trace
	for db in $frontend.db $frontend-plain.db; do
		sqlite3 $db 'select cell, level, first, replaced, invalidated from miss order by 1, 2'
	done | sort | uniq -u | wc -l
done
echo 'added processors:'
cat >two.ini <<'END'
[machine]
text = two processors
processors = 2
[level L1]
size = 32K
ways = 8
line = 64
latency = 0
[level L2]
size = 256K
ways = 8
line = 64
latency = 10
[memory]
latency = 100
END
"$MEMSPY" run -q --call-paths --frontend native --machine two.ini --db added.db ./threads 2>err || cat err
sqlite3 added.db 'select processors from run'
check added.db
# Natively, windows begin with the calls that the runtime has unwound.
echo 'windows:'
"$MEMSPY" run -q --call-paths --frontend native --processors 2 $caches --sample 1/2 --window 2K --db windows.db ./threads 2>err || cat err
# Which of the calls have a window depends on the machine's load; the longest ones have.
"$MEMSPY" callers --db windows.db --csv touch | tr -d '\r' | awk -F, '$1 == 0 { print $2 }' | sort -u | grep -vx rarely
sqlite3 windows.db "select case when (select sum(misses) from path_miss) = (select sum(first + replaced + invalidated) from miss)
	then 'all misses have a path' else 'sums differ' end"
