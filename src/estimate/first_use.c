/*
 * estimate/first_use.c - estimates how many lines of a data structure are used for the first time,
 * and by which code.
 *
 * A window accesses lines that no earlier window has accessed. Some of them are used for the first
 * time; others were used between windows. The estimate is based on how often windows access lines
 * that an earlier window has accessed. It counts accesses to a line that was not used in this
 * window yet, in a set whose contents are not completely known.
 *
 * How many: a line is used once, and then again at random; each use has the same probability of
 * being in a window. The more often windows access known lines, the more of all lines they have
 * seen, and the fewer unseen lines there are. There are never more lines than the data has.
 *
 * By which code: code that accesses lines which were used before finds seen and unseen ones, in a
 * certain ratio. Code that uses lines first finds no seen ones. So the number of unseen lines of
 * each code that were used before is proportional to its seen lines. The factor is the same for all
 * code; it is chosen so that the number of first uses is the estimated one. Code with few accesses
 * is a small sample: `few` accesses with the mean ratio of all code are added to it.
 */
#include "estimate/first_use.h"

#include <math.h>
#include <stdlib.h>

#include "base/num.h"

static const double few = 2;

enum { HALVINGS = 50 };

static int by_group(const void *a, const void *b)
{
	const struct ms_estimate_first_uses *x = a, *y = b;
	int c = ms_cmp_u64(x->group, y->group);

	return c != 0 ? c : ms_cmp_u64(x->at, y->at);
}

/* --- how many --- */

double ms_estimate_lines(double seen, double accesses, double scale)
{
	double low = 0, high = accesses * scale / seen, p = 1 / scale;

	/* again: how often a line is used after its first use. each: the mean number of accesses
	 * in windows of a line that is seen at all. */
	for (unsigned i = 0; i < HALVINGS; i++) {
		double again = (low + high) / 2;
		double each = p * (1 + again) / (1 - (1 - p) * exp(-p * again));

		*(each < accesses / seen ? &low : &high) = again;
	}
	return accesses * scale / (1 + high);
}

/* --- whose --- */

/* Unseen lines that were used before, up to the factor that all code has in common. */
static void weigh_again(struct ms_estimate_first_uses *uses, size_t n)
{
	double unseen = 0, seen = 0;

	for (size_t i = 0; i < n; i++) {
		unseen += uses[i].asked - uses[i].seen;
		seen += uses[i].seen;
	}
	double mean = unseen + seen > 0 ? seen / (unseen + seen) : 0;

	for (size_t i = 0; i < n; i++) {
		struct ms_estimate_first_uses *u = &uses[i];
		double own = u->seen + few * mean, other = u->asked - u->seen + few * (1 - mean);

		/* No code has accessed a seen line: all code is treated alike. */
		u->again = u->weight * u->unseen * (mean > 0 && other > 0 ? own / other : 1);
	}
}

static double first_of(const struct ms_estimate_first_uses *u, double times)
{
	double first = u->weight * u->unseen - times * u->again;

	return first > 0 ? first : 0;
}

static double sum_of(const struct ms_estimate_first_uses *uses, size_t n, double times)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += first_of(&uses[i], times);
	return sum;
}

static void share_out(struct ms_estimate_first_uses *uses, size_t n, double most)
{
	double low = 0, high = 1;

	while (sum_of(uses, n, high) > most)
		high *= 2;
	for (unsigned i = 0; i < HALVINGS; i++) {
		double middle = (low + high) / 2;

		*(sum_of(uses, n, middle) > most ? &low : &high) = middle;
	}
	for (size_t i = 0; i < n; i++)
		if (uses[i].unseen > 0)
			uses[i].share =
				first_of(&uses[i], high) / (uses[i].weight * uses[i].unseen);
}

/* --- group by group --- */

/* The lines of a group, weighted. `asked` and `seen` are a sample of all accesses. */
static double lines_of(const struct ms_estimate_first_uses *uses, size_t n, double scale)
{
	double asked = 0, seen = 0, unseen = 0, weighted = 0;

	for (size_t i = 0; i < n; i++) {
		asked += uses[i].asked;
		seen += uses[i].seen;
		unseen += uses[i].unseen;
		weighted += uses[i].weight * uses[i].unseen;
	}
	if (!(unseen > 0))
		return 0;
	double accesses = asked > seen ? unseen * asked / (asked - seen) : unseen;
	double lines = weighted * ms_estimate_lines(unseen, accesses, scale) / unseen / scale;
	/* A line that was used before has been seen with a probability of at least 1 / scale. And
	 * there are at least as many lines as were seen. */
	double least = sum_of(uses, n, scale - 1);

	least = least > unseen / scale ? least : unseen / scale;
	return lines > least ? lines : least;
}

void ms_estimate_first_use_shares(struct ms_estimate_first_uses *uses, size_t n, double scale,
				  double *lines)
{
	if (n > 1)
		qsort(uses, n, sizeof(*uses), by_group);
	for (size_t i = 0, to; i < n; i = to) {
		double *most = &lines[uses[i].group];

		for (to = i; to < n && uses[to].group == uses[i].group; to++)
			uses[to].share = 1;
		weigh_again(&uses[i], to - i);
		double accesses = lines_of(&uses[i], to - i, scale);

		*most = accesses < *most ? accesses : *most;
		if (sum_of(&uses[i], to - i, 0) > *most)
			share_out(&uses[i], to - i, *most);
	}
}
