/*
 * engine/coherence/time_slice_simulation_priv.h - the state of a time slice in simulation, shared
 * by time_slice_simulation.c and slice_uncontended.h.
 */
#ifndef MS_ENGINE_COHERENCE_TIME_SLICE_SIMULATION_PRIV_H
#define MS_ENGINE_COHERENCE_TIME_SLICE_SIMULATION_PRIV_H

#include "engine/caches/miss_attribution.h"
#include "engine/coherence/processor_simulation.h"

/* The number of lines that one pass handles. */
enum { MS_COHERENCE_SLICE_LINES = 128 };

/* A miss of a line at one level. */
struct ms_coherence_level_miss {
	uint64_t victim; /* the evicted line; MS_CACHES_NO_LINE: none */
	uint32_t *came;  /* record of the inserted line */
	uint32_t *left;  /* record of the evicted line; NULL: none */
};

/* An access to a line that is not in the first level, or not writable there. */
struct ms_coherence_slice_event {
	const struct ms_coherence_pending *pending;
	const struct ms_coherence_pending *ref_start; /* the first line of its reference */
	uint64_t line;
	uint64_t written;                   /* see struct ms_caches_access */
	struct ms_coherence_level_miss *at; /* by level */
	uint32_t *entry;                    /* of the directory */
	uint32_t *victim_entry; /* of the line that the last private level evicted; NULL: none */
	struct ms_caches_access *access;    /* NULL: it is uncontended */
	struct ms_caches_position position; /* in the first level */
	unsigned missed;                    /* number of levels */
	uint64_t falsely;                   /* if contended: one bit for each level */
};

/* Passed as constants for the most frequent machines, so that the compiler removes the tests. */
struct ms_coherence_slice_shape {
	unsigned private_levels; /* number of an agent's levels */
	uint32_t words;          /* number of holder words in an entry */
};

struct ms_coherence_slice_simulation {
	unsigned levels;
	struct ms_coherence_slice_shape shape;
	struct ms_coherence *coherence;
	size_t n;    /* events */
	size_t left; /* events that missed all levels so far */
	struct ms_coherence_slice_event event[MS_COHERENCE_SLICE_LINES];
	struct ms_caches_access access[MS_COHERENCE_SLICE_LINES]; /* of contended events */
	struct ms_coherence_level_miss *passing;                  /* by event and level */
	uint32_t *old_records; /* likewise: old value of the record of the inserted line */
	struct ms_coherence_slice_event
		*missed_events[MS_COHERENCE_SLICE_LINES]; /* those that have missed all levels so
							     far */
	uint16_t *owner; /* by way of the first level: the event that made its line owned */
	struct ms_caches_attributions *attributions; /* by level: of uncontended lines */
	uint64_t *misses; /* likewise: not yet added to the thread's counters */
};

#endif
