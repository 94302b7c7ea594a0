/*
 * build: -O1 -g -pthread
 *
 * coroutines.c - coroutines on stacks of 4 KiB, with a pattern below each of them that nothing but
 * an overflow overwrites:
 *
 *    coroutines one        one thread, makecontext()
 *    coroutines allocates  likewise, which allocates memory there
 *    coroutines many       64 coroutines that four threads run in turns (M:N)
 *    coroutines handlers   handlers on an alternate stack that switch to another coroutine, which
 *                          switches back
 *    coroutines preempt    handlers on the coroutines' own stacks that do so
 *    coroutines signals    coroutines that were made by handlers on alternate stacks
 *
 * Each prints how many words below its stacks have changed, which must be none, and what its
 * coroutines have computed.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

enum { SMALL = 4096, BELOW = 32768, LARGE = 65536, THREADS = 4, COROUTINES = 64, PARTS = 60 };
static const uint64_t pattern = UINT64_C(0x5afe57ac4b10c4ed);
static volatile uint64_t sink;

struct coroutine {
	ucontext_t context;
	char *memory;
	size_t size; /* of its stack */
	volatile uint64_t seed;
	int parts;
	struct coroutine *next;
};

static void make_stack(struct coroutine *c, size_t size)
{
	c->size = size;
	c->memory = mmap(NULL, BELOW + size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			 -1, 0);
	if (c->memory == MAP_FAILED)
		exit(2);
	for (size_t i = 0; i < BELOW / 8; i++)
		((uint64_t *)c->memory)[i] = pattern;
}

static long damage(const struct coroutine *c)
{
	long words = 0;

	for (size_t i = 0; i < BELOW / 8; i++)
		words += ((const uint64_t *)c->memory)[i] != pattern;
	return words;
}

/* No call, no stack. */
static uint64_t work(uint64_t x, int n)
{
	static const uint64_t table[4] = { 1, 3, 5, 7 };

	for (int i = 0; i < n; i++)
		x = (x ^ x >> 7) * UINT64_C(0x9e3779b97f4a7c15) + table[x & 3];
	return x;
}

/* --- one --- */

static ucontext_t home;

static void alone(unsigned high, unsigned low)
{
	struct coroutine *c = (struct coroutine *)((uintptr_t)high << 32 | low);

	for (int i = 0; i < PARTS; i++) {
		c->seed = work(c->seed, 1000000);
		swapcontext(&c->context, &home);
	}
}

static void allocating(unsigned high, unsigned low)
{
	struct coroutine *c = (struct coroutine *)((uintptr_t)high << 32 | low);
	void *blocks[8] = { NULL };

	for (int i = 0; i < PARTS; i++) {
		for (int k = 0; k < 5000; k++) {
			free(blocks[k % 8]);
			blocks[k % 8] = malloc((size_t)(k * 7 % 3000 + 1));
		}
		c->seed = work(c->seed, 100000);
		swapcontext(&c->context, &home);
	}
}

static void start(struct coroutine *c, void (*body)(unsigned, unsigned), size_t size)
{
	make_stack(c, size);
	getcontext(&c->context);
	c->context.uc_stack.ss_sp = c->memory + BELOW;
	c->context.uc_stack.ss_size = size;
	c->context.uc_link = NULL;
	makecontext(&c->context, (void (*)(void))body, 2, (unsigned)((uintptr_t)c >> 32),
		    (unsigned)(uintptr_t)c);
}

static void one(void)
{
	struct coroutine c = { .seed = 1 };

	start(&c, alone, SMALL);
	for (int i = 0; i < PARTS; i++) {
		swapcontext(&home, &c.context);
		/* A new alternate stack between any two parts. */
		sigaltstack(&(stack_t){ .ss_sp = malloc(LARGE), .ss_size = LARGE }, NULL);
	}
	printf("%ld words changed, result %016llx\n", damage(&c), (unsigned long long)c.seed);
}

