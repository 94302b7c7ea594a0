/* engine/timing/replay.c - see replay.h. */
#include "engine/timing/replay.h"

#include <string.h>

#include "base/map.h"
#include "base/mem.h"

void ms_timing_close_replay(struct ms_timing_replay *replay)
{
	ms_vec_free(&replay->misses);
	ms_free(replay->first);
}

static void reserve(struct ms_timing_replay *replay, size_t misses)
{
	uint64_t size = 1024;

	while (size < 2 * misses)
		size *= 2;
	if (size > replay->mask + 1 || replay->first == NULL) {
		ms_free(replay->first);
		replay->first = ms_alloc(size * sizeof(*replay->first));
		replay->mask = size - 1;
	}
	memset(replay->first, 0, (replay->mask + 1) * sizeof(*replay->first));
	replay->misses.n = 0;
	ms_vec_reserve(&replay->misses, misses + 1);
	replay->misses.n = misses + 1;
}

/* Filled from the last miss to the first, so that each list begins with the first one. */
void ms_timing_fill_replay(struct ms_timing_replay *replay, const struct ms_timing_batch *batch,
			   unsigned shards)
{
	size_t n = 0;
	uint32_t at = 1;

	for (unsigned i = 0; i < shards; i++)
		n += batch->shares[i].misses.n;
	reserve(replay, n);
	for (unsigned i = 0; i < shards; i++)
		for (size_t k = batch->shares[i].misses.n; k-- > 0; at++) {
			struct ms_timing_miss *miss = &replay->misses.at[at];
			*miss = batch->shares[i].misses.at[k];
			uint32_t *first = &replay->first[ms_hash(miss->line, 0) & replay->mask];

			miss->next = *first;
			*first = at;
		}
}

const struct ms_timing_miss *ms_timing_take_miss(struct ms_timing_replay *replay, uint64_t line,
						 uint32_t site)
{
	uint32_t *link = &replay->first[ms_hash(line, 0) & replay->mask];

	while (*link != 0) {
		struct ms_timing_miss *miss = &replay->misses.at[*link];

		if (miss->line == line) {
			if (miss->site != site)
				return NULL; /* an earlier miss of the line comes first */
			*link = miss->next;
			return miss;
		}
		link = &miss->next;
	}
	return NULL;
}
