/*
 * Threads that sleep, stop or end unexpectedly: other threads must not wait for them for
 * ever.
 *
 *    program faults    one sleeps in a page fault that another handles
 *    program stopped   one is stopped by ptrace until another has worked
 *    program stops     all are stopped, and go on, in the midst of their work
 *    program signals   one turns round a loop until another one's handler has run
 *    program calls     one makes system calls that do not wait
 *    program forks     one forks while the others work, and so do its children
 *    program ends      they end while others wait
 *    program quits     one ends the program
 *    program executes  one executes another program, which says "ok"
 *
 * 77: the kernel does not permit it.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 3, WORDS = 1 << 12, PAGE = 4096, PAGES = 20, REFUSED = 77 };

static volatile long tables[THREADS + 1][WORDS];
static atomic_int over;
static atomic_int at_work;

static __attribute__((noinline)) void work(long me, long rounds)
{
	for (long r = 0; r < rounds; r++)
		for (long i = 0; i < WORDS; i++)
			tables[me][i * 7 % WORDS] += i;
}

static void *work_until_over(void *arg)
{
	atomic_fetch_add(&at_work, 1);
	while (!atomic_load(&over))
		work((long)arg, 1);
	return arg;
}

static void begin_all(pthread_t threads[THREADS])
{
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work_until_over, (void *)i);
	while (atomic_load(&at_work) < THREADS)
		usleep(1000);
}

static void end_all(pthread_t threads[THREADS])
{
	atomic_store(&over, 1);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

/* --- faults --- */

static char *faulting;

static void *handle_faults(void *arg)
{
	static char page[PAGE];
	int fd = *(int *)arg;

	for (int i = 0; i < PAGES; i++) {
		struct uffd_msg message;

		if (read(fd, &message, sizeof(message)) != sizeof(message))
			exit(1);
		work(1, 5);
		memset(page, 'a' + i, PAGE);
		struct uffdio_copy copy = { .dst = message.arg.pagefault.address & -PAGE,
					    .src = (unsigned long)page,
					    .len = PAGE };
		if (ioctl(fd, UFFDIO_COPY, &copy) != 0)
			exit(1);
	}
	return NULL;
}

static int faults(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);
	pthread_t handler;

	faulting = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			0);
	struct uffdio_register all = { .range = { (unsigned long)faulting, PAGES * PAGE },
				       .mode = UFFDIO_REGISTER_MODE_MISSING };
	if (fd < 0 || ioctl(fd, UFFDIO_API, &api) != 0 || ioctl(fd, UFFDIO_REGISTER, &all) != 0)
		return REFUSED;
	pthread_create(&handler, NULL, handle_faults, &fd);
	for (int i = 0; i < PAGES; i++) {
		work(0, 5);
		if (faulting[i * PAGE] != 'a' + i)
			return 1;
	}
	pthread_join(handler, NULL);
	return 0;
}

/* --- stopped --- */

static atomic_int held; /* the thread's number */

static void *is_held(void *arg)
{
	atomic_store(&held, gettid());
	return work_until_over(arg);
}

/* In a child: stops the thread until something can be read. */
static int hold(pid_t thread, int from, int to)
{
	char c = 'h';
	int status;

	if (ptrace(PTRACE_SEIZE, thread, NULL, NULL) != 0 ||
	    ptrace(PTRACE_INTERRUPT, thread, NULL, NULL) != 0 ||
	    waitpid(thread, &status, __WALL) != thread)
		c = 'r';
	if (write(to, &c, 1) != 1 || read(from, &c, 1) != 1)
		return 1;
	ptrace(PTRACE_DETACH, thread, NULL, NULL);
	return 0;
}

static int stopped(void)
{
	int to[2], from[2];
	pthread_t thread;
	char c = 0;

	if (pipe(to) != 0 || pipe(from) != 0)
		return 1;
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
	pthread_create(&thread, NULL, is_held, (void *)1L);
	while (atomic_load(&held) == 0)
		usleep(1000);
	work(0, 50);
	pid_t child = fork();
	if (child == 0)
		_exit(hold(atomic_load(&held), to[0], from[1]));
	if (read(from[0], &c, 1) != 1)
		return 1;
	work(0, 300);
	atomic_store(&over, 1);
	if (write(to[1], &c, 1) != 1)
		return 1;
	pthread_join(thread, NULL);
	waitpid(child, NULL, 0);
	return c == 'r' ? REFUSED : 0;
}

static int stops(void)
{
	pthread_t threads[THREADS];
	pid_t parent = getpid();
	int status;

	begin_all(threads);
	pid_t child = fork();
	for (int i = 0; child == 0 && i < 10; i++) {
		kill(parent, SIGSTOP);
		usleep(10000);
		kill(parent, SIGCONT);
		usleep(10000);
	}
	if (child == 0)
		_exit(0);
	waitpid(child, &status, 0);
	end_all(threads);
	return status;
}

/* --- signals --- */

static atomic_int handled;

static void handle(int signal)
{
	(void)signal;
	atomic_fetch_add(&handled, 1);
}

static int signals(void)
{
	pthread_t threads[THREADS];

	signal(SIGUSR1, handle);
	begin_all(threads);
	for (int i = 0; i < 30; i++) {
		pthread_kill(threads[i % THREADS], SIGUSR1);
		while (atomic_load(&handled) <= i)
			;
	}
	end_all(threads);
	return 0;
}

/* It does not wait for all others with each of them. */
static int calls(void)
{
	pthread_t threads[THREADS];

	begin_all(threads);
	for (int i = 0; i < 10000; i++)
		syscall(SYS_getppid);
	end_all(threads);
	return 0;
}

/* --- processes, and ends --- */

static int forks(void)
{
	pthread_t threads[THREADS];
	int status, bad = 0;

	begin_all(threads);
	for (int i = 0; i < 20; i++) {
		work(THREADS, 20);
		pid_t child = fork();
		if (child == 0) {
			work(THREADS, 5);
			_exit(i);
		}
		waitpid(child, &status, 0);
		bad += !WIFEXITED(status) || WEXITSTATUS(status) != i;
	}
	end_all(threads);
	return bad;
}

static void *work_a_little(void *arg)
{
	work((long)arg, 10);
	return arg;
}

static int ends(void)
{
	pthread_t threads[THREADS], short_one;

	begin_all(threads);
	for (int i = 0; i < 50; i++) {
		pthread_create(&short_one, NULL, work_a_little, (void *)(long)THREADS);
		pthread_join(short_one, NULL);
	}
	end_all(threads);
	return 0;
}

static int quits(void)
{
	pthread_t threads[THREADS];

	begin_all(threads);
	work(THREADS, 100);
	return 0; /* the others are at work */
}

static void *execute(void *arg)
{
	work(THREADS, 100);
	execlp("echo", "echo", "ok", (char *)NULL);
	return arg;
}

static int executes(void)
{
	pthread_t threads[THREADS], one;

	begin_all(threads);
	pthread_create(&one, NULL, execute, NULL);
	pthread_join(one, NULL);
	return 1;
}

/* --- all --- */

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(void);
	} modes[] = {
		{ "faults", faults },   { "stopped", stopped }, { "stops", stops },
		{ "signals", signals }, { "calls", calls },     { "forks", forks },
		{ "ends", ends },       { "quits", quits },     { "executes", executes },
	};

	for (unsigned i = 0; argc == 2 && i < sizeof(modes) / sizeof(modes[0]); i++)
		if (strcmp(argv[1], modes[i].name) == 0) {
			int bad = modes[i].run();

			if (bad == 0)
				puts("ok");
			return bad;
		}
	return 2;
}
