/*
 * heat.c - heat in a plate, an MPI program. Each rank has some of the plate's rows. In each step it
 * exchanges the rows at its borders with its neighbours, spreads the heat of each cell to those
 * around it, and adds the heat of the sources in its rows. Most sources are in the rows of rank 1,
 * so the others wait for it.
 *
 * Sources are read in any order, and kept in the order of their cells: in a list that is sorted,
 * or, with -DSOURCES_IN_ARRAY, in an array. Both add the same numbers.
 *
 * heat [ROWS [COLUMNS [SOURCES [STEPS]]]]
 */
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct source {
	struct source *next;
	long cell;
	double heat;
	char name[40];
};

struct plate {
	int rank, ranks;
	long rows, columns; /* of this rank, without the rows of its neighbours */
	double *now, *next;
	double work; /* processor seconds outside of MPI */
};

static void *allocate(size_t bytes)
{
	void *block = calloc(1, bytes);

	if (block == NULL)
		MPI_Abort(MPI_COMM_WORLD, 1);
	return block;
}

/* --- sources --- */

/* The cell of the i-th of `cells`: each once, in an order without a pattern. */
static long scattered(long i, long cells)
{
	return (long)((unsigned long)i * 1000003 % (unsigned long)cells);
}

static struct source *merge(struct source *a, struct source *b)
{
	struct source head = { .next = NULL }, *last = &head;

	while (a != NULL && b != NULL) {
		struct source **less = a->cell < b->cell ? &a : &b;

		last = last->next = *less;
		*less = (*less)->next;
	}
	last->next = a != NULL ? a : b;
	return head.next;
}

static struct source *sort(struct source *list, long n)
{
	struct source *half = list, *rest;

	if (n < 2)
		return list;
	for (long i = 1; i < n / 2; i++)
		half = half->next;
	rest = half->next;
	half->next = NULL;
	return merge(sort(list, n / 2), sort(rest, n - n / 2));
}

static struct source *read_sources(long n, long cells)
{
	struct source *list = NULL;

	for (long i = 0; i < n; i++) {
		struct source *source = allocate(sizeof(*source));

		source->next = list;
		source->cell = scattered(i, cells);
		source->heat = 1 + i % 7;
		list = source;
	}
	return sort(list, n);
}

#ifdef SOURCES_IN_ARRAY
struct heater {
	long cell;
	double heat;
};
static struct heater *heaters;
static long heater_count;

static void keep_sources(struct source *list, long n)
{
	heaters = allocate((size_t)n * sizeof(*heaters));
	for (struct source *next; list != NULL; list = next) {
		heaters[heater_count++] = (struct heater){ list->cell, list->heat };
		next = list->next;
		free(list);
	}
}

static void add_sources(struct plate *plate)
{
	for (long i = 0; i < heater_count; i++)
		plate->next[plate->columns + heaters[i].cell] += heaters[i].heat;
}
#else
static struct source *sources;

static void keep_sources(struct source *list, long n)
{
	(void)n;
	sources = list;
}

static void add_sources(struct plate *plate)
{
	for (struct source *s = sources; s != NULL; s = s->next)
		plate->next[plate->columns + s->cell] += s->heat;
}
#endif

/* --- steps --- */

static void exchange_borders(struct plate *p)
{
	int up = p->rank > 0 ? p->rank - 1 : MPI_PROC_NULL;
	int down = p->rank + 1 < p->ranks ? p->rank + 1 : MPI_PROC_NULL;
	int n = (int)p->columns;

	MPI_Sendrecv(p->now + n, n, MPI_DOUBLE, up, 0, p->now + (p->rows + 1) * n, n, MPI_DOUBLE,
		     down, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Sendrecv(p->now + p->rows * n, n, MPI_DOUBLE, down, 1, p->now, n, MPI_DOUBLE, up, 1,
		     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void spread(struct plate *p)
{
	long n = p->columns;

	for (long row = 1; row <= p->rows; row++)
		for (long column = 1; column < n - 1; column++) {
			const double *at = p->now + row * n + column;

			p->next[row * n + column] = 0.2 * (at[0] + at[-1] + at[1] + at[-n] + at[n]);
		}
}

static double total(const struct plate *p)
{
	double here = 0;

	for (long i = p->columns; i < (p->rows + 1) * p->columns; i++)
		here += p->next[i];
	return here;
}

static double processor_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double run_steps(struct plate *p, long steps)
{
	double heat = 0;

	for (long i = 0; i < steps; i++) {
		exchange_borders(p);
		double start = processor_seconds();
		spread(p);
		add_sources(p);
		double here = total(p);
		p->work += processor_seconds() - start;
		MPI_Allreduce(&here, &heat, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
		double *old = p->now;
		p->now = p->next;
		p->next = old;
	}
	return heat;
}

static long argument(int argc, char **argv, int i, long otherwise)
{
	long n = argc > i ? strtol(argv[i], NULL, 10) : otherwise;

	if (n < 1 || n > 1000000)
		MPI_Abort(MPI_COMM_WORLD, 2);
	return n;
}

int main(int argc, char **argv)
{
	struct plate plate = { 0 };

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &plate.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &plate.ranks);
	plate.rows = argument(argc, argv, 1, 1024) / plate.ranks;
	plate.columns = argument(argc, argv, 2, 1024);
	long n = argument(argc, argv, 3, 60000), steps = argument(argc, argv, 4, 20);
	size_t cells = (size_t)((plate.rows + 2) * plate.columns);

	if (plate.rows < 1)
		MPI_Abort(MPI_COMM_WORLD, 2);
	plate.now = allocate(cells * sizeof(double));
	plate.next = allocate(cells * sizeof(double));
	if (plate.rank != 1)
		n = n / 64 + 1;
	keep_sources(read_sources(n, plate.rows * plate.columns), n);
	double heat = run_steps(&plate, steps), most, sum;
	MPI_Reduce(&plate.work, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
	MPI_Reduce(&plate.work, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	if (plate.rank == 0) {
		printf("heat: %.6f\n", heat);
		fprintf(stderr, "work of a rank: %.3f seconds at most, %.3f on average\n", most,
			sum / plate.ranks);
	}
	MPI_Finalize();
	return 0;
}
