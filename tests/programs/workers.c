/*
 * A server's habit: root forks workers, which give up root's rights before they work. "workers
 * [chroot]": they also go into a folder without /proc. Each worker closes all files and forks a
 * child that does the same work. 10 MiB are written and read in each of these processes.
 */
#define _GNU_SOURCE
#include <grp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS = 2, BYTES = 1 << 20, ROUNDS = 5, UNPRIVILEGED = 65534 };

static int work(void)
{
	volatile char *block = malloc(BYTES);
	int sum = 0;

	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < BYTES; i++) {
			block[i] = (char)i;
			sum += block[i] != (char)i;
		}
	free((void *)block);
	return sum;
}

static int wait_for(int children)
{
	int failed = 0;

	while (children-- > 0) {
		int status = -1;

		wait(&status);
		failed |= status != 0;
	}
	return failed;
}

static void worker(int changes_root)
{
	if (changes_root && (chroot("empty") != 0 || chdir("/") != 0))
		_exit(2);
	if (setgroups(0, NULL) != 0 || setgid(UNPRIVILEGED) != 0 || setuid(UNPRIVILEGED) != 0)
		_exit(3);
	for (int fd = 3; fd < 1024; fd++)
		close(fd);
	if (fork() == 0)
		_exit(work());
	_exit(work() + wait_for(1));
}

int main(int argc, char **argv)
{
	for (int i = 0; i < WORKERS; i++)
		if (fork() == 0)
			worker(argc > 1 && strcmp(argv[1], "chroot") == 0);
	return wait_for(WORKERS);
}
