#include "engine/causes/optimal_replacement.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"

enum { SIZES = MS_CAUSES_OPTIMAL_SIZES };
/* Of an empty cache. */
enum { FEWEST_TIMES = 1 << 12 };

void ms_causes_set_optimal_sizes(struct ms_causes_optimal *optimal, const uint32_t lines[SIZES])
{
	bool same = lines[0] == lines[1] && lines[0] == lines[2];

	memcpy(optimal->lines, lines, sizeof(optimal->lines));
	optimal->sizes = same ? 1 : SIZES;
}

void ms_causes_close_optimal(struct ms_causes_optimal *optimal)
{
	ms_free(optimal->nodes);
	optimal->nodes = NULL;
	optimal->size = 0;
}

uint64_t ms_causes_measure_optimal(const struct ms_causes_optimal *optimal)
{
	return 2 * (uint64_t)optimal->size * sizeof(*optimal->nodes);
}

/* --- the tree --- */

/* Whether the node has changed. */
static bool combine(struct ms_causes_optimal *o, size_t node)
{
	const struct ms_causes_optimal_node *left = &o->nodes[2 * node], *right = left + 1;
	struct ms_causes_optimal_node *at = &o->nodes[node];
	bool changed = false;

	for (unsigned k = 0; k < o->sizes; k++) {
		int32_t sum = left->sum[k] + right->sum[k], peak = left->sum[k] + right->peak[k];

		peak = peak > left->peak[k] ? peak : left->peak[k];
		changed |= sum != at->sum[k] || peak != at->peak[k];
		at->sum[k] = sum;
		at->peak[k] = peak;
	}
	return changed;
}

static void change(struct ms_causes_optimal *o, size_t leaf, unsigned sizes, int32_t by)
{
	for (unsigned k = 0; k < o->sizes; k++)
		if ((sizes >> k & 1) != 0) {
			o->nodes[leaf].sum[k] += by;
			o->nodes[leaf].peak[k] += by;
		}
}

/* One place more is occupied from a time on, and until a later one. */
static void occupy(struct ms_causes_optimal *o, uint32_t from, uint32_t until, unsigned sizes)
{
	size_t first = o->size + from - 1, last = o->size + until - 1;

	change(o, first, sizes, 1);
	change(o, last, sizes, -1);
	while (first / 2 != last / 2) {
		first /= 2;
		last /= 2;
		combine(o, first);
		combine(o, last);
	}
	for (first /= 2; first > 0 && combine(o, first); first /= 2)
		;
}

/* A bit for each size that had room for one line more at all times after this one. */
static unsigned find_room(const struct ms_causes_optimal *o, uint32_t after)
{
	size_t node = o->size + after; /* of the time after that */
	struct ms_causes_optimal_node all = o->nodes[node];
	unsigned room = 0;

	for (; node > 1; node /= 2) {
		const struct ms_causes_optimal_node *next = &o->nodes[node + 1];

		for (unsigned k = 0; k < o->sizes && node % 2 == 0; k++) {
			int32_t peak = all.sum[k] + next->peak[k];

			all.peak[k] = peak > all.peak[k] ? peak : all.peak[k];
			all.sum[k] += next->sum[k];
		}
	}
	/* At the end no places are occupied: so -sum are at the beginning. One is for the line that
	 * is accessed. */
	for (unsigned k = 0; k < o->sizes; k++)
		if ((int64_t)all.peak[k] - all.sum[k] + 1 < (int64_t)o->lines[k])
			room |= 1u << k;
	return room;
}

/* The sizes that are not simulated are as the first one. */
static unsigned spread(const struct ms_causes_optimal *o, unsigned hits)
{
	return o->sizes == 1 && hits != 0 ? MS_CAUSES_OPTIMAL_HITS_ALL : hits;
}

unsigned ms_causes_use_optimal(struct ms_causes_optimal *o, uint32_t last, uint32_t latest)
{
	unsigned hits = 0;

	if (last == 0)
		return 0;
	if (last == latest) {
		for (unsigned k = 0; k < SIZES; k++)
			hits |= o->lines[k] > 0 ? 1u << k : 0;
		return hits;
	}
	hits = find_room(o, last);
	if (hits != 0)
		occupy(o, last + 1, latest + 1, hits);
	return spread(o, hits);
}

/* Of the times up to each of the given ones, from the one before on: the most occupied places. */
static int32_t *find_peaks(const struct ms_causes_optimal *o, unsigned k, const uint32_t *times,
			   uint32_t n)
{
	int32_t *peaks = ms_alloc(((size_t)n + 1) * sizeof(*peaks)), occupied = 0;
	uint32_t at = 0;

	for (uint32_t time = 1; time <= o->size && at < n; time++) {
		occupied += o->nodes[o->size + time - 1].sum[k];
		peaks[at] = occupied > peaks[at] ? occupied : peaks[at];
		at += times[at] == time;
	}
	return peaks;
}

