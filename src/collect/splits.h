/* collect/splits.h - data that is split by size, thread or member. */
#ifndef MS_COLLECT_SPLITS_H
#define MS_COLLECT_SPLITS_H

#include <stdint.h>

#include "base/vec.h"
#include "bins/binder.h"
#include "engine/engine.h"

struct bound_event;
struct collector;
struct ms_splits;

struct ms_collect_splits {
	/* How data is split: flags of enum ms_run_split; NULL: not at all. */
	unsigned (*choose)(const char *key, const char *name, const void *arg);
	const void *arg;
	struct ms_splits *known; /* the answers so far */
};

struct ms_places {
	MS_VEC(struct ms_engine_range) at;
};

/* The data of a heap block, and the ranges of its members where it is split by member. */
void ms_splits_alloc(struct collector *c, uint64_t size, struct bound_event *b);
/* Adds a range of static memory, or its members. */
void ms_splits_static(struct collector *c, const struct ms_bins_bound_range *range,
		      struct ms_places *places);
void ms_splits_close(struct ms_splits *splits);

#endif
