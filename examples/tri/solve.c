/*
 * solve.c - M x = b, as the paper's Figure 4 (in sequence) and Figure 5 (in parallel) do it, and as
 * it was tuned: rows in the order in which they are worked on, and x itself as the sign that it is
 * ready.
 */
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "tri.h"

void SolveSequential(const struct problem *problem, const struct order *order)
{
	const struct matrix M = problem->M;
	double *x = problem->x, *b = problem->b;

	(void)order;
	for (int i = 0; i < M.n; i++) {
		double accum = b[i];

		for (int j = M.row[i]; j < M.row[i + 1]; j++)
			accum -= M.nz[j] * x[M.col[j]];
		x[i] = accum;
	}
}

/* --- processors ------------------------------------------------------------------------------- */

struct processor {
	const struct problem *problem;
	const int *rows; /* its own */
	int n;
	int first; /* the number of its first one, where they lie side by side */
	pthread_t thread;
};

/* The calling thread is processor 0. */
static void OnAll(const struct problem *problem, const struct order *order, void *(*solve)(void *))
{
	struct processor *all = Take((size_t)order->processors, sizeof(*all));

	for (int p = 0; p < order->processors; p++) {
		int first = order->first[p];

		all[p] = (struct processor){ .problem = problem,
					     .rows = order->rows + first,
					     .n = order->first[p + 1] - first,
					     .first = first };
		if (p > 0 && pthread_create(&all[p].thread, NULL, solve, &all[p]) != 0) {
			fprintf(stderr, "tri: cannot start thread %d of %d\n", p,
				order->processors);
			exit(1);
		}
	}
	solve(&all[0]);
	for (int p = 1; p < order->processors; p++)
		pthread_join(all[p].thread, NULL);
	free(all);
}

#define IS_READY(i)  atomic_load_explicit((atomic_int *)&Ready[i], memory_order_acquire)
#define SET_READY(i) atomic_store_explicit((atomic_int *)&Ready[i], 1, memory_order_release)
#define GET(i)       atomic_load_explicit((_Atomic double *)&x[i], memory_order_relaxed)
#define SET(i, v)    atomic_store_explicit((_Atomic double *)&x[i], v, memory_order_relaxed)

/*
 * Waiting, apart from the work so that reports tell them apart. Where there are more threads than
 * processors, who waits for one that does not run should let it.
 */
enum { SPINS = 256 };

static void Rest(int spins)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
	if (spins % SPINS == 0)
		sched_yield();
}

static void WaitForReady(int *Ready, int i)
{
	for (int spins = 1; !IS_READY(i); spins++)
		Rest(spins);
}

static void WaitForNumber(double *x, int i)
{
	for (int spins = 1; isnan(GET(i)); spins++)
		Rest(spins);
}

/* --- original --------------------------------------------------------------------------------- */

static void *Parallel(void *processor)
{
	const struct processor *me = processor;
	const struct matrix M = me->problem->M;
	double *x = me->problem->x, *b = me->problem->b;
	int *Ready = me->problem->Ready;

	for (int k = 0; k < me->n; k++) {
		int row = me->rows[k];
		double accum = b[row];

		for (int j = M.row[row]; j < M.row[row + 1]; j++) {
			if (!IS_READY(M.col[j]))
				WaitForReady(Ready, M.col[j]);
			accum -= M.nz[j] * x[M.col[j]];
		}
		x[row] = accum;
		SET_READY(row);
	}
	return NULL;
}

void SolveParallel(const struct problem *problem, const struct order *order)
{
	OnAll(problem, order, Parallel);
}

/* --- step 1: a processor's rows lie side by side ---------------------------------------------- */

static void *Reordered(void *processor)
{
	const struct processor *me = processor;
	const struct matrix M = me->problem->M;
	double *x = me->problem->x, *b = me->problem->b;
	int *Ready = me->problem->Ready;

	for (int row = me->first; row < me->first + me->n; row++) {
		double accum = b[row];

		for (int j = M.row[row]; j < M.row[row + 1]; j++) {
			if (!IS_READY(M.col[j]))
				WaitForReady(Ready, M.col[j]);
			accum -= M.nz[j] * x[M.col[j]];
		}
		x[row] = accum;
		SET_READY(row);
	}
	return NULL;
}

void SolveReordered(const struct problem *problem, const struct order *order)
{
	OnAll(problem, order, Reordered);
}

/* --- step 2: what is not a number is not ready -------------------------------------------------
 */

static void *WithNaN(void *processor)
{
	const struct processor *me = processor;
	const struct matrix M = me->problem->M;
	double *x = me->problem->x, *b = me->problem->b;

	for (int row = me->first; row < me->first + me->n; row++) {
		double accum = b[row];

		for (int j = M.row[row]; j < M.row[row + 1]; j++) {
			double value = GET(M.col[j]);

			if (isnan(value)) {
				WaitForNumber(x, M.col[j]);
				value = GET(M.col[j]);
			}
			accum -= M.nz[j] * value;
		}
		SET(row, accum);
	}
	return NULL;
}

void SolveNaN(const struct problem *problem, const struct order *order)
{
	for (int i = 0; i < problem->M.n; i++)
		problem->x[i] = NAN;
	OnAll(problem, order, WithNaN);
}