static void allocates(void)
{
	struct coroutine c = { .seed = 1 };

	free(malloc(3000)); /* the C library's first use of its own memory is deeper */
	start(&c, allocating, SMALL);
	for (int i = 0; i < PARTS; i++)
		swapcontext(&home, &c.context);
	printf("%ld words changed, result %016llx\n", damage(&c), (unsigned long long)c.seed);
}

/* --- many --- */

static struct coroutine all[COROUTINES];
static struct coroutine *queue, **queue_end = &queue;
static int left = COROUTINES;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread ucontext_t scheduler;

/* Not inlined: a coroutine goes on in another thread. */
static __attribute__((noinline)) ucontext_t *here(void)
{
	ucontext_t *at = &scheduler;

	__asm__ volatile("" : "+r"(at));
	return at;
}

static void shared(unsigned high, unsigned low)
{
	struct coroutine *c = (struct coroutine *)((uintptr_t)high << 32 | low);

	for (;;) {
		c->seed = work(c->seed, 30000);
		c->parts++;
		swapcontext(&c->context, here());
	}
}

static void put(struct coroutine *c)
{
	c->next = NULL;
	*queue_end = c;
	queue_end = &c->next;
}

static struct coroutine *get(void)
{
	struct coroutine *c = queue;

	if (c != NULL) {
		queue = c->next;
		if (queue == NULL)
			queue_end = &queue;
	}
	return c;
}

static void *run(void *unused)
{
	(void)unused;
	for (;;) {
		pthread_mutex_lock(&lock);
		struct coroutine *c = get();
		int rest = left;
		pthread_mutex_unlock(&lock);
		if (rest == 0)
			return NULL;
		if (c == NULL) {
			usleep(100);
			continue;
		}
		swapcontext(&scheduler, &c->context);
		pthread_mutex_lock(&lock);
		if (c->parts < PARTS)
			put(c);
		else
			left--;
		pthread_mutex_unlock(&lock);
	}
}

static void many(void)
{
	pthread_t threads[THREADS];
	uint64_t sum = 0;
	long words = 0;

	for (int i = 0; i < COROUTINES; i++) {
		all[i].seed = (uint64_t)i + 1;
		start(&all[i], shared, SMALL);
		put(&all[i]);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < COROUTINES; i++) {
		words += damage(&all[i]);
		sum += all[i].seed;
	}
	printf("%ld words changed, result %016llx\n", words, (unsigned long long)sum);
}

/* --- handlers, preempt --- */

static struct coroutine pair[2], *running;
static volatile long switches;

/* The other coroutine goes on, from where it was interrupted, or from its start. */
static void switch_over(int signal)
{
	struct coroutine *from = running;

	(void)signal;
	switches++;
	running = &pair[from == &pair[0]];
	swapcontext(&from->context, &running->context);
}

static void forever(unsigned high, unsigned low)
{
	struct coroutine *c = (struct coroutine *)((uintptr_t)high << 32 | low);
	sigset_t alarms;

	sigemptyset(&alarms);
	sigaddset(&alarms, SIGALRM);
	sigprocmask(SIG_UNBLOCK, &alarms, NULL);
	for (;;)
		c->seed = work(c->seed, 1000) | 1;
}

static void tick(long microseconds)
{
	const struct timeval each = { .tv_usec = microseconds };

	setitimer(ITIMER_REAL, &(struct itimerval){ each, each }, NULL);
}

static void preempt(void)
{
	struct sigaction action = { .sa_handler = switch_over, .sa_flags = SA_RESTART };

	start(&pair[1], forever, LARGE);
	sigaddset(&pair[1].context.uc_sigmask, SIGALRM); /* until it has begun */
	running = &pair[0];
	sigaction(SIGALRM, &action, NULL);
	tick(1000);
	while (switches < 200)
		sink = work(sink, 1000);
	tick(0);
	printf("%ld words changed, it ran %d\n", damage(&pair[1]), pair[1].seed != 0);
}

