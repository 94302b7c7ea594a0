/*
 * Ignores or blocks the signals that memspy uses, 61 and 62, and starts another program, which must
 * find them so, and none of them pending.
 *
 *    exec-ignored WAY [STATE]      ignores them; STATE "blocked": blocks them; "inherited": not
 *                                  even that. What it then executes is "exec-ignored look"
 *    exec-ignored look             prints the state of the signals
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { WORDS = 1 << 12 };

static char *self;
static char *const look_args[] = { "exec-ignored", "look", NULL };
static volatile long words[WORDS];

static __attribute__((noinline)) void work(long rounds)
{
	for (long r = 0; r < rounds; r++)
		for (long i = 0; i < WORDS; i++)
			words[i * 7 % WORDS] += i;
}

static int look(void)
{
	for (int s = 61; s <= 62; s++) {
		struct sigaction now;
		sigset_t blocked, pending;

		sigaction(s, NULL, &now);
		sigprocmask(SIG_BLOCK, NULL, &blocked);
		sigpending(&pending);
		printf("%d %s, %s, %s\n", s, now.sa_handler == SIG_IGN ? "ignored" : "not ignored",
		       sigismember(&blocked, s) ? "blocked" : "not blocked",
		       sigismember(&pending, s) ? "pending" : "not pending");
	}
	return 0;
}

static int wait_for(pid_t child)
{
	int status = -1;

	return child > 0 && waitpid(child, &status, 0) == child ? status : 1;
}

static void block(void)
{
	sigset_t both;

	sigemptyset(&both);
	for (int s = 58; s <= 64; s++)
		sigaddset(&both, s);
	sigprocmask(SIG_BLOCK, &both, NULL);
}

static int by_execve(void)
{
	return execve(self, look_args, environ);
}

static int by_execvp(void)
{
	return execvp(self, look_args);
}

static int by_execl(void)
{
	return execl(self, "exec-ignored", "look", (char *)NULL);
}

static int by_execle(void)
{
	return execle(self, "exec-ignored", "look", (char *)NULL, environ);
}

static int by_fork(void)
{
	pid_t child = fork();

	if (child == 0) {
		execv(self, look_args);
		_exit(1);
	}
	return wait_for(child);
}

/* Only the child blocks them. */
static int by_blocking_child(void)
{
	pid_t child = fork();

	if (child == 0) {
		block();
		work(10);
		execv(self, look_args);
		_exit(1);
	}
	return wait_for(child) != 0 || look() != 0;
}

static int by_vfork(void)
{
	pid_t child = vfork();

	if (child == 0) {
		execv(self, look_args);
		_exit(1);
	}
	return wait_for(child);
}

static int by_spawn(void)
{
	pid_t child = -1;

	return posix_spawn(&child, self, NULL, NULL, look_args, environ) == 0 ? wait_for(child) : 1;
}

static int by_system(void)
{
	char command[4096];

	snprintf(command, sizeof(command), "'%s' look", self);
	return system(command);
}

static int by_popen(void)
{
	char command[4096], line[256];

	snprintf(command, sizeof(command), "'%s' look", self);
	FILE *f = popen(command, "r");
	while (f != NULL && fgets(line, sizeof(line), f) != NULL)
		fputs(line, stdout);
	return f == NULL || pclose(f) != 0;
}

/* There is no such program: it goes on as before, and so do its other threads. */
static atomic_int over;

static void *work_until_over(void *arg)
{
	while (!atomic_load(&over))
		work(1);
	return arg;
}

static int by_failing(void)
{
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work_until_over, NULL);
	for (int i = 0; i < 200; i++) {
		execl("/dev/null", "null", (char *)NULL);
		execv("/no/such/program", look_args);
		raise(61);
		raise(62);
		work(2);
	}
	atomic_store(&over, 1);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return look();
}

/* Other threads come into windows and leave them meanwhile. */
static int by_many(void)
{
	pthread_t threads[2];
	int bad = 0;

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work_until_over, NULL);
	for (int i = 0; i < 20; i++)
		bad += by_spawn() + by_vfork();
	return bad + by_execve();
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(void);
	} ways[] = {
		{ "execve", by_execve },   { "execvp", by_execvp },
		{ "execl", by_execl },     { "execle", by_execle },
		{ "fork", by_fork },       { "vfork", by_vfork },
		{ "spawn", by_spawn },     { "system", by_system },
		{ "popen", by_popen },     { "many", by_many },
		{ "failing", by_failing }, { "blocking-child", by_blocking_child },
	};

	self = realpath("/proc/self/exe", NULL);
	if (argc == 2 && strcmp(argv[1], "look") == 0)
		return look();
	if (argc == 2) {
		signal(61, SIG_IGN);
		signal(62, SIG_IGN);
	} else if (argc == 3 && strcmp(argv[2], "blocked") == 0) {
		block();
	}
	work(100);
	for (size_t i = 0; argc >= 2 && i < sizeof(ways) / sizeof(ways[0]); i++)
		if (strcmp(argv[1], ways[i].name) == 0)
			return ways[i].run();
	return 2;
}
