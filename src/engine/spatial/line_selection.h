/*
 * engine/spatial/line_selection.h - which lines are observed access by access.
 *
 * A line is selected if a hash of its number is below a threshold. The threshold falls while the
 * run gets longer, so that the selected lines of a later batch are some of those of an earlier one.
 * The L1 filter never remembers a selected line as the most recent one of its set: so it keeps
 * every access to it, and asks for nothing more when it drops other accesses.
 *
 * Of each selected line, the first MS_SPATIAL_MAX_TOUCHES accesses of a batch are observed. Without
 * this limit, a program that uses one of these lines all the time would be slow.
 */
#ifndef MS_ENGINE_SPATIAL_LINE_SELECTION_H
#define MS_ENGINE_SPATIAL_LINE_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/vec.h"
#include "engine/spatial/watched_lines.h"

struct ms_count_cell;
struct ms_engine_shard;
struct ms_filter_ref_state;

enum { MS_SPATIAL_MAX_TOUCHES = 64 };

/* A mask of used bytes has 64 bits: lines are not longer. */
enum { MS_SPATIAL_MAX_LINE_SHIFT = 6 };

/* An access to a selected line, or its part on that line. */
struct ms_spatial_touch {
	uint64_t address;
	uint64_t object;            /* start of its object; MS_SPATIAL_NO_OBJECT: unknown */
	struct ms_count_cell *cell; /* set when it has been simulated */
	uint32_t pending;           /* its index in the pending accesses of the shard `owner`; with
				       several processors, in the batch */
	uint16_t size;
	uint8_t owner;
	uint8_t missed;  /* number of levels */
	uint32_t thread; /* with several processors, else 0 */
	uint32_t agent;  /* number of the processor's cache of the first level */
};

#define MS_SPATIAL_NO_OBJECT UINT64_MAX

struct ms_spatial_line_count {
	uint64_t line;
	uint32_t batch; /* another one than now: the entry is free */
	uint32_t touches;
};

/* The filter half of a shard: the batch that it filters. */
struct ms_spatial_filter {
	uint64_t threshold; /* 0: no line is selected; 2^32: all are */
	/* If it is used, all lines are selected, and these are observed. */
	struct ms_spatial_watched watched;
	/*
	 * By direction and the upper bits of a line's hash: this line and at least so many minus
	 * one that follow in its block are not selected. NULL: no line is selected.
	 */
	uint16_t *unselected[2];
	uint32_t hash_shift; /* to these upper bits */
	MS_VEC(struct ms_spatial_touch) touches;
	struct ms_spatial_line_count *counts; /* hashed; NULL: nothing is observed */
	uint32_t batch;
	uint32_t entries;          /* of `counts` */
	uint32_t lines;            /* entries that this batch has taken */
	MS_VEC(uint64_t) at_limit; /* lines of this batch that have reached the limit */
};

/* Hashes of adjacent lines of a block of so many lines differ by the factor. */
enum { MS_SPATIAL_BLOCK_SHIFT = 6 };
#define MS_SPATIAL_HASH_FACTOR UINT32_C(0x9e3779b1)

/*
 * With the factor alone, the hashes of lines at a constant distance would be an arithmetic
 * progression: of the lines of a column too few or too many are selected together.
 */
MS_INLINE uint32_t ms_spatial_hash_line(uint64_t line)
{
	uint32_t block = (uint32_t)(line >> MS_SPATIAL_BLOCK_SHIFT);

	return ((uint32_t)line + block * block) * MS_SPATIAL_HASH_FACTOR;
}

MS_INLINE bool ms_spatial_is_selected(uint64_t threshold, uint64_t line)
{
	return ms_spatial_hash_line(line) < threshold;
}

/* The threshold for one line in `rate`, which is a power of two. */
MS_INLINE uint64_t ms_spatial_make_threshold(uint64_t rate)
{
	return (UINT64_C(1) << 32) / rate;
}

/* How many lines can be skipped, from the line with this hash on; `falls`: downwards. */
MS_INLINE uint32_t ms_spatial_count_unselected(const struct ms_spatial_filter *filter,
					       uint32_t hash, bool falls)
{
	return filter->unselected[falls][(uint64_t)hash >> filter->hash_shift];
}
/* skip_lines.c: sets threshold, and what follows from it. */
void ms_spatial_set_threshold(struct ms_spatial_filter *filter, uint64_t threshold);
void ms_spatial_close_filter(struct ms_spatial_filter *filter);

/* record_touches.c: whether the next access to the line is to be observed. */
bool ms_spatial_is_observed(const struct ms_spatial_filter *filter, uint64_t line);
/*
 * Records an access to a selected line, from `address` on, whose pending access gets this index.
 * Returns false if the line has reached the limit: then it is like any other line.
 */
bool ms_spatial_record_touch(struct ms_engine_shard *shard,
			     const struct ms_filter_ref_state *ref_state, uint64_t address,
			     uint32_t size, uint32_t pending);
/*
 * The same with several processors. The object and the cell follow from the pending access: see
 * ms_spatial_bind_touches().
 */
bool ms_spatial_record_processor_touch(struct ms_engine_shard *shard, uint64_t address,
				       uint32_t size, uint32_t pending);

#endif
