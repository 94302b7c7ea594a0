/*
 * A rank of a parallel job, without MPI: its number is in the environment. Each rank sweeps `grid`
 * twice; rank 2 also walks `table`, 16 times as large, twice. An argument is a rank that kills
 * memspy, its parent, and itself after the first sweep.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { GRID = 1 << 18, LINE = 64, SLOW_RANK = 2, TIMES = 16 };

char *grid, *table;
volatile char sink;

static __attribute__((noinline)) void sweep(void)
{
	for (int i = 0; i < GRID; i += LINE)
		sink = grid[i];
}

static __attribute__((noinline)) void look_up(void)
{
	for (int i = 0; i < TIMES * GRID; i += LINE)
		sink = table[i];
}

static int read_rank(void)
{
	static const char *const names[] = { "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID" };

	for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (getenv(names[i]) != NULL)
			return atoi(getenv(names[i]));
	return 0;
}

int main(int argc, char **argv)
{
	int rank = read_rank();

	grid = calloc(1, GRID);
	sweep();
	if (argc > 1 && rank == atoi(argv[1])) {
		kill(getppid(), SIGKILL);
		raise(SIGKILL);
	}
	sweep();
	if (rank == SLOW_RANK) {
		table = calloc(TIMES, GRID);
		look_up();
		look_up();
		free(table);
	}
	free(grid);
	return 0;
}
