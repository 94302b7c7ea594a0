# A program that uses the signal of memspy's timer itself gets the signals of its own timers, descriptors and messages, and is
# sampled.
signal=$(sed -n 's/.*MS_SIGNALS_TIMER_SIGNAL = \([0-9]*\).*/\1/p' "$SRC/frontends/native/signals/cpu_timer.h")
cat >reuse.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
static volatile sig_atomic_t timers, queued, ready, value, others;
static volatile long turns;
static void arrive(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)context;
	if (info->si_code == SI_TIMER)
		timers++, value = info->si_value.sival_int;
	else if (info->si_code == SI_QUEUE)
		queued++;
	else if (info->si_code == POLL_IN)
		ready++;
	else
		others++;
}
static double now(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}
static void compute(void)
{
	for (double until = now(CLOCK_PROCESS_CPUTIME_ID) + 0.3; now(CLOCK_PROCESS_CPUTIME_ID) < until;)
		for (int i = 0; i < 10000; i++)
			turns++;
}
static void reuse(int signal)
{
	struct sigaction action = { .sa_sigaction = arrive, .sa_flags = SA_SIGINFO | SA_RESTART };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = signal, .sigev_value.sival_int = 4711 };
	struct itimerspec every = { { 0, 10000000 }, { 0, 10000000 } };
	int ends[2];
	timer_t timer;
	sigaction(signal, &action, NULL);
	if (timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer) != 0 || pipe(ends) != 0)
		exit(1);
	timer_settime(timer, 0, &every, NULL);
	fcntl(ends[0], F_SETOWN, getpid());
	fcntl(ends[0], F_SETSIG, signal);
	fcntl(ends[0], F_SETFL, O_ASYNC);
	for (int i = 0; i < 5; i++)
		sigqueue(getpid(), signal, (union sigval){ 1 });
	if (write(ends[1], "x", 1) != 1)
		exit(1);
	compute();
	printf("timers %d %d, queued %d, ready %d, others %d\n", timers > 5, (int)value, (int)queued, (int)ready, (int)others);
}
int main(int argc, char **argv)
{
	int number = atoi(argv[2]);
	if (argc < 3)
		return 2;
	if (strcmp(argv[1], "reuse") == 0) {
		reuse(number);
	} else if (strcmp(argv[1], "ignore") == 0) {
		signal(number, SIG_IGN);
		raise(number);
		compute();
		puts("it lives");
	} else { /* it ends the program */
		compute();
		puts("and dies");
		fflush(stdout);
		raise(number);
	}
	return 0;
}
END
gcc -std=gnu17 -O1 -g -o reuse reuse.c || echo "gcc reuse.c"
for what in reuse ignore default; do
	./reuse $what "$signal" >alone
	echo "status $?" >>alone
	"$MEMSPY" sample --event timer --rate 1000 -q --db runs.db --json -o $what.json ./reuse $what "$signal" >out
	echo "status $?" >>out
	echo "$what: $(cat out)"
	cmp alone out && python3 -c '
