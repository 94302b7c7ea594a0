/*
 * engine/spatial/line_order.c - the order in which selected lines were used last: of all accesses,
 * and of the accesses of each level after the first, which are the misses of the level before.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "engine/spatial/spatial_state.h"

/* The tree of reuse distances has room for at least so many uses. */
enum { MIN_USES = 1 << 12 };

struct ordered_line {
	uint32_t time;
	uint32_t line; /* index */
};

static int by_time(const void *a, const void *b)
{
	const struct ordered_line *x = a, *y = b;

	return x->time < y->time ? -1 : x->time > y->time;
}

/* The times of the lines in the cache with optimal replacement change with those of `reuse`. */
static void renumber_optimal(struct ms_spatial *spatial, unsigned order,
			     const struct ordered_line *lines, uint32_t n, double part)
{
	uint32_t *times = ms_alloc(((size_t)n + 1) * sizeof(*times));

	for (uint32_t i = 0; i < n; i++)
		times[i] = lines[i].time;
	ms_causes_renumber_optimal(&spatial->optimal[order], times, n, part,
				   spatial->reuse[order].size);
	ms_free(times);
}

static void renumber(struct ms_spatial *spatial, unsigned order, double part)
{
	struct ordered_line *lines = ms_alloc((spatial->lines.n + 1) * sizeof(*lines));
	size_t n = 0;

	for (size_t i = 0; i < spatial->lines.n; i++)
		if (spatial->lines.at[i].last_times[order] != 0)
			lines[n++] = (struct ordered_line){ spatial->lines.at[i].last_times[order],
							    (uint32_t)i };
	qsort(lines, n, sizeof(*lines), by_time);
	for (size_t i = 0; i < n; i++)
		spatial->lines.at[lines[i].line].last_times[order] = (uint32_t)i + 1;
	ms_spatial_renumber_uses(&spatial->reuse[order], (uint32_t)n, MIN_USES);
	if (spatial->limits[order].lines > 0)
		renumber_optimal(spatial, order, lines, (uint32_t)n, part);
	ms_free(lines);
}

void ms_spatial_renumber_lines(struct ms_spatial *spatial, double part)
{
	for (unsigned order = 0; order < MS_SPATIAL_ORDERS; order++)
		renumber(spatial, order, part);
}

struct ms_spatial_use ms_spatial_use_line(struct ms_spatial *spatial, struct ms_spatial_line *line,
					  unsigned order)
{
	struct ms_spatial_reuse *reuse = &spatial->reuse[order];
	uint32_t *time = &line->last_times[order];
	struct ms_spatial_use use = { MS_SPATIAL_NEVER_USED, 0 };

	if (*time != 0)
		use.since = (int64_t)ms_spatial_count_used_since(reuse, *time);
	if (ms_spatial_is_reuse_full(reuse))
		renumber(spatial, order, 1);
	if (spatial->limits[order].lines > 0)
		use.hits = ms_causes_use_optimal(&spatial->optimal[order], *time, reuse->now);
	*time = ms_spatial_use_again(reuse, *time);
	return use;
}

void ms_spatial_close_orders(struct ms_spatial *spatial)
{
	for (unsigned order = 0; order < MS_SPATIAL_ORDERS; order++) {
		ms_spatial_close_reuse(&spatial->reuse[order]);
		ms_causes_close_optimal(&spatial->optimal[order]);
	}
}

uint64_t ms_spatial_measure_orders(const struct ms_spatial *spatial)
{
	uint64_t bytes = 0;

	for (unsigned order = 0; order < MS_SPATIAL_ORDERS; order++)
		bytes += spatial->reuse[order].size * sizeof(*spatial->reuse[order].tree) +
			 ms_causes_measure_optimal(&spatial->optimal[order]);
	return bytes;
}