void ms_causes_renumber_optimal(struct ms_causes_optimal *o, const uint32_t *times, uint32_t n,
				double part, uint32_t size)
{
	struct ms_causes_optimal renumbered = { .sizes = o->sizes,
						.size = size,
						.nodes = ms_alloc(2 * (size_t)size *
								  sizeof(*renumbered.nodes)) };

	for (unsigned k = 0; k < o->sizes; k++) {
		int32_t *peaks = find_peaks(o, k, times, n), before = 0;

		for (uint32_t i = 0; i < n; i++) {
			/* No line is kept beyond the latest access: it has not been used again. */
			int32_t occupied = i + 1 < n ? (int32_t)(peaks[i] * part + 0.5) : 0;

			renumbered.nodes[size + i].sum[k] = occupied - before;
			renumbered.nodes[size + i].peak[k] = occupied - before;
			before = occupied;
		}
		ms_free(peaks);
	}
	memcpy(renumbered.lines, o->lines, sizeof(o->lines));
	ms_causes_close_optimal(o);
	*o = renumbered;
	for (size_t node = size - 1; node > 0; node--)
		combine(o, node);
}

/* --- a cache with its lines --- */

static void make_empty(struct ms_causes_optimal_cache *cache)
{
	ms_map_free(&cache->index);
	cache->lines.n = 0;
	cache->latest = 0;
	ms_causes_renumber_optimal(&cache->optimal, NULL, 0, 1, FEWEST_TIMES);
}

void ms_causes_open_optimal_cache(struct ms_causes_optimal_cache *cache, uint32_t lines)
{
	*cache = (struct ms_causes_optimal_cache){ .latest = 0 };
	ms_causes_set_optimal_sizes(&cache->optimal, (const uint32_t[]){ lines, lines, lines });
	make_empty(cache);
}

void ms_causes_close_optimal_cache(struct ms_causes_optimal_cache *cache)
{
	ms_causes_close_optimal(&cache->optimal);
	ms_map_free(&cache->index);
	ms_vec_free(&cache->lines);
}

uint64_t ms_causes_measure_optimal_cache(const struct ms_causes_optimal_cache *cache)
{
	return ms_causes_measure_optimal(&cache->optimal) + ms_map_bytes(&cache->index) +
	       cache->lines.cap * sizeof(*cache->lines.at);
}

void ms_causes_reset_optimal_cache(struct ms_causes_optimal_cache *cache)
{
	make_empty(cache);
	cache->maybe_kept = cache->optimal.lines[0];
}

static int by_time(const void *a, const void *b)
{
	const struct ms_causes_optimal_line *const *x = a, *const *y = b;

	return ms_cmp_u64((*x)->time, (*y)->time);
}

static void renumber(struct ms_causes_optimal_cache *cache)
{
	uint32_t n = (uint32_t)cache->lines.n, size = FEWEST_TIMES;
	struct ms_causes_optimal_line **order = ms_alloc((n + 1) * sizeof(*order));
	uint32_t *times = ms_alloc((n + 1) * sizeof(*times));

	for (uint32_t i = 0; i < n; i++)
		order[i] = &cache->lines.at[i];
	qsort(order, n, sizeof(struct ms_causes_optimal_line *), by_time);
	for (uint32_t i = 0; i < n; i++) {
		times[i] = order[i]->time;
		order[i]->time = i + 1;
	}
	while (size < 2 * n)
		size *= 2;
	ms_causes_renumber_optimal(&cache->optimal, times, n, 1, size);
	cache->latest = n;
	ms_free(times);
	ms_free(order);
}

enum ms_causes_optimal_verdict ms_causes_access_optimal(struct ms_causes_optimal_cache *cache,
							uint64_t line, bool is_first)
{
	uint32_t *number = ms_map_at(&cache->index, line, 0);
	bool is_new = *number == MS_MAP_NONE;

	if (is_new) {
		*number = (uint32_t)cache->lines.n;
		*ms_vec_add(&cache->lines) = (struct ms_causes_optimal_line){ line, 0 };
	}
	struct ms_causes_optimal_line *entry = &cache->lines.at[*number];
	if (!is_new && entry->time == cache->latest)
		return MS_CAUSES_OPTIMAL_HITS;
	unsigned hits = ms_causes_use_optimal(&cache->optimal, entry->time, cache->latest);

	entry->time = ++cache->latest;
	if (cache->latest == cache->optimal.size)
		renumber(cache);
	if (is_new && !is_first && cache->maybe_kept > 0) {
		cache->maybe_kept--;
		return MS_CAUSES_OPTIMAL_AMBIGUOUS;
	}
	return hits != 0 ? MS_CAUSES_OPTIMAL_HITS : MS_CAUSES_OPTIMAL_MISSES;
}