import json, sys
print("samples:", json.load(open(sys.argv[1]))["run"]["hardware"]["samples"] > 20)' $what.json
done 2>/dev/null
# One that blocks it: what is sent to it waits until it is taken or unblocked, as without memspy, and threads and children
# have it blocked, too.
cat >block.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static volatile sig_atomic_t handled, value;
static volatile long turns;
static sigset_t one, none;
static int number;
static void arrive(int signal, siginfo_t *info, void *context)
{
	(void)signal, (void)context;
	handled++, value = info->si_value.sival_int;
}
static void compute(double seconds)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	for (double until = t.tv_sec + t.tv_nsec / 1e9 + seconds; t.tv_sec + t.tv_nsec / 1e9 < until;) {
		for (int i = 0; i < 10000; i++)
			turns++;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	}
}
static void send(int what)
{
	sigqueue(getpid(), number, (union sigval){ .sival_int = what });
}
static int blocked(void)
{
	sigset_t now;
	pthread_sigmask(SIG_BLOCK, NULL, &now);
	return sigismember(&now, number);
}
static int pending(void)
{
	sigset_t now;
	sigpending(&now);
	return sigismember(&now, number);
}
static void *wait_for_all(void *arg)
{
	int sum = 0;
	siginfo_t info;
	for (int n = 0; n < 30;)
		if (sigwaitinfo(&one, &info) == number)
			n++, sum += info.si_value.sival_int;
	printf("thread: %d %d\n", blocked(), sum);
	return arg;
}
/* One that was sent to it before it has begun. */
static void *wait_for_one(void *arg)
{
	siginfo_t info;
	*(int *)arg += sigwaitinfo(&one, &info) == number && blocked();
	return arg;
}
static void *send_to(void *arg)
{
	for (int i = 0; i < 100; i++) {
		pthread_sigqueue(*(pthread_t *)arg, number, (union sigval){ .sival_int = i });
		while (handled == i)
			usleep(100);
	}
	return arg;
}
static void use(const char *what)
{
	struct signalfd_siginfo got[4];
	siginfo_t info;
	pthread_t thread;
	int status, fd, sum = 0;
	if (strcmp(what, "wait") == 0) {
		send(5), send(6), compute(0.02);
		printf("%d", pending());
		printf(" %d", sigwaitinfo(&one, &info) == number ? info.si_value.sival_int : -1);
		printf(" %d", sigwaitinfo(&one, &info) == number ? info.si_value.sival_int : -1);
		printf(" %d\n", pending());
	} else if (strcmp(what, "descriptor") == 0) {
		send(5), send(6);
		fd = signalfd(-1, &one, SFD_NONBLOCK);
		printf("%d\n", (int)(read(fd, got, sizeof(got)) / (ssize_t)sizeof(*got)));
	} else if (strcmp(what, "unblock") == 0) {
		for (int i = 0; i < 20; i++) {
			sigset_t was;
			send(i), compute(0.002);
			if (handled != i || !blocked())
				puts("too early");
			sigprocmask(SIG_SETMASK, &none, &was);
			if (handled != i + 1 || value != i || !sigismember(&was, number) || blocked())
				puts("too late");
			compute(0.002);
			sigprocmask(SIG_BLOCK, &one, NULL);
		}
	} else if (strcmp(what, "suspend") == 0) {
		for (int i = 0; i < 20; i++) {
			send(i), sigsuspend(&none);
			if (handled != i + 1)
				puts("not handled");
		}
	} else if (strcmp(what, "thread") == 0) {
		pthread_create(&thread, NULL, wait_for_all, NULL);
		for (int i = 0; i < 30; i++)
			compute(0.002), send(i);
		pthread_join(thread, NULL);
	} else if (strcmp(what, "begin") == 0) {
		for (int i = 0; i < 50; i++) {
			pthread_create(&thread, NULL, wait_for_one, &sum);
			sigprocmask(SIG_UNBLOCK, &one, NULL);
			pthread_kill(thread, number);
			pthread_join(thread, NULL);
			sigprocmask(SIG_BLOCK, &one, NULL);
		}
		printf("threads: %d\n", sum);
	} else if (strcmp(what, "handle") == 0) {
		pthread_t self = pthread_self();
		pthread_create(&thread, NULL, send_to, &self);
		for (int i = 0; i < 100; i++) {
			compute(0.001);
			while (handled <= i)
				sigsuspend(&none);
		}
		pthread_join(thread, NULL);
	} else if (fork() == 0) {
		signal(number, SIG_DFL);
		raise(number);
		_exit(blocked() + 2 * (sigwaitinfo(&one, &info) == number));
	} else {
		wait(&status);
		printf("child: %d\n", WEXITSTATUS(status));
	}
}
int main(int argc, char **argv)
{
	struct sigaction action = { .sa_sigaction = arrive, .sa_flags = SA_SIGINFO };
	if (argc < 3)
		return 2;
	number = atoi(argv[2]);
	sigemptyset(&one), sigemptyset(&none), sigaddset(&one, number);
	/* Those who wait have no handler: it would end them. */
	if (strstr("unblock suspend handle", argv[1]) != NULL)
		sigaction(number, &action, NULL);
	sigprocmask(SIG_BLOCK, &one, NULL);
	compute(0.1);
	use(argv[1]);
	sigprocmask(SIG_UNBLOCK, &one, NULL);
	compute(0.1);
	printf("%s: %d %d\n", argv[1], (int)handled, blocked());
	return 0;
}
END
gcc -std=gnu17 -O1 -g -pthread -o block block.c || echo "gcc block.c"
for what in wait descriptor unblock suspend handle thread begin fork; do
	timeout -s KILL 60 ./block $what "$signal" >alone
	echo "status $?" >>alone
	# By the kernel's clock, and by a timer, which sends the signal in another way.
	timeout -s KILL 60 "$MEMSPY" sample --event timer --rate 1000 -q --db runs.db --json -o $what.json ./block $what "$signal" >out
	echo "status $?" >>out
	timeout -s KILL 60 "$PROGRAMS/forbid" 13 "$MEMSPY" sample --event timer --rate 1000 -q --db runs.db ./block $what "$signal" >out2
	echo "status $?" >>out2
	cat out
	cmp alone out && cmp alone out2 && python3 -c '
import json, sys
print("samples:", json.load(open(sys.argv[1]))["run"]["hardware"]["samples"] > 100)' $what.json
done 2>/dev/null
# Whoever starts a program may have blocked it; and where no timer runs, signals are the kernel's.
cat >started.py <<'END'
import os, signal, sys
signal.pthread_sigmask(signal.SIG_BLOCK, [int(sys.argv[1])])
os.execvp(sys.argv[2], sys.argv[2:])
END
for what in wait thread; do
	timeout -s KILL 60 python3 started.py "$signal" "$MEMSPY" sample --event timer -q --db runs.db ./block $what "$signal" 2>&1 ||
		echo "status $?"
	MEMSPY_NATIVE_IDLE=1 timeout -s KILL 60 "$MEMSPY" run -q --frontend native --db runs.db ./block $what "$signal" 2>&1 ||
		echo "status $?"
done
# By a system call of its own it takes the signal away from memspy: it is said what helps.
cat >raw.c <<'END'
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	const unsigned long ignore[4] = { 1, 0, 0, 0 };
	syscall(SYS_rt_sigaction, argc > 1 ? atoi(argv[1]) : 0, ignore, NULL, 8);
	while (clock() < CLOCKS_PER_SEC / 20)
		;
	return 0;
}
END
gcc -std=gnu17 -O1 -g -o raw raw.c || echo "gcc raw.c"
"$MEMSPY" sample --event timer --rate 1 -q --db runs.db ./raw "$signal" 2>&1 | grep -o 'there are no samples\|signals by raw system calls .*'
