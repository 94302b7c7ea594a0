/*
 * MODE: a program that has all signals blocked, and accepts them when it likes, the one that
 * windows open by (61) among them.
 *    threads   several wait for any signal, and get those that were sent, and no other
 *    begin     many threads begin, look whether they have inherited the mask, and for signals:
 * there are none file      reads all that come from a descriptor (signalfd), while another thread
 * works poll, select, epoll, suspend the handler runs while it waits, and at no other time once a
 * handler for the first one only (SA_RESETHAND)
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum {
	WORDS = 4096,
	SENT = 2000,
	TAKERS = 4,
	TIMES = 100,
	LOOKS = 800,
	OURS = 61,
	FIRST = 34,
	KINDS = 31
};

static volatile long table[WORDS];
static atomic_int taken, wrong, over, handled;
static sigset_t everything;

static void work_on(int words)
{
	for (int i = 0; i < words; i++)
		table[i] += i;
}

static void work(int rounds)
{
	for (int r = 0; r < rounds; r++)
		work_on(WORDS);
}

static void count(int signal)
{
	(void)signal;
	handled++;
}

static void handle(int flags)
{
	const struct sigaction wanted = { .sa_handler = count, .sa_flags = flags };

	sigaction(OURS, &wanted, NULL);
}

/* --- whoever is first --- */

static void *take(void *unused)
{
	const struct timespec soon = { 0, 5000000 };
	siginfo_t info;

	while (!over) {
		int signal = sigtimedwait(&everything, &info, &soon);

		if (signal > 0) {
			wrong += info.si_code != SI_QUEUE ||
				 signal != FIRST + info.si_value.sival_int % KINDS;
			taken++;
		}
		work(2);
	}
	return unused;
}

static int threads(void)
{
	pthread_t takers[TAKERS];

	for (int i = 0; i < TAKERS; i++)
		pthread_create(&takers[i], NULL, take, NULL);
	for (int i = 0; i < SENT; i++) {
		while (sigqueue(getpid(), FIRST + i % KINDS, (union sigval){ .sival_int = i }) != 0)
			usleep(1000);
		if (i % 50 == 0)
			usleep(1000);
	}
	for (int i = 0; i < 20000 && taken < SENT; i++)
		usleep(1000);
	over = 1;
	for (int i = 0; i < TAKERS; i++)
		pthread_join(takers[i], NULL);
	printf("%d taken, %d wrong\n", taken, wrong);
	return 0;
}

static void *look(void *unused)
{
	const struct timespec soon = { 0, 200000 };
	siginfo_t info;
	sigset_t mask;

	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	wrong += !sigismember(&mask, OURS);
	for (int i = 0; i < 6; i++) {
		wrong += sigtimedwait(&everything, &info, &soon) > 0;
		work(1);
	}
	return unused;
}

/* On one processor, so that threads interrupt one another at any point. */
static int begin(void)
{
	cpu_set_t one;
	pthread_t lookers[TAKERS];

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
	for (int round = 0; round < LOOKS; round++) {
		for (int i = 0; i < TAKERS; i++) {
			pthread_create(&lookers[i], NULL, look, NULL);
			work_on(round * 37 % WORDS);
		}
		for (int i = 0; i < TAKERS; i++)
			pthread_join(lookers[i], NULL);
	}
	printf("%d wrong\n", wrong);
	return 0;
}

static void *busy(void *unused)
{
	while (!over)
		work(1);
	return unused;
}

/* It may go by way of the other thread, for a moment. */
static bool is_read(int fd, struct signalfd_siginfo *info)
{
	enum { TRIES = 10000 };
	struct pollfd ready = { .fd = fd, .events = POLLIN };

	for (int i = 0; i < TRIES; i++) {
		poll(&ready, 1, 1);
		if (read(fd, info, sizeof(*info)) > 0)
			return true;
	}
	return false;
}

static int file(void)
{
	struct signalfd_siginfo info = { 0 };
	int fd = signalfd(-1, &everything, SFD_NONBLOCK);
	pthread_t thread;

	pthread_create(&thread, NULL, busy, NULL);
	for (int i = 0; i < TIMES; i++) {
		work(20);
		wrong += read(fd, &info, sizeof(info)) > 0;
		kill(getpid(), OURS);
		taken += is_read(fd, &info) && info.ssi_signo == OURS;
	}
	over = 1;
	pthread_join(thread, NULL);
	printf("%d taken, %d wrong\n", taken, wrong);
	return 0;
}

/* --- handled while it waits --- */

static void *send_all(void *unused)
{
	while (!over) {
		int before = handled;

		kill(getpid(), OURS);
		while (handled == before && !over)
			usleep(100);
	}
	return unused;
}

static int wait_by(const char *how, const sigset_t *meanwhile)
{
	static int fd = -1;
	struct epoll_event event;

	if (strcmp(how, "poll") == 0)
		return ppoll(NULL, 0, NULL, meanwhile);
	if (strcmp(how, "select") == 0)
		return pselect(0, NULL, NULL, NULL, NULL, meanwhile);
	if (strcmp(how, "suspend") == 0)
		return sigsuspend(meanwhile);
	if (fd < 0)
		fd = epoll_create1(0);
	return epoll_pwait(fd, &event, 1, -1, meanwhile);
}

static int waits(const char *how)
{
	sigset_t but_ours = everything;
	pthread_t thread;

	sigdelset(&but_ours, OURS);
	handle(0);
	pthread_create(&thread, NULL, send_all, NULL);
	for (int i = 0; i < TIMES; i++) {
		int before = handled;
		int result = wait_by(how, &but_ours);

		wrong += result != -1 || errno != EINTR || handled != before + 1;
		work(30);
		wrong += handled != before + 1;
	}
	over = 1;
	pthread_join(thread, NULL);
	/* A window may end in the very moment: natively none, with memspy once in some runs. */
	printf("%s wrong\n", wrong < TIMES / 10 ? "next to none" : "many");
	return 0;
}

static int once(void)
{
	struct sigaction now;

	sigprocmask(SIG_UNBLOCK, &everything, NULL);
	handle(SA_RESETHAND);
	work(50);
	raise(OURS);
	work(50);
	sigaction(OURS, NULL, &now);
	printf("%d handled, %d by default\n", handled, now.sa_handler == SIG_DFL);
	return 0;
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";

	sigfillset(&everything);
	sigprocmask(SIG_SETMASK, &everything, NULL);
	if (strcmp(mode, "threads") == 0)
		return threads();
	if (strcmp(mode, "begin") == 0)
		return begin();
	if (strcmp(mode, "file") == 0)
		return file();
	if (strcmp(mode, "once") == 0)
		return once();
	return waits(mode);
}
