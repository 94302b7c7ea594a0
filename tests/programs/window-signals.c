/* Handles, blocks and reads back a signal that memspy has for itself, again and again: a window
 * begins and ends at any moment of it. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static volatile int got;
static volatile long sum;

static void one(int signal)
{
	(void)signal;
	got += 1;
}

static void two(int signal)
{
	(void)signal;
	got += 2;
}

static int is_blocked(int signal)
{
	sigset_t now;

	sigprocmask(SIG_SETMASK, NULL, &now);
	return sigismember(&now, signal);
}

int main(int argc, char **argv)
{
	int signal = argc > 1 ? atoi(argv[1]) : 61, n = argc > 2 ? atoi(argv[2]) : 30000;
	int actions = 0, signals = 0, masks = 0;
	sigset_t mask, before;

	sigemptyset(&mask);
	sigaddset(&mask, signal);
	for (int i = 0; i < n; i++) {
		struct sigaction wanted = { .sa_handler = i % 2 ? one : two }, now;
		int was = got;

		sigaction(signal, &wanted, NULL);
		for (int k = 0; k < i * 7 % 50; k++)
			sum += k;
		sigaction(signal, NULL, &now);
		actions += now.sa_handler != wanted.sa_handler;
		raise(signal);
		signals += got != was + (i % 2 ? 1 : 2);
		sigprocmask(SIG_BLOCK, &mask, NULL);
		masks += !is_blocked(signal);
		sigprocmask(SIG_UNBLOCK, &mask, NULL);
		masks += is_blocked(signal);
		sigprocmask(SIG_SETMASK, &mask, &before);
		masks += !is_blocked(signal);
		sigprocmask(SIG_SETMASK, &before, NULL);
		masks += is_blocked(signal);
	}
	printf("wrong: %d actions, %d signals, %d masks\n", actions, signals, masks);
	return 0;
}
