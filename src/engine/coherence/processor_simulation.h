/*
 * engine/coherence/processor_simulation.h - shared by processor_simulation.c and
 * time_slice_simulation.c: the state of a batch's simulation, and the counting of accesses.
 */
#ifndef MS_ENGINE_COHERENCE_PROCESSOR_SIMULATION_H
#define MS_ENGINE_COHERENCE_PROCESSOR_SIMULATION_H

#include "engine/coherence/coherence.h"
#include "engine/engine_priv.h"

struct ms_coherence_simulation {
	struct ms_engine_shard *shard;
	struct ms_coherence_batch_notes *notes;
	const struct ms_coherence_batch *batch;
	bool owns_all;   /* this shard owns all lines */
	bool in_windows; /* misses are also counted by part */
	bool is_timed;   /* misses are recorded for timing/timing.h */
	unsigned batch_index;
	uint64_t threshold; /* of selected lines; 0: the batch has none */
	const struct ms_coherence_slice
		*slice; /* the present time slice, and what depends on it: */
	const struct ms_coherence_pending *slice_end;
	uint32_t agent;
	struct ms_caches_array **path;
	struct ms_count_thread *thread;

	/* The reference (its first line) of the access that was counted last. */
	const struct ms_coherence_pending *reference;
	unsigned missed; /* number of levels */
	bool split;
	uint64_t *peer[2];    /* counters that recorded a peer's answer; NULL: none */
	uint32_t memory_note; /* index of the note of memory's answer, plus 1; 0: none */
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

/* Returns whether the line is in the first level and the access changes only its recency, which is
 * updated. position: of the line, if it is there. */
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
/* Counts the result of an access; ref_start: first line of its reference. Call it in
 * stream order. */
void ms_coherence_count_access(struct ms_coherence_simulation *s,
			       const struct ms_coherence_pending *ref_start,
			       const struct ms_coherence_pending *m,
			       const struct ms_caches_access *a);

/* Memory answered a reference to one line. Call it in stream order. */
void ms_coherence_record_memory_access(struct ms_coherence_simulation *s,
				       const struct ms_coherence_pending *m);

/*
 * cache_transfer.c, for machines that time_slice_simulation.c supports: simulates access m, which
 * is no local hit, and possibly the next one of the slice, which ends at `end`; position: of the
 * line in the first level. Returns the number of simulated accesses.
 */
unsigned ms_coherence_transfer_line(struct ms_coherence_simulation *s,
				    const struct ms_coherence_pending *m,
				    const struct ms_coherence_pending *end,
				    struct ms_caches_position position);

/* How the time slices of a batch are simulated: chosen when a shard opens. */
struct ms_coherence_slice_impl {
	/* Simulates a time slice of one thread on one processor. */
	void (*simulate)(struct ms_coherence_simulation *s, const struct ms_coherence_pending *m,
			 const struct ms_coherence_pending *end);
	/* Called at the end of a batch. */
	void (*finish)(struct ms_coherence_processors *processors);
};

/* processor_simulation.c: for any machine, and for simple ones (time_slice_simulation.c). */
extern const struct ms_coherence_slice_impl ms_coherence_any_slices, ms_coherence_simple_slices;

/* time_slice_simulation.c: */
bool ms_coherence_is_simple(const struct ms_caches_configurable *configurable);
struct ms_coherence_slice_simulation *
ms_coherence_open_slice_simulation(const struct ms_caches_configurable *configurable);
void ms_coherence_close_slice_simulation(struct ms_coherence_slice_simulation *slice_simulation);
void ms_coherence_simulate_slice(struct ms_coherence_slice_simulation *slice_simulation,
				 struct ms_coherence_simulation *s,
				 const struct ms_coherence_pending *m,
				 const struct ms_coherence_pending *end);
/* Counts the misses of the batch that are not yet counted. */
void ms_coherence_finish_slices(struct ms_coherence_slice_simulation *slice_simulation);

/* For call paths: the reference of this access has missed so many levels. */
void ms_coherence_record_path_miss(const struct ms_coherence_simulation *s,
				   const struct ms_coherence_pending *m, unsigned missed);

/* For the classes of dependence: likewise, of its line. */
void ms_coherence_record_timed_miss(const struct ms_coherence_simulation *s,
				    const struct ms_coherence_pending *m, unsigned missed);

/* The line of this access has missed so many levels: in stream order. */
MS_INLINE void ms_coherence_record_levels(const struct ms_coherence_simulation *s,
					  const struct ms_coherence_pending *m, unsigned missed)
{
	if (MS_UNLIKELY(s->shard->engine->call_paths != NULL))
		ms_coherence_record_path_miss(s, m, missed);
	if (MS_UNLIKELY(s->is_timed))
		ms_coherence_record_timed_miss(s, m, missed);
	if (MS_UNLIKELY(ms_spatial_is_selected(s->threshold, ms_coherence_get_pending_line(s, m))))
		ms_spatial_record_miss(s->shard, s->batch_index, (size_t)(m - s->batch->at),
				       missed);
}

#endif
