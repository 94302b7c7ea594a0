#include "machine/curves.h"

#include <math.h>
#include <stdlib.h>

double ms_machine_curve_rise(const struct ms_machine_point *curve, size_t n, double level)
{
	size_t i = n;

	while (i > 0 && curve[i - 1].y >= level)
		i--;
	if (i == n)
		return curve[n - 1].x;
	if (i == 0)
		return curve[0].x;
	const struct ms_machine_point *a = &curve[i - 1], *b = &curve[i];

	return a->x + (b->x - a->x) * (level - a->y) / (b->y - a->y);
}

double ms_machine_curve_below(const struct ms_machine_point *curve, size_t n, double level)
{
	double x = 0;

	for (size_t i = 0; i < n && curve[i].y < level; i++)
		x = curve[i].x;
	return x;
}

double ms_machine_curve_overlap(const struct ms_machine_point *curve, size_t n)
{
	double least = curve[0].y;

	for (size_t i = 1; i < n; i++)
		least = fmin(least, curve[i].y);
	return least > 0 ? curve[0].x * curve[0].y / least : 1;
}

double ms_machine_curve_usable(const struct ms_machine_point *curve, size_t n, double memory,
			       double size)
{
	double hit = curve[0].y;

	/* The smallest walk takes as long as one in memory: nothing can be seen. */
	if (memory < 1.2 * hit)
		return NAN;
	double percent = 100 * ms_machine_curve_rise(curve, n, (hit + memory) / 2) / size;

	return percent > 95 ? 100 : percent;
}

/* --- TLB ------------------------------------------------------------------------------------ */

/* The mean of y for x from `least` to `most`; NAN if there is no such point. */
static double mean_between(const struct ms_machine_point *curve, size_t n, double least,
			   double most)
{
	double sum = 0;
	size_t found = 0;

	for (size_t i = 0; i < n; i++)
		if (curve[i].x >= least && curve[i].x <= most) {
			sum += curve[i].y;
			found++;
		}
	return found > 0 ? sum / (double)found : NAN;
}

enum {
	FEW_PAGES = 16,    /* any first level holds so many */
	LEAST_SECOND = 96, /* more than most first levels hold */
	LEAST_WALK = 10,   /* cycles: less is no page walk */
};

/* A second level whose latency cannot be seen has none. */
static void find_first(struct ms_machine_tlb_curve *tlb, const struct ms_machine_point *spread,
		       size_t n, double first_lines)
{
	double hit = mean_between(spread, n, 1, FEW_PAGES);
	/* Only as many lines as the first level of cache holds surely. */
	double second = mean_between(spread, n, LEAST_SECOND, first_lines / 4);
	size_t few = 0;

	tlb->second_latency = second > hit + 0.5 ? second - hit : 0;
	while (few < n && spread[few].x <= first_lines / 4)
		few++;
	tlb->entries = tlb->second_latency > 0
			       ? ms_machine_curve_rise(spread, few, (hit + second) / 2)
			       : 0;
}

struct ms_machine_tlb_curve ms_machine_curve_tlb(const struct ms_machine_point *spread,
						 const struct ms_machine_point *dense, size_t n,
						 double first_lines)
{
	struct ms_machine_tlb_curve tlb = { 0 };
	struct ms_machine_point *walks = calloc(n, sizeof(*walks));

	find_first(&tlb, spread, n, first_lines);
	/* What the translation costs beyond the second level. */
	for (size_t i = 0; walks != NULL && i < n; i++)
		walks[i] = (struct ms_machine_point){
			spread[i].x, spread[i].x < LEAST_SECOND
					     ? 0
					     : spread[i].y - dense[i].y - tlb.second_latency
		};
	if (walks != NULL) {
		double end = ms_machine_curve_rise(walks, n, LEAST_WALK);
		/* Soon after its end: with more pages, page tables leave the caches. */
		double walk = mean_between(walks, n, 1.3 * end, 3 * end);

		if (walk > LEAST_WALK) {
			tlb.walk_latency = walk + tlb.second_latency;
			tlb.second_entries = ms_machine_curve_rise(walks, n, walk / 2);
		}
	}
	free(walks);
	return tlb;
}
