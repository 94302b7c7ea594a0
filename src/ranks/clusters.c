/*
 * ranks/clusters.c - k-medoids of ranks. The first centre is the rank nearest to the mean; each
 * further one is the rank that is farthest from all centres, as long as that is more than a tenth
 * of the mean time. Then ranks go to the nearest centre, and the centre of each cluster becomes the
 * rank that is nearest to its mean, until nothing changes. Equal distances are decided by the lower
 * rank, so the result does not depend on the order of files.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "ranks/ranks.h"

enum { DIMENSIONS = MS_RANKS_FEATURES + 1, MOST_ROUNDS = 20 };

static const double far_enough = 0.1;

struct point {
	size_t row; /* of rank_rows */
	uint32_t cluster;
	double at[DIMENSIONS];
};

struct clustering {
	struct point *points;
	size_t n;
	size_t centres[MS_RUN_CLUSTERS_MOST]; /* of points */
	uint32_t k;
};

static void read_features(const char *text, double at[DIMENSIONS])
{
	char *end;

	at[MS_RANKS_FEATURES] = strtod(text, &end);
	while (*end == ' ') {
		unsigned long place = strtoul(end + 1, &end, 10);
		double value = *end == ':' ? strtod(end + 1, &end) : 0;

		if (place < MS_RANKS_FEATURES)
			at[place] = value;
	}
}

static double distance(const double *a, const double *b)
{
	double sum = 0;

	for (int i = 0; i < DIMENSIONS; i++)
		sum += fabs(a[i] - b[i]);
	return sum;
}

/* Of the points of one cluster; MS_NONE: of all. */
static void find_mean(const struct clustering *c, uint32_t cluster, double mean[DIMENSIONS])
{
	size_t n = 0;

	memset(mean, 0, DIMENSIONS * sizeof(*mean));
	for (size_t i = 0; i < c->n; i++) {
		if (cluster != MS_NONE && c->points[i].cluster != cluster)
			continue;
		n++;
		for (int d = 0; d < DIMENSIONS; d++)
			mean[d] += c->points[i].at[d];
	}
	for (int d = 0; d < DIMENSIONS && n > 0; d++)
		mean[d] /= (double)n;
}

static size_t find_nearest(const struct clustering *c, uint32_t cluster, const double *to)
{
	double least = INFINITY;
	size_t nearest = 0;

	for (size_t i = 0; i < c->n; i++) {
		if (cluster != MS_NONE && c->points[i].cluster != cluster)
			continue;
		double d = distance(c->points[i].at, to);

		if (d < least) {
			least = d;
			nearest = i;
		}
	}
	return nearest;
}

static double find_centre(const struct clustering *c, const double *at, uint32_t *which)
{
	double least = INFINITY;

	for (uint32_t k = 0; k < c->k; k++) {
		double d = distance(at, c->points[c->centres[k]].at);

		if (d < least) {
			least = d;
			*which = k;
		}
	}
	return least;
}

static void choose_centres(struct clustering *c)
{
	static const double origin[DIMENSIONS];
	double mean[DIMENSIONS];
	uint32_t ignored;

	find_mean(c, MS_NONE, mean);
	double enough = far_enough * distance(mean, origin);

	c->centres[0] = find_nearest(c, MS_NONE, mean);
	for (c->k = 1; c->k < MS_RUN_CLUSTERS_MOST; c->k++) {
		double most = 0;
		size_t farthest = 0;

		for (size_t i = 0; i < c->n; i++) {
			double d = find_centre(c, c->points[i].at, &ignored);

			if (d > most) {
				most = d;
				farthest = i;
			}
		}
		if (most <= enough)
			break;
		c->centres[c->k] = farthest;
	}
}

static bool improve(struct clustering *c)
{
	double mean[DIMENSIONS];
	bool changed = false;

	for (size_t i = 0; i < c->n; i++)
		find_centre(c, c->points[i].at, &c->points[i].cluster);
	for (uint32_t k = 0; k < c->k; k++) {
		find_mean(c, k, mean);
		size_t centre = find_nearest(c, k, mean);

		changed = changed || centre != c->centres[k];
		c->centres[k] = centre;
	}
	return changed;
}

/* In the order of their lowest rank. */
static void store(const struct clustering *c, struct ms_run *run)
{
	uint32_t number[MS_RUN_CLUSTERS_MOST];

	memset(number, 0xff, sizeof(number));
	for (size_t i = 0; i < c->n; i++) {
		struct ms_run_rank *r = &run->rank_rows.at[c->points[i].row];
		uint32_t k = c->points[i].cluster;

		if (number[k] == MS_NONE) {
			const struct point *centre = &c->points[c->centres[k]];

			number[k] = (uint32_t)run->rank_clusters.n;
			*ms_vec_add(&run->rank_clusters) = (struct ms_run_rank_cluster){
				.representative = run->rank_rows.at[centre->row].rank
			};
		}
		r->cluster = number[k];
		run->rank_clusters.at[r->cluster].ranks++;
		run->rank_clusters.at[r->cluster].time += r->compute + r->stall;
	}
}

void ms_ranks_cluster(struct ms_run *run)
{
	struct clustering c = { .points = ms_alloc((run->rank_rows.n + 1) * sizeof(*c.points)) };

	run->rank_clusters.n = 0;
	for (size_t i = 0; i < run->rank_rows.n; i++) {
		struct ms_run_rank *r = &run->rank_rows.at[i];

		r->cluster = MS_NONE;
		if (r->state == MS_RANK_MERGED && r->features != NULL) {
			c.points[c.n].row = i;
			read_features(r->features, c.points[c.n++].at);
		}
		r->features = NULL;
	}
	if (c.n > 0) {
		choose_centres(&c);
		for (int i = 0; i < MOST_ROUNDS && improve(&c); i++)
			continue;
		store(&c, run);
	}
	ms_free(c.points);
}
