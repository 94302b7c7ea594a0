/*
 * engine/sharing.h - misses on lines that another processor had taken away: who missed, who had
 * written, on which bytes of which line.
 */
#ifndef MS_ENGINE_SHARING_H
#define MS_ENGINE_SHARING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/compiler.h"
#include "base/vec.h"

/* Cells are tallies, by their numbers in the shard. Counts are those of ms_total_sharing. */
struct shared {
	uint32_t cell;
	uint32_t writer;
	uint64_t line;
	uint32_t offset;
	uint32_t writer_offset;
	uint64_t object; /* these two as they were when it was first met */
	uint64_t writer_object;
	uint64_t truly;
	uint64_t falsely;
	uint64_t peer;
	uint64_t remote; /* by ms_engine_finish() only */
};

/* So many are kept apart; of all others only who missed and who had written. */
enum { MS_SHARING_MOST = 1000000 };

enum { MS_SHARING_NEAR_BITS = 8 };

struct sharing {
	struct ms_arena arena;
	struct shared **at; /* a hash table; NULL: an empty place */
	uint32_t mask;      /* its size - 1 */
	uint32_t n;
	struct shared *near[1 << MS_SHARING_NEAR_BITS]; /* asked for of late; or NULL */
};

void ms_sharing_close(struct sharing *sharing);
uint64_t ms_sharing_bytes(const struct sharing *sharing);
/* The one that agrees with `like` up to writer_offset; stays where it is. */
struct shared *ms_sharing_at(struct sharing *sharing, const struct shared *like);

/* Where it stands if it was asked for of late: the highest bits of a product depend on all others.
 */
MS_INLINE struct shared **ms_sharing_near(struct sharing *sharing, uint32_t cell, uint32_t writer,
					  uint64_t line)
{
	uint64_t key = (uint64_t)cell << 32 ^ writer ^ line << 12;

	return &sharing->near[key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - MS_SHARING_NEAR_BITS)];
}

MS_INLINE bool ms_shared_is(const struct shared *s, uint32_t cell, uint32_t writer, uint64_t line,
			    uint32_t offset, uint32_t writer_offset)
{
	return s != NULL && s->cell == cell && s->writer == writer && s->line == line &&
	       s->offset == offset && s->writer_offset == writer_offset;
}

#endif
