/* build: -O1 -g -pthread
   Threads in the scene that its argument names; what it prints does not depend on who runs when. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

enum { THREADS = 4, WORK = 20000 };

static volatile long own[THREADS][WORK];
static volatile long shared;

static __attribute__((noinline)) void work(long me, long n)
{
	for (long i = 0; i < n; i++)
		own[me % THREADS][i % WORK] += i;
}

static void start(pthread_t *threads, long n, void *(*run)(void *))
{
	for (long i = 0; i < n; i++)
		if (pthread_create(&threads[i], NULL, run, (void *)i) != 0)
			abort();
}

static void join(const pthread_t *threads, long n)
{
	for (long i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
}

static int together(void *(*run)(void *), long n)
{
	pthread_t threads[64];

	start(threads, n, run);
	join(threads, n);
	printf("%ld\n", shared);
	return 0;
}

/* --- locks --- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static long turn;

static void *use_locks(void *arg)
{
	long me = (long)arg;

	for (int round = 0; round < 20; round++) {
		work(me, 50 * (me + 1));
		pthread_mutex_lock(&mutex);
		shared += me;
		pthread_mutex_unlock(&mutex);
		pthread_barrier_wait(&barrier);
	}
	for (int round = 0; round < 10; round++) {
		pthread_mutex_lock(&mutex);
		while (turn % THREADS != me)
			pthread_cond_wait(&cond, &mutex);
		turn++;
		pthread_cond_broadcast(&cond);
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

static int locks(void)
{
	pthread_barrier_init(&barrier, NULL, THREADS);
	return together(use_locks, THREADS);
}

static mtx_t c11_mutex;

static int use_c11(void *arg)
{
	for (int i = 0; i < 50; i++) {
		work((long)arg, 20);
		mtx_lock(&c11_mutex);
		shared++;
		mtx_unlock(&c11_mutex);
		thrd_yield();
	}
	return (int)(long)arg;
}

static int c11(void)
{
	thrd_t threads[THREADS];
	int result, sum = 0;

	mtx_init(&c11_mutex, mtx_plain);
	for (long i = 0; i < THREADS; i++)
		thrd_create(&threads[i], use_c11, (void *)i);
	for (int i = 0; i < THREADS; i++) {
		thrd_join(threads[i], &result);
		sum += result;
	}
	printf("%ld %d\n", shared, sum);
	return 0;
}

/* --- spinning --- */

static volatile int flag;
static atomic_int lock;

static __attribute__((noinline)) void spin_on_flag(void)
{
	while (!flag)
		;
}

static __attribute__((noinline)) void spin_politely(void)
{
	for (long rounds = 0; !flag; rounds++)
#if defined(__x86_64__)
		__asm__ volatile("pause");
#else
		__asm__ volatile("yield");
#endif
}

/* As libraries do it: politely, for a while, then less so; a round is many superblocks long. */
static __attribute__((noinline)) void rest(long rounds)
{
#if defined(__x86_64__)
	__asm__ volatile("pause");
#else
	__asm__ volatile("yield");
#endif
	if (rounds % 256 == 0)
		sched_yield();
}

static __attribute__((noinline)) void spin_and_rest(void)
{
	for (long rounds = 1; !flag; rounds++)
		rest(rounds);
}

static __attribute__((noinline)) void spin_with_yields(void)
{
	while (!flag)
		sched_yield();
}

static __attribute__((noinline)) void lock_with_yields(void)
{
	while (atomic_exchange(&lock, 1) != 0)
		sched_yield();
	atomic_store(&lock, 0);
}

/* It gives up by itself, and one that is not noticed as spinning waits for that. */
static __attribute__((noinline)) void give_up(void)
{
	volatile long rounds = 0;

	for (int i = 0; i < 500 && !flag; i++)
		sched_yield();
	shared = 1;
	while (!flag)
		rounds++;
}

static void (*how)(void);

static void *spin(void *arg)
{
	(void)arg;
	how();
	return NULL;
}

static int spinning(void (*spins)(void))
{
	pthread_t threads[THREADS - 1];

	how = spins;
	start(threads, THREADS - 1, spin);
	work(0, 100000);
	flag = 1;
	atomic_store(&lock, 0);
	join(threads, THREADS - 1);
	printf("%ld\n", own[0][WORK - 1]);
	return 0;
}

