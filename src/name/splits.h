/* name/splits.h - data that is split by size, thread or member, or whose lines are watched. */
#ifndef MS_NAME_SPLITS_H
#define MS_NAME_SPLITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "bins/binder.h"
#include "engine/engine.h"

struct ms_name_splits;

struct ms_name_split_choice {
	/* How data is split: flags of enum ms_run_split; NULL: not at all. */
	unsigned (*choose)(const char *key, const char *name, const void *arg);
	const void *arg;
	struct ms_name_splits *known; /* the answers so far */
};

struct ms_name_ranges {
	MS_VEC(struct ms_engine_range) at;
	MS_VEC(struct ms_engine_range) watched; /* those of them whose lines are to be observed */
};

/* The data of a heap block, and the ranges of its members where it is split by member. */
struct ms_name_split_block {
	uint32_t data;
	const struct ms_engine_range *members; /* NULL: it is not */
	size_t member_count;
	uint64_t stride; /* the members' ranges repeat at this distance */
	bool is_watched; /* all of its lines are to be observed (MS_SPLIT_WATCH) */
};
/* data: before it is split; thread: that allocates it. */
struct ms_name_split_block ms_name_split_alloc(struct ms_name_split_choice *splits,
					       struct ms_bins *binder, uint32_t data, uint64_t size,
					       uint32_t thread);
/* Adds a range of static memory, or its members. */
void ms_name_split_static(struct ms_name_split_choice *splits, struct ms_bins *binder,
			  const struct ms_bins_bound_range *range, struct ms_name_ranges *places);
void ms_name_splits_close(struct ms_name_splits *splits);

#endif
