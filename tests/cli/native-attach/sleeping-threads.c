/*
 * Programs that memspy attaches to while they wait, or are sent signals.
 *
 *    waits reads     waits for its input all the time
 *    waits joins     its first thread waits for one that works until the input ends
 *    waits signals   counts the signals of a child: each has a value, none is lost
 *    waits works     works until SIGUSR1, a little longer, and then waits for its input
 */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int over;
static volatile long table[1 << 12];

static __attribute__((noinline)) void fill(void)
{
	for (long i = 0; i < 1 << 12; i++)
		table[i * 7 % (1 << 12)] += i;
}

static int reads(void)
{
	char c;

	printf("ready\n");
	printf("read %zd\n", read(0, &c, 1));
	return 5;
}

static void *work(void *arg)
{
	while (!over)
		fill();
	return arg;
}

static void *wait_for_end(void *arg)
{
	char c;

	(void)!read(0, &c, 1);
	over = 1;
	return arg;
}

static int joins(void)
{
	pthread_t worker, waiter;

	pthread_create(&waiter, NULL, wait_for_end, NULL);
	pthread_create(&worker, NULL, work, NULL);
	printf("ready\n");
	pthread_join(worker, NULL);
	pthread_join(waiter, NULL);
	return 6;
}

/* Of both processes: how many signals were sent, and came. */
struct both {
	volatile long sent;
	atomic_long count; /* one of them may interrupt another */
};
static struct both *both;
static atomic_long sum;

static void take(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)context;
	both->count++;
	sum += info->si_value.sival_int;
}

/*
 * Until the input ends. Never so many at a time that the kernel looks for the next one in a long
 * queue: of some 100,000 that a fast sender is ahead, that takes minutes, without memspy, too.
 */
static void send_all(pid_t to)
{
	enum { AHEAD = 200 };
	const union sigval value = { .sival_int = 3 };
	struct pollfd input = { .fd = 0, .events = POLLIN };

	while (poll(&input, 1, 0) == 0) {
		if (both->sent - both->count > AHEAD)
			usleep(2000); /* it is not in a handler all the time */
		else
			for (int i = 0; i < 20; i++)
				both->sent +=
					sigqueue(to, i % 2 ? SIGRTMAX : SIGRTMIN + 1, value) == 0;
	}
}

static int signals(void)
{
	struct sigaction action = { .sa_sigaction = take, .sa_flags = SA_SIGINFO | SA_RESTART };
	pid_t parent = getpid();

	both = mmap(NULL, sizeof(*both), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	sigaction(SIGRTMIN + 1, &action, NULL);
	sigaction(SIGRTMAX, &action, NULL);
	printf("ready\n");
	pid_t child = fork();
	if (child == 0) {
		send_all(parent);
		_exit(0);
	}
	while (waitpid(child, NULL, WNOHANG) == 0)
		fill();
	printf("lost %ld, with their values %ld\n", both->sent - both->count, both->sent - sum / 3);
	return 7;
}

static void stop_working(int signal)
{
	(void)signal;
	over = 1;
}

static int works(void)
{
	char c;

	signal(SIGUSR1, stop_working);
	printf("ready\n");
	while (!over)
		fill();
	for (int i = 0; i < 100; i++)
		fill();
	return (int)read(0, &c, 1) + 8;
}

int main(int argc, char **argv)
{
	setlinebuf(stdout);
	if (argc == 2 && strcmp(argv[1], "reads") == 0)
		return reads();
	if (argc == 2 && strcmp(argv[1], "joins") == 0)
		return joins();
	if (argc == 2 && strcmp(argv[1], "works") == 0)
		return works();
	return argc == 2 && strcmp(argv[1], "signals") == 0 ? signals() : 2;
}
