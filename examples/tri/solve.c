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

struct matrix M;
double *x, *b;
int *Ready;

void SolveSequential(void)
{
	for (int i = 0; i < M.n; i++) {
		double accum = b[i];

		for (int j = M.row[i]; j < M.row[i + 1]; j++)
			accum -= M.nz[j] * x[M.col[j]];
		x[i] = accum;
	}
}

/* --- processors ------------------------------------------------------------------------------- */

struct processor {
	const struct order *order;
	int number;
	pthread_t thread;
};

/* The calling thread is processor 0. */
static void OnAll(const struct order *order, void *(*solve)(void *processor))
{
	struct processor *all = Take((size_t)order->processors, sizeof(*all));

	for (int p = 0; p < order->processors; p++) {
		all[p] = (struct processor){ .order = order, .number = p };
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

/*
 * Waiting, apart from the work so that reports tell them apart. Where there are more threads than
 * processors, who waits for one that does not run should let it.
 */
enum { SPINS = 256 };

#define READY(i) atomic_load_explicit((atomic_int *)&Ready[i], memory_order_acquire)
#define VALUE(i) atomic_load_explicit((_Atomic double *)&x[i], memory_order_relaxed)

static void WaitForReady(int i)
{
	for (int spins = 1; !READY(i); spins++)
		if (spins % SPINS == 0)
			sched_yield();
}

static void WaitForValue(int i)
{
	for (int spins = 1; isnan(VALUE(i)); spins++)
		if (spins % SPINS == 0)
			sched_yield();
}

/* --- original --------------------------------------------------------------------------------- */

#define SET_READY(i) atomic_store_explicit((atomic_int *)&Ready[i], 1, memory_order_release)

static void *Parallel(void *processor)
{
	const struct processor *me = processor;
	const int *rows = me->order->rows, *first = me->order->first;

	for (int k = first[me->number]; k < first[me->number + 1]; k++) {
		int row = rows[k];
		double accum = b[row];

		for (int j = M.row[row]; j < M.row[row + 1]; j++) {
			if (!READY(M.col[j]))
				WaitForReady(M.col[j]);
			accum -= M.nz[j] * x[M.col[j]];
		}
		x[row] = accum;
		SET_READY(row);
	}
	return NULL;
}

void SolveParallel(const struct order *order)
{
	OnAll(order, Parallel);
}

/* --- step 1: a processor's rows lie side by side ---------------------------------------------- */

static void *Reordered(void *processor)
{
	const struct processor *me = processor;
	const int *first = me->order->first;

	for (int row = first[me->number]; row < first[me->number + 1]; row++) {
		double accum = b[row];

		for (int j = M.row[row]; j < M.row[row + 1]; j++) {
			if (!READY(M.col[j]))
				WaitForReady(M.col[j]);
			accum -= M.nz[j] * x[M.col[j]];
		}
		x[row] = accum;
		SET_READY(row);
	}
	return NULL;
}

void SolveReordered(const struct order *order)
{
	OnAll(order, Reordered);
}

/* --- step 2: what is not a number is not ready -------------------------------------------------
 */

static void *WithNaN(void *processor)
{
	const struct processor *me = processor;
	const int *first = me->order->first;

	for (int row = first[me->number]; row < first[me->number + 1]; row++) {
		double accum = b[row];

		for (int j = M.row[row]; j < M.row[row + 1]; j++) {
			double value = VALUE(M.col[j]);

			if (isnan(value)) {
				WaitForValue(M.col[j]);
				value = VALUE(M.col[j]);
			}
			accum -= M.nz[j] * value;
		}
		atomic_store_explicit((_Atomic double *)&x[row], accum, memory_order_relaxed);
	}
	return NULL;
}

void SolveNaN(const struct order *order)
{
	for (int i = 0; i < M.n; i++)
		x[i] = NAN;
	OnAll(order, WithNaN);
}
