/* build: -O1 -g -pthread
   process-calls closes|vfork|spawn|fork|exec|slow|crowd|midst: what a program may do to a front-end
   that lives in its process. */
#include <pthread.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static __attribute__((noinline)) void work(int n)
{
	volatile char *p = malloc(1000);

	for (int i = 0; i < 1000 * n; i++)
		p[i % 1000] = 1;
	free((void *)p);
}

static void closes(void)
{
	for (int fd = 3; fd < 1024; fd++)
		close(fd);
	work(100);
}

static void ended(pid_t pid, int wanted)
{
	int status = 0;

	if (waitpid(pid, &status, 0) != pid || WEXITSTATUS(status) != wanted)
		printf("a child has ended with %x\n", status);
	work(1);
}

static void vforks(void)
{
	pid_t pid = vfork();

	if (pid == 0) {
		execl("/bin/true", "true", (char *)NULL);
		_exit(9);
	}
	ended(pid, 0);
}

static void spawns(void)
{
	char *const argv[] = { "true", NULL };
	pid_t pid = 0;

	if (posix_spawn(&pid, "/bin/true", NULL, NULL, argv, environ) != 0)
		puts("nothing spawned");
	ended(pid, 0);
}

static void forks(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		work(50);
		exit(7);
	}
	ended(pid, 7);
}

static void execs(void)
{
	work(10);
	execl("/bin/echo", "echo", "executed", (char *)NULL);
}

static void *thread(void *arg)
{
	work(2);
	return arg;
}

/* Threads come and go, a few at a time, and forks come in between. */
static void crowd(void)
{
	pthread_t threads[8];

	for (int i = 0; i < 8; i++)
		pthread_create(&threads[i], NULL, thread, NULL);
	forks();
	for (int i = 0; i < 8; i++)
		pthread_join(threads[i], NULL);
}

static volatile int going;

#define TWICE(x) x x
#define OFTEN(x) TWICE(TWICE(TWICE(TWICE(TWICE(TWICE(TWICE(TWICE(x))))))))

/* Many small blocks of code. */
static __attribute__((noinline, aligned(4096))) int winds(volatile int *n)
{
	OFTEN(if (*n > 0)++ * n; else --*n;)
	return *n;
}

/* Its code goes and comes: whatever is kept of it is made anew. */
static void *changes(void *arg)
{
	volatile int n = 0;

	while (going) {
		mprotect((void *)(uintptr_t)winds, 4096, PROT_READ | PROT_EXEC);
		winds(&n);
	}
	return arg;
}

/* Forks while another thread is in the midst of it. */
static void midst(void)
{
	pthread_t other;

	going = 1;
	pthread_create(&other, NULL, changes, NULL);
	for (int i = 0; i < 200; i++)
		forks();
	going = 0;
	pthread_join(other, NULL);
}

/* Until there is a file of this name, and for a while longer. */
static void slow(void)
{
	while (access("go", F_OK) != 0)
		work(1000);
	work(100000);
}

static const struct {
	const char *name;
	void (*run)(void);
	int times;
} modes[] = { { "closes", closes, 1 }, { "vfork", vforks, 10 }, { "spawn", spawns, 10 },
	      { "fork", forks, 10 },   { "exec", execs, 1 },    { "slow", slow, 1 },
	      { "crowd", crowd, 40 },  { "midst", midst, 1 } };

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof(modes) / sizeof(modes[0]); i++)
		if (strcmp(argv[1], modes[i].name) == 0)
			for (int k = 0; k < modes[i].times; k++)
				modes[i].run();
	puts("done");
	return 5;
}
