/*
 * engine/coherence/slice_simulation_priv.h - what slice_simulation.c and slice_uncontended.h know
 * of a turn on its way through the caches.
 */
#ifndef MS_ENGINE_COHERENCE_SLICE_SIMULATION_PRIV_H
#define MS_ENGINE_COHERENCE_SLICE_SIMULATION_PRIV_H

#include "engine/caches/miss_attribution.h"
#include "engine/coherence/processor_simulation.h"

/* Lines are taken through so many at once. */
enum { MS_COHERENCE_SLICE_LINES = 128 };

/* A level that a line has missed. */
struct ms_coherence_level_miss {
	uint64_t victim; /* the line that left; MS_CACHES_NO_LINE: none did */
	uint32_t *came;  /* what records say of the line that came ... */
	uint32_t *left;  /* ... and of the one that left; NULL: none did */
};

/* A line that is not in the first level, or must be owned. */
struct ms_coherence_slice_event {
	const struct ms_coherence_pending *pending;
	const struct ms_coherence_pending *ref_start; /* the first line of its reference */
	uint64_t line;
	uint64_t written;                   /* see struct ms_caches_access */
	struct ms_coherence_level_miss *at; /* by level */
	uint32_t *entry;                    /* of the directory */
	uint32_t *victim_entry; /* of the line that left the last own level; NULL: none did */
	struct ms_caches_access *access;    /* NULL: it is plain */
	struct ms_caches_position position; /* where it came to in the first level */
	unsigned missed;                    /* levels */
	uint64_t falsely;                   /* of one that is not plain, a bit a level */
};

/* What is a constant where machines are as most are, so that it costs nothing to ask. */
struct ms_coherence_slice_shape {
	unsigned private_levels; /* levels of an agent */
	uint32_t words;          /* of an entry's holders */
};

struct ms_coherence_slice_simulation {
	unsigned levels;
	struct ms_coherence_slice_shape shape;
	struct ms_coherence *coherence;
	size_t n;    /* events */
	size_t left; /* of them, fall through the levels */
	struct ms_coherence_slice_event event[MS_COHERENCE_SLICE_LINES];
	struct ms_caches_access access[MS_COHERENCE_SLICE_LINES]; /* of those that are not plain */
	struct ms_coherence_level_miss *passing;                  /* by event and level */
	uint32_t *old_records; /* likewise: what the record of the line that came said */
	struct ms_coherence_slice_event
		*missed_events[MS_COHERENCE_SLICE_LINES]; /* those that have missed all levels so
							     far */
	uint16_t *owner; /* by way of the first level: the event that has made its line owned */
	struct ms_caches_attributions *attributions; /* by level: of plain ones ... */
	uint64_t *misses; /* ... that the thread's count has not been told */
};

#endif