static int spins(void)
{
	return spinning(spin_on_flag);
}

static int pauses(void)
{
	return spinning(spin_politely);
}

static int rests(void)
{
	return spinning(spin_and_rest);
}

static int yields(void)
{
	return spinning(spin_with_yields);
}

static int locked(void)
{
	lock = 1;
	return spinning(lock_with_yields);
}

static int gives_up(void)
{
	pthread_t thread;

	how = give_up;
	start(&thread, 1, spin);
	for (volatile long rounds = 0; shared == 0; rounds++)
		;
	flag = 1;
	join(&thread, 1);
	puts("given up");
	return 0;
}

static void *lock_by_hand(void *arg)
{
	for (int i = 0; i < 20; i++) {
		int expected = 0;

		while (!atomic_compare_exchange_strong(&lock, &expected, 1))
			expected = 0;
		work((long)arg, 500);
		shared++;
		atomic_store(&lock, 0);
	}
	return NULL;
}

static int atomics(void)
{
	return together(lock_by_hand, THREADS);
}

/* A loop in registers with a constant in memory: it computes, and does not spin. */
static volatile double tenth = 0.1;

static void *compute(void *arg)
{
	double x = 0;

	for (int i = 0; i < 50000; i++)
		x += tenth;
	own[(long)arg][0] = (long)x;
	return NULL;
}

static int registers(void)
{
	return together(compute, THREADS);
}

/* Each call is an event of its own. */
static void *allocate(void *arg)
{
	for (int i = 1; i < 5000; i++) {
		void *volatile block = malloc((size_t)i);

		free(block);
	}
	return arg;
}

static int allocates(void)
{
	return together(allocate, THREADS);
}

/* --- sharing --- */

static struct {
	volatile long near[THREADS];
	volatile long padding[64];
	volatile long far[THREADS][64];
} counters __attribute__((aligned(512)));

static void *count_near(void *arg)
{
	for (int i = 0; i < WORK; i++)
		counters.near[(long)arg]++;
	return NULL;
}

static void *count_far(void *arg)
{
	for (int i = 0; i < WORK; i++)
		counters.far[(long)arg][0]++;
	return NULL;
}

/* One instruction that reads and writes, and one transaction. */
static void *count_together(void *arg)
{
	for (int i = 0; i < WORK; i++)
		__atomic_add_fetch(&shared, 1, __ATOMIC_SEQ_CST);
	return arg;
}

static int adds(void)
{
	return together(count_together, THREADS);
}

static int near(void)
{
	return together(count_near, THREADS);
}

static int far(void)
{
	return together(count_far, THREADS);
}

/* --- threads that come, go, stay, and die --- */

static void *add_one(void *arg)
{
	work((long)arg, 300);
	__atomic_add_fetch(&shared, 1, __ATOMIC_SEQ_CST);
	return NULL;
}

/* The same ids again and again. */
static int reused(void)
{
	for (int round = 0; round < 20; round++) {
		pthread_t threads[THREADS];

		start(threads, THREADS, add_one);
		join(threads, THREADS);
	}
	printf("%ld\n", shared);
	return 0;
}

static int many(void)
{
	return together(add_one, 40);
}

static int detached(void)
{
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	for (long i = 0; i < 10; i++)
		pthread_create(&thread, &attributes, add_one, (void *)i);
	while (__atomic_load_n(&shared, __ATOMIC_SEQ_CST) < 10)
		usleep(1000);
	puts("10");
	return 0;
}

static void *never_end(void *arg)
{
	(void)arg;
	for (;;)
		shared++;
	return NULL;
}

/* The others never stop by themselves. */
static int never(void)
{
	pthread_t threads[THREADS];

	start(threads, THREADS, never_end);
	work(0, 100000);
	puts("enough");
	return 3;
}

/* The first thread ends before the others. */
static int orphans(void)
{
	pthread_t thread;

	for (long i = 0; i < THREADS; i++) {
		pthread_create(&thread, NULL, add_one, (void *)i);
		pthread_detach(thread);
	}
	pthread_exit(NULL);
}

static int *volatile nowhere;

static void *die(void *arg)
{
	work((long)arg, 1000);
	if (arg == (void *)2)
		*nowhere = 1;
	pause();
	return NULL;
}

static int dies(void)
{
	return together(die, THREADS);
}

