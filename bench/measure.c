/*
 * bench/measure.c OUTPUT PROGRAM [ARGUMENT]... - runs memspy and writes a line into OUTPUT:
 *
 *    seconds  processor seconds (all processes)  peak KiB of memspy  peak KiB of its largest child
 *
 * Memory is a process's own and what it shares with others, not the files that it has mapped, which
 * the system can drop at any time. It is asked for every few milliseconds: a shorter peak is
 * missed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ASK_EVERY_NS = 5000000 };

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void ask_peak(pid_t pid, long *peak)
{
	char line[256];
	long kib, sum = 0;

	snprintf(line, sizeof(line), "/proc/%d/status", pid);
	FILE *in = fopen(line, "r");
	if (in == NULL)
		return;
	while (fgets(line, sizeof(line), in) != NULL)
		if (sscanf(line, "RssAnon: %ld", &kib) == 1 ||
		    sscanf(line, "RssShmem: %ld", &kib) == 1)
			sum += kib;
	fclose(in);
	if (sum > *peak)
		*peak = sum;
}

/* Children are listed by the thread that made them: in memspy that is the first one. */
static void ask_children(pid_t pid, long *peak)
{
	char path[64];
	int child;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", pid, pid);
	FILE *in = fopen(path, "r");
	if (in == NULL)
		return;
	while (fscanf(in, "%d", &child) == 1)
		ask_peak(child, peak);
	fclose(in);
}

static double seconds_of(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static int watch(pid_t pid, double started, FILE *out)
{
	const struct timespec pause = { 0, ASK_EVERY_NS };
	long own = 0, children = 0;
	struct rusage usage;
	int status = 0;

	while (wait4(pid, &status, WNOHANG, &usage) == 0) {
		ask_peak(pid, &own);
		ask_children(pid, &children);
		nanosleep(&pause, NULL);
	}
	fprintf(out, "%.3f %.3f %ld %ld\n", now() - started,
		seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime), own, children);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		fputs("Usage: measure OUTPUT PROGRAM [ARGUMENT]...\n", stderr);
		return 2;
	}
	double started = now();
	pid_t pid = fork();
	if (pid == 0) {
		execvp(argv[2], argv + 2);
		perror(argv[2]);
		_exit(127);
	}
	FILE *out = fopen(argv[1], "w");
	if (pid < 0 || out == NULL) {
		perror(pid < 0 ? "fork" : argv[1]);
		return 1;
	}
	int status = watch(pid, started, out);
	fclose(out);
	return status;
}
