/*
 * engine/timing/replay.h - the misses of a batch that is replayed.
 *
 * Shards deliver misses without their position. The first access of a site to a line that it missed
 * in this batch is taken for the one that missed; a line that was missed several times has its
 * misses in order, since one shard simulates all of them.
 */
#ifndef MS_ENGINE_TIMING_REPLAY_H
#define MS_ENGINE_TIMING_REPLAY_H

#include "engine/timing/timing.h"

struct ms_timing_replay {
	MS_VEC(struct ms_timing_miss) misses; /* [0] is unused */
	uint32_t *first; /* by line, hashed: the first miss that is left of each line; 0: none */
	uint64_t mask;
};

void ms_timing_close_replay(struct ms_timing_replay *replay);
/* Takes the misses of all shards. */
void ms_timing_fill_replay(struct ms_timing_replay *replay, const struct ms_timing_batch *batch,
			   unsigned shards);
/* The miss of this access; NULL: it hits the first level. */
const struct ms_timing_miss *ms_timing_take_miss(struct ms_timing_replay *replay, uint64_t line,
						 uint32_t site);

#endif