static int deadlock(void)
{
	puts("ready");
	fflush(stdout);
	pthread_mutex_lock(&mutex);
	return together(use_locks, THREADS);
}

static int forever(void)
{
	puts("ready");
	fflush(stdout);
	return together(never_end, THREADS);
}

/* --- the machine --- */

static void *bind_itself(void *arg)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(3 - (long)arg, &set);
	pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
	if (arg == (void *)3) { /* one that does not exist */
		CPU_ZERO(&set);
		CPU_SET(1000, &set);
		pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
	}
	work((long)arg, 5000);
	return NULL;
}

static int bound(void)
{
	return together(bind_itself, THREADS);
}

/* As libnuma does it; a kernel without NUMA support refuses. */
static int policies(void)
{
	enum { BIND = 2, INTERLEAVE = 3, BYTES = 1 << 16, ROOM = 64 << 20 };
	unsigned long nodes = 1;
	/* Larger than any hole: caches hold lines of what was mapped there, such as ld.so.cache. */
	char *memory = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	syscall(SYS_mbind, memory, (unsigned long)BYTES, BIND, &nodes, 64ul, 0u);
	nodes = 3;
	syscall(SYS_set_mempolicy, INTERLEAVE, &nodes, 64ul);
	memset(memory, 1, BYTES);
	syscall(SYS_set_mempolicy, 0, NULL, 0ul);
	puts("placed");
	return 0;
}

/* Two processes, one mapping: each is an address space of its own. */
static int forks(void)
{
	volatile long *counter =
		mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t child = fork();

	for (int i = 0; i < 1000; i++)
		counter[child == 0]++;
	if (child == 0)
		_exit(0);
	waitpid(child, NULL, 0);
	printf("%ld\n", counter[0] + counter[1]);
	return 0;
}

static void *talk(void *arg)
{
	int *ends = arg;
	char letter;

	while (read(ends[0], &letter, 1) == 1 && letter != 'z') {
		letter++;
		if (write(ends[3], &letter, 1) != 1)
			break;
	}
	return NULL;
}

/* Threads that wait in a system call that is no futex. */
static int pipes(void)
{
	int ends[4];
	char letter = 'a';
	pthread_t thread;

	if (pipe(ends) != 0 || pipe(ends + 2) != 0)
		return 1;
	pthread_create(&thread, NULL, talk, ends);
	while (letter < 'z' && write(ends[1], &letter, 1) == 1 && read(ends[2], &letter, 1) == 1)
		putchar(letter);
	putchar('\n');
	if (write(ends[1], &letter, 1) != 1)
		return 1;
	pthread_join(thread, NULL);
	return 0;
}

/* A thread beside another makes a process, while both are in the middle of their turns. */
static void *make_process(void *arg)
{
	int status = 0;
	pid_t child;

	for (int i = 0; i < 1000; i++)
		shared++;
	child = fork();
	if (child == 0) {
		for (int i = 0; i < 1000; i++)
			shared++;
		_exit(3);
	}
	if (child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status))
		printf("its child returned %d\n", WEXITSTATUS(status));
	return arg;
}

static int breeds(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, make_process, NULL);
	for (int i = 0; i < 100000; i++)
		own[0][i % WORK]++;
	pthread_join(thread, NULL);
	return 0;
}

static const struct {
	const char *name;
	int (*play)(void);
} scenes[] = {
	{ "locks", locks },       { "c11", c11 },
	{ "spins", spins },       { "pauses", pauses },
	{ "rests", rests },       { "yields", yields },
	{ "atomics", atomics },   { "registers", registers },
	{ "near", near },         { "far", far },
	{ "reused", reused },     { "many", many },
	{ "detached", detached }, { "never", never },
	{ "orphans", orphans },   { "dies", dies },
	{ "deadlock", deadlock }, { "forever", forever },
	{ "bound", bound },       { "policies", policies },
	{ "forks", forks },       { "pipes", pipes },
	{ "breeds", breeds },     { "locked", locked },
	{ "gives-up", gives_up }, { "allocates", allocates },
	{ "adds", adds },
};

int main(int argc, char *argv[])
{
	for (size_t i = 0; argc == 2 && i < sizeof(scenes) / sizeof(scenes[0]); i++)
		if (strcmp(scenes[i].name, argv[1]) == 0)
			return scenes[i].play();
	return 99;
}
