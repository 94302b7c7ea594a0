/* engine/spatial/spatial_state.h - the state of an engine that observes selected lines. */
#ifndef MS_ENGINE_SPATIAL_SPATIAL_STATE_H
#define MS_ENGINE_SPATIAL_SPATIAL_STATE_H

#include "base/map.h"
#include "engine/spatial/reuse_distance.h"
#include "engine/spatial/site_strides.h"
#include "engine/spatial/spatial.h"
#include "engine/spatial/spatial_sums.h"

/* What was used of a line since it entered a level. */
struct ms_spatial_residency {
	uint64_t used; /* a bit for each byte */
	uint64_t written;
	uint32_t fetcher; /* the cell whose access missed; MS_MAP_NONE: not observed */
	uint32_t writer;  /* the cell that wrote it first; MS_MAP_NONE: none */
};

/*
 * A line in the caches with this number: of the first level, and of the last one. Their numbers are
 * independent of each other; one processor has caches with number 0 only.
 */
struct ms_spatial_line {
	uint64_t line;
	uint32_t cache;
	bool has_offset;     /* the object that it was fetched for into the first level is known */
	int64_t offset;      /* of the line in that object */
	uint32_t last_cell;  /* cache 0, of its latest access by any processor: cell ... */
	uint32_t last_agent; /* ... first level ... */
	uint32_t last_time;  /* ... and time, see reuse_distance.h; else 0 */
	struct ms_spatial_residency in[MS_SPATIAL_LEVELS];
};

struct ms_spatial_batch {
	uint64_t threshold;
	MS_VEC(struct ms_spatial_touch) touches; /* in stream order */
	size_t *next;                            /* by shard, while it simulates: see
						    ms_spatial_record_miss() */
};

struct ms_spatial {
	unsigned shards;
	unsigned batch_count;
	unsigned levels;
	uint32_t line_shift;
	uint32_t sharers; /* caches of the first level for each one of the last level */
	uint32_t rate;    /* 0: it falls with the length of the run */
	/* The last level has lines of another size than the first one: it is not observed. */
	bool first_only;
	struct ms_spatial_batch *batch; /* by batch index */

	uint64_t threshold;  /* of the batch that was finished last */
	struct ms_map index; /* by line and cache: of its entry in lines */
	MS_VEC(struct ms_spatial_line) lines;
	struct ms_spatial_reuse reuse;
	struct ms_spatial_sums sums;
	struct ms_spatial_strides strides;
};

#endif
