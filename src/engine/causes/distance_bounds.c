#include "engine/causes/distance_bounds.h"

#include <string.h>

/* Counts that are no longer needed are dropped when there are this many of them. */
enum { MANY_DROPPED = 4096 };

void ms_causes_open_distances(struct ms_causes_distances *distances, uint64_t capacity)
{
	*distances = (struct ms_causes_distances){
		.capacity = capacity, .first = 1, .misses = { 1, 0 }, .hits = { 1, 0 }
	};
}

void ms_causes_close_distances(struct ms_causes_distances *distances)
{
	ms_vec_free(&distances->lines);
}

static uint32_t lines_of(const struct ms_causes_distances *distances, uint32_t batch)
{
	return distances->lines.at[batch - distances->first];
}

static void drop_old(struct ms_causes_distances *distances)
{
	uint32_t used = distances->misses.batch < distances->hits.batch ? distances->misses.batch
									: distances->hits.batch;
	uint32_t old = used - distances->first;

	if (old < MANY_DROPPED)
		return;
	distances->lines.n -= old;
	memmove(distances->lines.at, distances->lines.at + old,
		distances->lines.n * sizeof(*distances->lines.at));
	distances->first += old;
}

/* The first position: without its batch there would be fewer lines than the cache has. */
void ms_causes_begin_distances(struct ms_causes_distances *distances)
{
	struct ms_causes_used_since *misses = &distances->misses;
	uint32_t next = distances->first + (uint32_t)distances->lines.n;

	while (misses->batch < next &&
	       misses->lines - lines_of(distances, misses->batch) >= distances->capacity)
		misses->lines -= lines_of(distances, misses->batch++);
	drop_old(distances);
	*ms_vec_add(&distances->lines) = 0;
}

void ms_causes_use_lines(struct ms_causes_distances *distances, const uint32_t *last, size_t n)
{
	const uint32_t misses = distances->misses.batch, hits = distances->hits.batch;
	const uint32_t first = distances->first;
	uint32_t *lines = distances->lines.at;
	uint64_t before_misses = 0, before_hits = 0;

	for (size_t i = 0; i < n; i++) {
		before_misses += last[i] < misses;
		before_hits += last[i] < hits;
		if (last[i] >= first)
			lines[last[i] - first]--;
	}
	lines[distances->lines.n - 1] += (uint32_t)n;
	distances->misses.lines += before_misses;
	distances->hits.lines += before_hits;
}

/* The second position: there are at most as many lines as the cache has. */
void ms_causes_end_distances(struct ms_causes_distances *distances)
{
	struct ms_causes_used_since *hits = &distances->hits;

	while (hits->lines > distances->capacity)
		hits->lines -= lines_of(distances, hits->batch++);
}

enum ms_causes_verdict ms_causes_classify(const struct ms_causes_distances *distances,
					  uint32_t last)
{
	if (last < distances->misses.batch)
		return MS_CAUSES_MISSES;
	return last >= distances->hits.batch ? MS_CAUSES_HITS : MS_CAUSES_AMBIGUOUS;
}
