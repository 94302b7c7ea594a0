/* What a program sees of its surroundings: arguments, environment, open files, signals, limits. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

extern char **environ;

static void show_files(void)
{
	for (int fd = 0; fd < 1024; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			printf("fd %d\n", fd);

	DIR *dir = opendir("/proc/self/fd");
	int own = dirfd(dir);
	for (struct dirent *e; (e = readdir(dir)) != NULL;)
		/* Valgrind keeps some of its own, beyond the numbers that the program can get. */
		if (e->d_name[0] != '.' && atoi(e->d_name) != own &&
		    atoi(e->d_name) < getdtablesize())
			printf("/proc/self/fd/%s\n", e->d_name);
	closedir(dir);
}

static void show_signals(void)
{
	sigset_t blocked;

	sigprocmask(SIG_BLOCK, NULL, &blocked);
	for (int s = 1; s < 32; s++) {
		struct sigaction action;

		if (sigismember(&blocked, s))
			printf("blocked %d\n", s);
		if (sigaction(s, NULL, &action) == 0 && action.sa_handler == SIG_IGN)
			printf("ignored %d\n", s);
	}
}

int main(int argc, char **argv)
{
	struct rlimit limit;

	for (int i = 0; i < argc; i++)
		printf("argv[%d] %s\n", i, argv[i]);
	for (char **e = environ; *e != NULL; e++)
		if (strncmp(*e, "LD_PRELOAD=", 11) != 0)
			printf("env %s\n", *e);
	show_files();
	show_signals();
	getrlimit(RLIMIT_STACK, &limit);
	printf("stack %llu\n", (unsigned long long)limit.rlim_cur);
	getrlimit(RLIMIT_CORE, &limit);
	printf("core %llu\n", (unsigned long long)limit.rlim_cur);
	printf("cwd %s\n", getcwd((char[4096]){ "" }, 4096));
	return 0;
}
