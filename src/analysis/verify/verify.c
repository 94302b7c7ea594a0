#include "analysis/verify/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* The interval may miss the true median on either side with this probability. */
#define TAIL 0.025

static int compare_reals(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double *sort_copy(const double *at, size_t n)
{
	double *sorted = ms_alloc(n * sizeof(*sorted));

	memcpy(sorted, at, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), compare_reals);
	return sorted;
}

static double median(const double *sorted, size_t n)
{
	return n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

/* The largest k such that the median is below the k-th smallest of n with probability TAIL at most;
 * 0: there is none. Half of all values are below the median: a binomial distribution. */
static size_t find_rank(size_t n)
{
	double term = pow(0.5, (double)n), sum = term;
	size_t k = 0;

	while (sum <= TAIL) {
		k++;
		term *= (double)(n - k + 1) / (double)k;
		sum += term;
	}
	return k;
}

static struct ms_verify_side make_side(const double *seconds, size_t n)
{
	double *sorted = sort_copy(seconds, n);
	struct ms_verify_side side = { seconds, median(sorted, n), sorted[0] };

	ms_free(sorted);
	return side;
}

void ms_verify_make(struct ms_verify *v, const double *before, const double *after, size_t rounds)
{
	double *gains = ms_alloc(rounds * sizeof(*gains));
	size_t rank = find_rank(rounds);
	size_t low = rank > 0 ? rank - 1 : 0;

	*v = (struct ms_verify){ .rounds = rounds,
				 .before = make_side(before, rounds),
				 .after = make_side(after, rounds) };
	for (size_t i = 0; i < rounds; i++)
		gains[i] = 1 - after[i] / before[i];
	qsort(gains, rounds, sizeof(*gains), compare_reals);
	v->gain = median(gains, rounds);
	v->gain_low = gains[low];
	v->gain_high = gains[rounds - 1 - low];
	v->fastest_gain = 1 - v->after.fastest / v->before.fastest;
	ms_free(gains);
}

bool ms_verify_is_within(double predicted, double measured, double factor)
{
	return predicted > 0 && measured > 0 && predicted <= measured * factor &&
	       measured <= predicted * factor;
}
