/* build: -O1 -g -pthread
   Starts others in the way its argument says, and writes 1000 marks of its own. */
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static volatile int marks[1000];

static __attribute__((noinline)) void mark(void)
{
	for (int i = 0; i < 1000; i++)
		marks[i] = i;
}

static int by_system(void)
{
	return WEXITSTATUS(system("echo from the shell; exit 5"));
}

static int by_spawn(void)
{
	char *argv[] = { (char[]){ "echo" }, (char[]){ "spawned" }, NULL };
	int status;
	pid_t pid;

	if (posix_spawnp(&pid, "echo", NULL, NULL, argv, environ) != 0)
		return 1;
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

static int by_vfork(void)
{
	int status;
	pid_t pid = vfork();

	if (pid == 0) {
		execlp("echo", "echo", "vforked", NULL);
		_exit(1);
	}
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

static void *other(void *arg)
{
	mark();
	return arg;
}

/* A child of one thread of several, which goes on alone, and starts a thread itself. */
static int with_threads(void)
{
	pthread_t thread;
	int status;
	pid_t pid = fork();

	pthread_create(&thread, NULL, other, NULL);
	pthread_join(thread, NULL);
	if (pid == 0)
		_exit(6);
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

/* It outlives its parent by far. */
static int leave_orphan(void)
{
	if (fork() == 0) {
		close(0);
		close(1);
		close(2);
		for (int i = 0; i < 200; i++) {
			mark();
			usleep(50000);
		}
		_exit(0);
	}
	return 0;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";

	mark();
	if (strcmp(how, "system") == 0)
		return by_system();
	if (strcmp(how, "spawn") == 0)
		return by_spawn();
	if (strcmp(how, "vfork") == 0)
		return by_vfork();
	if (strcmp(how, "threads") == 0)
		return with_threads();
	if (strcmp(how, "orphan") == 0)
		return leave_orphan();
	return 1;
}
