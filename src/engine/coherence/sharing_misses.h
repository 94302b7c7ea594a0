/*
 * engine/coherence/sharing_misses.h - misses on lines that another processor has invalidated:
 * which cell missed, which cell had written, and on which bytes of which line.
 */
#ifndef MS_ENGINE_COHERENCE_SHARING_MISSES_H
#define MS_ENGINE_COHERENCE_SHARING_MISSES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/compiler.h"
#include "base/vec.h"

/* cell and writer are numbers of miss counters in the shard. Counts are those of
 * ms_engine_total_sharing. */
struct ms_coherence_sharing_miss {
	uint32_t cell;
	uint32_t writer;
	uint64_t line;
	uint32_t offset;
	uint32_t writer_offset;
	uint64_t object; /* both as of the first such miss */
	uint64_t writer_object;
	uint64_t truly;
	uint64_t falsely;
	uint64_t peer;
	uint64_t remote; /* counted by ms_engine_finish_batch() only */
};

/* The number of distinct entries. Beyond it, misses are distinguished by cell and writer only. */
enum { MS_COHERENCE_MAX_SHARING = 1000000 };

enum { MS_COHERENCE_RECENT_SHARING_BITS = 8 };

struct ms_coherence_sharing_table {
	struct ms_arena arena;
	struct ms_coherence_sharing_miss **at; /* a hash table; NULL: empty */
	uint32_t mask;                         /* its size - 1 */
	uint32_t n;
	struct ms_coherence_sharing_miss
		*recent[1 << MS_COHERENCE_RECENT_SHARING_BITS]; /* a cache of recent look-ups; NULL:
								   empty */
};

void ms_coherence_close_sharing(struct ms_coherence_sharing_table *sharing);
uint64_t ms_coherence_measure_sharing(const struct ms_coherence_sharing_table *sharing);
/* Returns the entry that equals `like` in the members up to writer_offset. Its address does not
 * change. */
struct ms_coherence_sharing_miss *
ms_coherence_get_sharing_miss(struct ms_coherence_sharing_table *sharing,
			      const struct ms_coherence_sharing_miss *like);

/* Returns the entry's place in the cache of recent look-ups. The highest bits of the product
 * depend on all bits of the key. */
MS_INLINE struct ms_coherence_sharing_miss **
ms_coherence_get_recent_sharing(struct ms_coherence_sharing_table *sharing, uint32_t cell,
				uint32_t writer, uint64_t line)
{
	uint64_t key = (uint64_t)cell << 32 ^ writer ^ line << 12;

	return &sharing->recent[key * UINT64_C(0x9e3779b97f4a7c15) >>
				(64 - MS_COHERENCE_RECENT_SHARING_BITS)];
}

MS_INLINE bool ms_coherence_is_sharing_miss(const struct ms_coherence_sharing_miss *s,
					    uint32_t cell, uint32_t writer, uint64_t line,
					    uint32_t offset, uint32_t writer_offset)
{
	return s != NULL && s->cell == cell && s->writer == writer && s->line == line &&
	       s->offset == offset && s->writer_offset == writer_offset;
}

#endif
