/*
 * collect/firsts.c - how many of a data's lines were used for the first time, and by which code.
 *
 * Windows meet lines that none has met before: some are used for the first time, others were used
 * between windows. Both questions are answered by how often windows meet lines that an earlier one
 * has met; asked is who comes to a line that was not used in this window yet, in a set of which not
 * all is known.
 *
 * How many: a line is used once, and then again as chance has it, each time with the same chance
 * to be seen. The more often lines are met again, the more of them have been seen, and the fewer
 * there are besides; and there never are more than the data has.
 *
 * Whose: code that comes to lines which were used before meets some that windows have seen, so many
 * for each that they have not; code that is the first meets none of these. So of the unseen lines
 * of each, as many are taken for used before as it has met seen ones, times a number that all have
 * in common: the one with which there are as many first uses. Code that met a few lines only says
 * little of itself: it is taken to have met FEW more, as all together do.
 */
#include <math.h>
#include <stdlib.h>

#include "base/num.h"
#include "collect/sampled.h"

static const double few = 2;

enum { HALVINGS = 50 };

static int by_group(const void *a, const void *b)
{
	const struct first_uses *x = a, *y = b;
	int c = ms_cmp_u64(x->group, y->group);

	return c != 0 ? c : ms_cmp_u64(x->at, y->at);
}

/* --- how many --- */

double ms_sampled_lines(double seen, double met, double scale)
{
	double low = 0, high = met * scale / seen, p = 1 / scale;

	/* again: how often a line is used after its first time. Where so many of all lines are
	 * seen, fewer are met than were. */
	for (unsigned i = 0; i < HALVINGS; i++) {
		double again = (low + high) / 2;
		double each = p * (1 + again) / (1 - (1 - p) * exp(-p * again));

		*(each < met / seen ? &low : &high) = again;
	}
	return met * scale / (1 + high);
}

/* --- whose --- */

/* Lines that may have been used before, for each time that all have in common. */
static void weigh_again(struct first_uses *uses, size_t n)
{
	double unseen = 0, seen = 0;

	for (size_t i = 0; i < n; i++) {
		unseen += uses[i].asked - uses[i].seen;
		seen += uses[i].seen;
	}
	double mean = unseen + seen > 0 ? seen / (unseen + seen) : 0;

	for (size_t i = 0; i < n; i++) {
		struct first_uses *u = &uses[i];
		double own = u->seen + few * mean, other = u->asked - u->seen + few * (1 - mean);

		/* Nobody has met any again: all alike. */
		u->again = u->weight * u->unseen * (mean > 0 && other > 0 ? own / other : 1);
	}
}

static double first_of(const struct first_uses *u, double times)
{
	double first = u->weight * u->unseen - times * u->again;

	return first > 0 ? first : 0;
}

static double sum_of(const struct first_uses *uses, size_t n, double times)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += first_of(&uses[i], times);
	return sum;
}

static void share_out(struct first_uses *uses, size_t n, double most)
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

/* Weighted; what was asked tells of what was not. */
static double lines_of(const struct first_uses *uses, size_t n, double scale)
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
	double met = asked > seen ? unseen * asked / (asked - seen) : unseen;
	double lines = weighted * ms_sampled_lines(unseen, met, scale) / unseen / scale;
	/* A line that was used before has been seen with a chance of one in scale, at least; and
	 * those that were seen are there. */
	double least = sum_of(uses, n, scale - 1);

	least = least > unseen / scale ? least : unseen / scale;
	return lines > least ? lines : least;
}

void ms_sampled_firsts(struct first_uses *uses, size_t n, double scale, double *lines)
{
	if (n > 1)
		qsort(uses, n, sizeof(*uses), by_group);
	for (size_t i = 0, to; i < n; i = to) {
		double *most = &lines[uses[i].group];

		for (to = i; to < n && uses[to].group == uses[i].group; to++)
			uses[to].share = 1;
		weigh_again(&uses[i], to - i);
		double met = lines_of(&uses[i], to - i, scale);

		*most = met < *most ? met : *most;
		if (sum_of(&uses[i], to - i, 0) > *most)
			share_out(&uses[i], to - i, *most);
	}
}
