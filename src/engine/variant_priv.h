/*
 * engine/variant_priv.h - the variants of the simulator. An engine chooses its variant once, when
 * it is opened (variants.c has the table). All that differs between variants is a function or a
 * property here; the rest of the engine does not ask which parts an engine has.
 *
 * Functions are called once for a batch, a block or an event of the program, never for a reference.
 */
#ifndef MS_ENGINE_VARIANT_PRIV_H
#define MS_ENGINE_VARIANT_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/engine.h"
#include "engine/windows/windows.h"

struct ms_count_cells;
struct ms_engine_windows_cells;
struct ms_pmu_config;

/* What an engine is opened with. */
struct ms_engine_setup {
	const struct ms_machine *machine;
	unsigned shards;
	unsigned batch_count;
	const struct ms_engine_fallback_data *data;
	const struct ms_pmu_config *pmu;           /* NULL: without a monitor */
	const struct ms_engine_windows_sets *sets; /* NULL: without windows */
};

/* A change of the program's memory, for variants that follow it. */
enum ms_engine_map_change {
	MS_ENGINE_MAP_ADD,     /* a new object, which replaces the objects in its range */
	MS_ENGINE_MAP_OVERLAY, /* a new region */
	MS_ENGINE_MAP_REMOVE,  /* the object that starts there */
	MS_ENGINE_MAP_CLEAR,   /* all objects that start in the range */
	MS_ENGINE_MAP_CHANGES,
};

/* One of the cell tables of a shard: there is one for each processor. */
struct ms_engine_cell_table {
	const struct ms_count_cells *cells;
	struct ms_engine_windows_cells *in_windows; /* with windows: the same cells, by part */
};

/* Threads and processors of the program: see engine.h for each. */
struct ms_engine_thread_ops {
	void (*set_processor)(struct ms_engine_shard *shard, uint32_t processor, uint32_t thread);
	void (*register_thread)(struct ms_engine_shard *shard, uint32_t name);
	void (*forget_threads)(struct ms_engine_shard *shard);
	bool (*switch_thread)(struct ms_engine_shard *shard, uint64_t record);
	uint64_t (*take_switches)(struct ms_engine_shard *shard, uint32_t *name);
	void (*set_busy_processors)(struct ms_engine_shard *shard, uint32_t processors);
	void (*set_placement)(struct ms_engine_shard *shard, uint64_t start, uint64_t end,
			      enum ms_machine_page_placement placement, uint64_t nodes);
	void (*unmap_pages)(struct ms_engine_shard *shard, uint64_t start, uint64_t end);
};

/* Counts of one processor, or of several. */
struct ms_engine_count_ops {
	/* All references that the shard has filtered; they were flushed before. */
	uint64_t (*count_references)(const struct ms_engine_shard *shard);
	/* Nearly the same, without a flush: for progress. */
	uint64_t (*estimate_references)(const struct ms_engine_shard *shard);
	uint64_t (*count_exits)(const struct ms_engine *engine, uint32_t processor, uint32_t block,
				uint32_t exit, double *weighted);
	/* The next cell table; *at is 0 at first. Returns false when there are no more. */
	bool (*next_cell_table)(struct ms_engine_shard *shard, uint32_t *at,
				struct ms_engine_cell_table *table);
	/* What totals have besides cells, when these have been listed. */
	void (*list_totals)(struct ms_engine *engine, struct ms_engine_totals *totals);
	/* Lines that have a record; *bytes: of the records. */
	uint64_t (*count_lines)(const struct ms_engine_shard *shard, uint64_t *bytes);
};

struct ms_engine_variant {
	bool (*fits)(const struct ms_engine_setup *setup);
	bool is_undivided;   /* shard 0 owns all lines */
	bool has_windows;    /* cells have counts by part, too */
	bool has_processors; /* cells belong to a processor */
	bool follows_map;    /* it needs all changes of the program's memory, see change_map() */
	bool has_timing;     /* out-of-order processors are modelled: see timing/timing.h */
	bool divides_replacements; /* into conflict and capacity misses: see causes/causes.h */
	bool follows_calls;        /* call paths can be followed: see call_paths/call_paths.h */
	bool observes_lines;       /* selected lines can be observed: see spatial/spatial.h */
	bool filters_anywhere;     /* the filter has so little state that any shard can filter */
	const struct ms_engine_thread_ops *threads;
	const struct ms_engine_count_ops *counts;

	/* What the variant has besides the common parts, which are opened before. */
	void (*open)(struct ms_engine *engine, const struct ms_engine_setup *setup);
	void (*close)(struct ms_engine *engine);
	void (*open_shard)(struct ms_engine_shard *shard, const struct ms_engine_setup *setup);
	void (*close_shard)(struct ms_engine_shard *shard);
	uint64_t (*measure)(const struct ms_engine *engine); /* its bytes */
	uint64_t (*measure_shard)(const struct ms_engine_shard *shard);

	/* The filter half of a shard. */
	void (*add_block)(struct ms_engine_shard *shard, const struct ms_engine_block *block);
	size_t (*filter)(struct ms_engine_shard *shard, const uint64_t *words, size_t n);
	void (*reset_filter)(struct ms_engine_shard *shard);
	void (*distribute)(struct ms_engine_shard *shard, unsigned batch_index);
	/* Adds the references that were counted since the last call to their cells. */
	void (*flush_references)(struct ms_engine_shard *shard);
	/* The program's memory has changed. */
	void (*change_map)(struct ms_engine_shard *shard, enum ms_engine_map_change change,
			   uint64_t start, uint64_t end);

	/* The simulation half. */
	void (*simulate)(struct ms_engine_shard *shard, unsigned batch_index);
	void (*finish)(struct ms_engine *engine, unsigned batch_index);
	/* Called before totals are computed. */
	void (*finish_counts)(struct ms_engine *engine);
};

/* The variant for this setup. */
const struct ms_engine_variant *ms_engine_choose_variant(const struct ms_engine_setup *setup);
/* engine.c: opens an engine of any variant. */
struct ms_engine *ms_engine_open_variant(const struct ms_engine_setup *setup);

#endif
