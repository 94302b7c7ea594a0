/*
 * A thread is stopped by ptrace while it holds locks of memspy's runtime, until another thread has
 * executed new code, which needs the same locks.
 *
 *    lock-holder-stopped        natively: stops the thread wherever it is
 *    lock-holder-stopped parent stops its parent (memspy) first: the thread executes new code until
 *                               no more descriptions of code fit into memspy's ring, and waits
 *                               there, with its locks held
 *
 * 77: the kernel does not permit ptrace.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REFUSED = 77, SETTLED = 20 };

static volatile long table[64];

/* Many functions, so that there is much code to translate. */
#define F(n)                                               \
	static __attribute__((noinline)) void f##n(long x) \
	{                                                  \
		table[x & 63] += x;                        \
		if (table[(x + 1) & 63] == 12345678)       \
			table[(x + 3) & 63]++;             \
		table[(x + 2) & 63] -= x;                  \
	}
#define F4(n)    F(n##0) F(n##1) F(n##2) F(n##3)
#define F16(n)   F4(n##0) F4(n##1) F4(n##2) F4(n##3)
#define F64(n)   F16(n##0) F16(n##1) F16(n##2) F16(n##3)
#define F256(n)  F64(n##0) F64(n##1) F64(n##2) F64(n##3)
#define F1024(n) F256(n##0) F256(n##1) F256(n##2) F256(n##3)
#define P(n)     f##n,
#define P4(n)    P(n##0) P(n##1) P(n##2) P(n##3)
#define P16(n)   P4(n##0) P4(n##1) P4(n##2) P4(n##3)
#define P64(n)   P16(n##0) P16(n##1) P16(n##2) P16(n##3)
#define P256(n)  P64(n##0) P64(n##1) P64(n##2) P64(n##3)
#define P1024(n) P256(n##0) P256(n##1) P256(n##2) P256(n##3)

/* clang-format off */
F1024(a)
F64(own)
static void (*const its_code[])(long) = { P1024(a) };
static void (*const other_code[])(long) = { P64(own) };
/* clang-format on */

static struct shared {
	atomic_int thread, go, over;
	atomic_long calls;
} * shared;

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void *call_all(void *arg)
{
	atomic_store(&shared->thread, gettid());
	while (!atomic_load(&shared->go))
		usleep(1000);
	for (size_t i = 0; i < COUNT(its_code); i++) {
		its_code[i]((long)i);
		atomic_fetch_add(&shared->calls, 1);
	}
	while (!atomic_load(&shared->over))
		usleep(1000);
	return arg;
}

/* A thread that waits for a processor does not sleep. */
static bool is_asleep(pid_t process, pid_t thread)
{
	char path[64], state = 0;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", process, thread);
	FILE *f = fopen(path, "r");
	if (f == NULL)
		return false;
	bool known = fscanf(f, "%*d (%*[^)]) %c", &state) == 1;
	fclose(f);
	return known && state == 'S';
}

/* Until the thread sleeps, and makes no progress for a while. */
static void wait_for_rest(pid_t process, pid_t thread)
{
	long was = -1;

	for (int still = 0; still < SETTLED; usleep(10000)) {
		long now = atomic_load(&shared->calls);

		still = now == was && is_asleep(process, thread) ? still + 1 : 0;
		was = now;
	}
}

/* In a child. */
static int hold(pid_t reader, int from, int to)
{
	pid_t thread = atomic_load(&shared->thread);
	char c = 'h';
	int status;

	if (reader != 0)
		kill(reader, SIGSTOP);
	atomic_store(&shared->go, 1);
	wait_for_rest(getppid(), thread);
	if (ptrace(PTRACE_SEIZE, thread, NULL, NULL) != 0 ||
	    ptrace(PTRACE_INTERRUPT, thread, NULL, NULL) != 0 ||
	    waitpid(thread, &status, __WALL) != thread)
		c = 'r';
	if (reader != 0)
		kill(reader, SIGCONT);
	if (write(to, &c, 1) != 1 || read(from, &c, 1) != 1)
		return 1;
	ptrace(PTRACE_DETACH, thread, NULL, NULL);
	return 0;
}

int main(int argc, char **argv)
{
	pid_t reader = argc == 2 && strcmp(argv[1], "parent") == 0 ? getppid() : 0;
	int to[2], from[2];
	pthread_t thread;
	char c = 0;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (shared == MAP_FAILED || pipe(to) != 0 || pipe(from) != 0)
		return 1;
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
	pthread_create(&thread, NULL, call_all, NULL);
	while (atomic_load(&shared->thread) == 0)
		usleep(1000);
	pid_t child = fork();
	if (child == 0)
		_exit(hold(reader, to[0], from[1]));
	if (read(from[0], &c, 1) != 1)
		return 1;
	for (size_t i = 0; i < COUNT(other_code); i++)
		other_code[i]((long)i);
	atomic_store(&shared->over, 1);
	if (write(to[1], &c, 1) != 1)
		return 1;
	pthread_join(thread, NULL);
	waitpid(child, NULL, 0);
	puts("ok");
	return c == 'r' ? REFUSED : 0;
}
