/*
 * engine/coherence/processor_simulation.h - what processor_simulation.c and slice_simulation.c
 * share: where a batch stands, and how what an access came to is counted.
 */
#ifndef MS_ENGINE_COHERENCE_PROCESSOR_SIMULATION_H
#define MS_ENGINE_COHERENCE_PROCESSOR_SIMULATION_H

#include "engine/coherence/coherence.h"
#include "engine/engine_priv.h"

struct ms_coherence_simulation {
	struct ms_engine_shard *shard;
	struct ms_coherence_batch_notes *notes;
	const struct ms_coherence_batch *batch;
	bool owns_all; /* all lines are this shard's */
	const struct ms_coherence_slice
		*slice; /* whose lines these are, and what follows from it: */
	uint32_t agent;
	struct ms_caches_array **path;
	struct ms_count_thread *thread;

	/* The reference, by its first line, of the access counted last. */
	const struct ms_coherence_pending *reference;
	unsigned missed; /* levels, from the first */
	bool split;
	uint64_t *peer[2];    /* what has counted who answered it; NULL: nothing ... */
	uint32_t memory_note; /* ... or the note of memory that does, plus 1; 0: none */
};

MS_INLINE uint64_t ms_coherence_get_pending_line(const struct ms_coherence_simulation *s,
						 const struct ms_coherence_pending *m)
{
	return (m->address & MS_COHERENCE_ADDRESS) >> s->shard->first_shift;
}

MS_INLINE bool ms_coherence_owns_pending(const struct ms_coherence_simulation *s,
					 const struct ms_coherence_pending *m)
{
	return s->owns_all ||
	       ms_engine_find_owner(s->shard->engine, m->address & MS_COHERENCE_ADDRESS) ==
		       s->shard->number;
}

/* Where the line is in the first level, and nothing else changes, it becomes the most recent. seat:
 * where it is there, if it is. */
MS_INLINE bool ms_coherence_is_local_hit(const struct ms_coherence_simulation *s,
					 const struct ms_coherence_pending *m,
					 struct ms_caches_position *position)
{
	const struct ms_caches_array *first = s->path[0];

	*position = ms_caches_find_line(first, ms_coherence_get_pending_line(s, m));
	if (MS_UNLIKELY(position->way == MS_CACHES_NO_WAY))
		return false;
	if (m->address & MS_COHERENCE_WRITES &&
	    (position->way >= 64 ||
	     !(ms_caches_get_set(first, position->set)->writable >> position->way & 1)))
		return false;
	ms_caches_touch_way(first, *position);
	return true;
}

void ms_coherence_begin_access(const struct ms_coherence_simulation *s,
			       const struct ms_coherence_pending *m, struct ms_caches_access *a);
/* What the access of the line came to; begun: the first line of its reference. In order. */
void ms_coherence_count_access(struct ms_coherence_simulation *s,
			       const struct ms_coherence_pending *ref_start,
			       const struct ms_coherence_pending *m,
			       const struct ms_caches_access *a);

/* Of a line that is all of its reference: memory answered. In order. */
void ms_coherence_record_memory_access(struct ms_coherence_simulation *s,
				       const struct ms_coherence_pending *m);

/* cache_transfer.c, of a machine that slice_simulation.c is for: a line that is not quiet, with its
 * seat in the first level, and all others of the turn up to end; returns how many are done, from m
 * on. */
unsigned ms_coherence_transfer_line(struct ms_coherence_simulation *s,
				    const struct ms_coherence_pending *m,
				    const struct ms_coherence_pending *end,
				    struct ms_caches_position position);

/* slice_simulation.c: NULL where the machine is not simple enough. */
struct ms_coherence_slice_simulation *
ms_coherence_open_slice_simulation(const struct ms_caches_configurable *configurable);
void ms_coherence_close_slice_simulation(struct ms_coherence_slice_simulation *slice_simulation);
void ms_coherence_simulate_slice(struct ms_coherence_slice_simulation *slice_simulation,
				 struct ms_coherence_simulation *s,
				 const struct ms_coherence_pending *m,
				 const struct ms_coherence_pending *end);
/* Counts what the batch came to, as far as that was not done. */
void ms_coherence_finish_slices(struct ms_coherence_slice_simulation *slice_simulation);

#endif
