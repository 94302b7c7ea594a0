/* engine/spatial/spatial_state.h - the state of an engine that observes selected lines. */
#ifndef MS_ENGINE_SPATIAL_SPATIAL_STATE_H
#define MS_ENGINE_SPATIAL_SPATIAL_STATE_H

#include "base/map.h"
#include "engine/causes/optimal_replacement.h"
#include "engine/spatial/reuse_distance.h"
#include "engine/spatial/site_strides.h"
#include "engine/spatial/spatial.h"
#include "engine/spatial/spatial_sums.h"

/* The replacement misses of so many levels are divided, and of none before the second. */
enum { MS_SPATIAL_ORDERS = 5 };

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
	uint64_t touched;    /* cache 0: a bit for each byte that was ever accessed */
	uint32_t last_cell;  /* cache 0, of its latest access by any processor: cell ... */
	uint32_t last_agent; /* ... first level ... */
	/* ... and times, see reuse_distance.h: of all accesses, and of those of each level after
	 * the first; else 0 */
	uint32_t last_times[MS_SPATIAL_ORDERS];
	struct ms_spatial_residency in[MS_SPATIAL_LEVELS];
};

/*
 * Decides from the number of other selected lines that were used since, whether a fully associative
 * cache hits: below `hits` certainly (95 %), from `misses` on certainly not.
 */
struct ms_spatial_limits {
	uint64_t lines; /* of the cache; 0: the level's misses are not divided */
	uint32_t hits;
	uint32_t misses;
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
	bool watches;                   /* the lines of some data only: see watched_lines.h */
	struct ms_spatial_batch *batch; /* by batch index */

	uint64_t threshold;  /* of the batch that was finished last */
	struct ms_map index; /* by line and cache: of its entry in lines */
	MS_VEC(struct ms_spatial_line) lines;
	struct ms_spatial_reuse reuse[MS_SPATIAL_ORDERS];
	struct ms_spatial_limits limits[MS_SPATIAL_ORDERS]; /* by level; [0] is unused */
	struct ms_spatial_limits sizes[MS_ENGINE_CURVE_SIZES];
	unsigned first_size; /* of the curve: the first one that is not below the first level's */
	/* By level; [0] is unused: the selected lines are too few of a small cache. */
	struct ms_causes_optimal optimal[MS_SPATIAL_ORDERS];
	struct ms_spatial_sums sums;
	struct ms_spatial_strides strides;
};

/* line_order.c: the order in which selected lines were used last, of an order's accesses. */
enum { MS_SPATIAL_NEVER_USED = -1 };
struct ms_spatial_use {
	int64_t since; /* other lines that were used since, or MS_SPATIAL_NEVER_USED */
	unsigned hits; /* with optimal replacement, a bit for each size */
};
/* The line is used now. */
struct ms_spatial_use ms_spatial_use_line(struct ms_spatial *spatial, struct ms_spatial_line *line,
					  unsigned order);
/* Lines have been forgotten; this part of them is left. */
void ms_spatial_renumber_lines(struct ms_spatial *spatial, double part);
/* Of all orders. */
void ms_spatial_close_orders(struct ms_spatial *spatial);
uint64_t ms_spatial_measure_orders(const struct ms_spatial *spatial);

/* divide_misses.c: how many lines are selected has changed. */
void ms_spatial_set_limits(struct ms_spatial *spatial);
/* An access to the line: was its miss of a level a conflict miss or a capacity miss? */
void ms_spatial_divide_misses(struct ms_engine *engine, struct ms_spatial_line *line,
			      const struct ms_spatial_touch *touch);

#endif
