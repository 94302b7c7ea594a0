/*
 * A rank of a parallel job, without MPI: it sweeps a table until a file `go` is there. Then rank 1
 * is killed, and the others go on, until the launcher stops them; at most for ten minutes. With an
 * argument all ranks end then.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TABLE = 1 << 18, LINE = 64, MOST_SECONDS = 600 };

char *table;
volatile char sink;

static __attribute__((noinline)) void sweep(void)
{
	for (int i = 0; i < TABLE; i += LINE)
		sink = table[i];
}

static int is_rank_1(void)
{
	static const char *const names[] = { "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID" };

	for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (getenv(names[i]) != NULL)
			return strcmp(getenv(names[i]), "1") == 0;
	return 0;
}

int main(int argc, char **argv)
{
	(void)argv;
	alarm(MOST_SECONDS);
	table = calloc(1, TABLE);
	while (access("go", F_OK) != 0)
		sweep();
	if (argc > 1)
		return 0;
	if (is_rank_1())
		raise(SIGKILL);
	for (;;)
		sweep();
}