/* A handler switches away from the alternate stack, and is switched back to. */
static void away_and_back(int signal)
{
	volatile uint64_t kept[64];

	(void)signal;
	for (int i = 0; i < 64; i++)
		kept[i] = pattern + (uint64_t)i;
	swapcontext(&home, &pair[1].context);
	for (int i = 0; i < 64; i++)
		pair[0].parts += kept[i] != pattern + (uint64_t)i;
	switches++;
}

static void and_back(unsigned high, unsigned low)
{
	struct coroutine *c = (struct coroutine *)((uintptr_t)high << 32 | low);

	for (;;) {
		c->seed = work(c->seed, 200000) | 1;
		swapcontext(&c->context, &home);
	}
}

static void handlers(void)
{
	struct sigaction action = { .sa_handler = away_and_back, .sa_flags = SA_ONSTACK };

	start(&pair[1], and_back, SMALL);
	sigaddset(&pair[1].context.uc_sigmask, SIGALRM); /* the handler is on the stack still */
	make_stack(&pair[0], 32768);
	sigaltstack(&(stack_t){ .ss_sp = pair[0].memory + BELOW, .ss_size = 32768 }, NULL);
	sigaction(SIGALRM, &action, NULL);
	/* One at a time: traced, the handler takes longer than a millisecond, and with the next
	 * signal waiting whenever it returns, this loop would go on by one block each time. */
	for (long before = 0; before < 200; before = switches) {
		setitimer(ITIMER_REAL, &(struct itimerval){ .it_value.tv_usec = 1000 }, NULL);
		while (switches == before)
			sink = work(sink, 1000);
	}
	printf("%ld words changed, %d in frames\n", damage(&pair[0]) + damage(&pair[1]),
	       pair[0].parts);
}

/* --- signals --- */

enum { MADE = 4, MADE_STACK = 16384 };
static struct coroutine made[MADE];
static jmp_buf inside[MADE], outside;
static volatile sig_atomic_t now, entered;

static void __attribute__((noinline)) body(int i)
{
	for (;;) {
		made[i].seed = work(made[i].seed, 100000);
		if (_setjmp(inside[i]) == 0)
			_longjmp(outside, 1);
	}
}

/* Returns the first time; the coroutine begins when it is jumped to. */
static void make(int signal)
{
	int i = now;

	(void)signal;
	if (_setjmp(inside[i]) != 0)
		body(i);
	entered = 1;
}

static void make_by_handler(int i)
{
	make_stack(&made[i], MADE_STACK);
	made[i].seed = (uint64_t)i + 1;
	sigaltstack(&(stack_t){ .ss_sp = made[i].memory + BELOW, .ss_size = MADE_STACK }, NULL);
	now = i;
	entered = 0;
	raise(SIGUSR1);
	while (!entered)
		;
	sigaltstack(&(stack_t){ .ss_flags = SS_DISABLE }, NULL);
}

static void signals(void)
{
	struct sigaction action = { .sa_handler = make, .sa_flags = SA_ONSTACK };
	volatile uint64_t sum = 0;
	volatile long words = 0;

	sigaction(SIGUSR1, &action, NULL);
	for (int i = 0; i < MADE; i++)
		make_by_handler(i);
	for (int part = 0; part < 200; part++)
		for (volatile int i = 0; i < MADE; i++)
			if (_setjmp(outside) == 0)
				_longjmp(inside[i], 1);
	for (int i = 0; i < MADE; i++) {
		words += damage(&made[i]);
		sum += made[i].seed;
	}
	printf("%ld words changed, result %016llx\n", words, (unsigned long long)sum);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} modes[] = {
		{ "one", one },           { "allocates", allocates }, { "many", many },
		{ "handlers", handlers }, { "preempt", preempt },     { "signals", signals }
	};

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (argc == 2 && strcmp(argv[1], modes[i].name) == 0) {
			modes[i].run();
			return 0;
		}
	fprintf(stderr, "usage: coroutines one|allocates|many|handlers|preempt|signals\n");
	return 1;
}
