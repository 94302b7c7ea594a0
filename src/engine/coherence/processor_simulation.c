/*
 * engine/coherence/processor_simulation.c - simulates the accesses that the filter kept, in the
 * caches of several processors.
 *
 * Most lines are in the first level, where a load, or a store to a writable line (coherence.c),
 * changes only the order of use. All others are simulated one by one, in stream order. If the
 * levels are simple enough, time_slice_simulation.c does this, faster.
 *
 * A reference misses a level once, by the first of its lines that does. The first line that missed
 * the last of these levels determines what answered the reference.
 */
#include "engine/coherence/processor_simulation.h"
#include "engine/call_paths/call_paths.h"
#include "engine/coherence/coherence.h"
#include "engine/engine_priv.h"
#include "wire/wire.h"

static bool is_split(const struct ms_coherence_simulation *s,
		     const struct ms_coherence_pending *first)
{
	const struct ms_coherence_pending *end = s->batch->at + s->batch->n;
	bool mine = ms_coherence_owns_pending(s, first);

	for (const struct ms_coherence_pending *m = first + 1;
	     m < end && m->address & MS_COHERENCE_SAME_REFERENCE; m++)
		if (ms_coherence_owns_pending(s, m) != mine)
			return true;
	return false;
}

/* --- counting --- */

static uint32_t slice_index_of(const struct ms_coherence_simulation *s)
{
	return (uint32_t)(s->slice - s->batch->slices.at);
}

static void count_level(struct ms_coherence_simulation *s, const struct ms_coherence_pending *m,
			unsigned level)
{
	struct ms_engine_shard *shard = s->shard;
	struct ms_count_misses *counters = ms_engine_get_miss_counters(shard, m->cell);
	struct ms_count_processor_misses *more =
		ms_count_get_processor_misses(&shard->counts.miss_counters, counters, level);
	uint32_t record = shard->configurable->old_records[level];

	ms_count_add_miss(&shard->counts.miss_counters, counters, level, record);
	more->falsely += ms_caches_is_invalidated(record) && shard->configurable->falsely[level];
	more->weighted += s->slice->weight;
	counters->level[level].covered += shard->configurable->covered[level];
	s->thread->level[level].misses++;
	ms_count_add_phase_miss(&shard->counts.phases, s->slice->phase, level, shard->levels);
	if (s->in_windows)
		ms_engine_windows_count_miss(shard, counters, level, record);
}

static void record_level(struct ms_coherence_simulation *s, const struct ms_coherence_pending *m,
			 const struct ms_caches_access *a, unsigned level)
{
	uint32_t record = s->shard->configurable->old_records[level];
	bool last = level + 1 == a->missed;

	*ms_vec_add(&s->notes->split_misses) = (struct ms_coherence_split_miss){
		.cell = m->cell,
		.at = (uint32_t)(m - s->batch->at),
		.reference = (uint32_t)(s->reference - s->batch->at),
		.level = level,
		.record = record,
		.slice = slice_index_of(s),
		.falsely =
			ms_caches_is_invalidated(record) && s->shard->configurable->falsely[level],
		.peer = last && a->peer,
		.memory = last && !a->peer && a->missed == a->levels,
	};
}

static struct ms_coherence_sharing_miss *count_sharing(struct ms_coherence_simulation *s,
						       const struct ms_coherence_pending *m,
						       const struct ms_caches_access *a)
{
	const struct ms_coherence *c = a->coherence;
	struct ms_coherence_sharing_miss like = {
		.cell = ms_engine_get_miss_counters(s->shard, m->cell)->number,
		.writer = a->writer,
		.line = a->unit << c->unit_shift << s->shard->first_shift,
		.offset = a->from,
		.writer_offset = a->writer_offset,
		.object = a->object,
		.writer_object = a->writer_object,
	};
	struct ms_coherence_sharing_miss *shared =
		ms_coherence_get_sharing_miss(&s->shard->processors->sharing, &like);

	shared->truly += a->truly;
	shared->falsely += !a->truly;
	shared->peer += a->peer;
	return shared;
}

/* Returns the index of the note, plus 1. */
static uint32_t record_memory_access(struct ms_coherence_simulation *s,
				     const struct ms_coherence_pending *m,
				     struct ms_coherence_sharing_miss *shared)
{
	*ms_vec_add(&s->notes->memory) = (struct ms_coherence_memory_access){
		.address = ms_coherence_get_pending_line(s, m) << s->shard->first_shift,
		.at = (uint32_t)(m - s->batch->at),
		.slice = slice_index_of(s),
		.split = s->split,
		.shared = shared != NULL ? &shared->remote : NULL,
	};
	return (uint32_t)s->notes->memory.n;
}

void ms_coherence_record_memory_access(struct ms_coherence_simulation *s,
				       const struct ms_coherence_pending *m)
{
	struct ms_engine_shard *shard = s->shard;
	unsigned last = shard->levels - 1;
	struct ms_count_misses *counters = ms_engine_get_miss_counters(shard, m->cell);

	*ms_vec_add(&s->notes->memory) = (struct ms_coherence_memory_access){
		.address = ms_coherence_get_pending_line(s, m) << shard->first_shift,
		.at = (uint32_t)(m - s->batch->at),
		.slice = slice_index_of(s),
		.remote =
			&ms_count_get_processor_misses(&shard->counts.miss_counters, counters, last)
				 ->remote,
		.thread = &s->thread->level[last].remote,
	};
}

/* This line has missed more levels than earlier lines of its reference, so it determines what
 * answered the reference. */
static void set_responder(struct ms_coherence_simulation *s, const struct ms_coherence_pending *m,
			  const struct ms_caches_access *a, uint32_t memory)
{
	struct ms_engine_shard *shard = s->shard;
	unsigned level = a->missed - 1;
	struct ms_count_processor_misses *more = ms_count_get_processor_misses(
		&shard->counts.miss_counters, ms_engine_get_miss_counters(shard, m->cell), level);

	if (s->peer[0] != NULL) {
		--*s->peer[0];
		--*s->peer[1];
	}
	if (s->memory_note != 0) {
		s->notes->memory.at[s->memory_note - 1].remote = NULL;
		s->notes->memory.at[s->memory_note - 1].thread = NULL;
	}
	s->peer[0] = s->peer[1] = NULL;
	s->memory_note = memory;
	if (a->peer) {
		s->peer[0] = &more->peer;
		s->peer[1] = &s->thread->level[level].peer;
		++*s->peer[0];
		++*s->peer[1];
	}
	if (memory != 0) {
		s->notes->memory.at[memory - 1].remote = &more->remote;
		s->notes->memory.at[memory - 1].thread = &s->thread->level[level].remote;
	}
}

static void count_miss(struct ms_coherence_simulation *s, const struct ms_coherence_pending *m,
		       const struct ms_caches_access *a)
{
	struct ms_engine_shard *shard = s->shard;
	struct ms_coherence_sharing_miss *shared = a->invalidated ? count_sharing(s, m, a) : NULL;
	bool is_memory = !a->peer && a->missed == a->levels;
	uint32_t memory = 0;

	__atomic_store_n(&shard->caches.misses, shard->caches.misses + 1, __ATOMIC_RELAXED);
	if (is_memory && shard->engine->coherence.placement.nodes > 1)
		memory = record_memory_access(s, m, shared);
	for (unsigned level = s->split ? 0 : s->missed; level < a->missed; level++) {
		if (s->split)
			record_level(s, m, a, level);
		else
			count_level(s, m, level);
	}
	if (a->missed > s->missed && !s->split)
		set_responder(s, m, a, memory);
	if (a->missed > s->missed)
		s->missed = a->missed;
}

MS_NOINLINE void ms_coherence_record_path_miss(const struct ms_coherence_simulation *s,
					       const struct ms_coherence_pending *m,
					       unsigned missed)
{
	const struct ms_coherence_pending *first = m;

	while (first->address & MS_COHERENCE_SAME_REFERENCE)
		first--;
	ms_call_paths_record_reference(s->shard, (unsigned)(s->notes - s->shard->processors->notes),
				       (uint32_t)(first - s->batch->at), m->cell, missed);
}

MS_NOINLINE void ms_coherence_record_timed_miss(const struct ms_coherence_simulation *s,
						const struct ms_coherence_pending *m,
						unsigned missed)
{
	ms_timing_record_processor_miss(
		s->shard, s->batch_index,
		&(struct ms_timing_miss){ .line = ms_coherence_get_pending_line(s, m),
					  .site = m->cell->site,
					  .data = m->cell->data,
					  .missed = missed });
}

/* --- accesses --- */

void ms_coherence_begin_access(const struct ms_coherence_simulation *s,
			       const struct ms_coherence_pending *m, struct ms_caches_access *a)
{
	struct ms_engine_shard *shard = s->shard;
	struct ms_coherence *c = shard->configurable->coherence;
	uint64_t line = ms_coherence_get_pending_line(s, m);
	uint32_t part = (uint32_t)(line & ((UINT64_C(1) << c->unit_shift) - 1))
			<< shard->first_shift;
	uint32_t from = (uint32_t)(m->address & ((UINT64_C(1) << shard->first_shift) - 1));
	bool is_part = m->address & MS_COHERENCE_PARTIAL;

	*a = (struct ms_caches_access){
		.shard = shard,
		.path = s->path,
		.levels = shard->levels,
		.cell = m->cell,
		.line = line,
		.stalls = true,
		.old_records = shard->configurable->old_records,
		.covered = shard->configurable->covered,
		.events = shard->configurable->events,
		.coherence = c,
		.agent = s->agent,
		.unit = line >> c->unit_shift,
		.from = part + from,
		.to = part + (is_part ? (uint32_t)(m->written >> 32) : from + m->cell->reach),
		.part = part,
		.written = is_part ? 0 : m->written,
		.object = m->object,
	};
}

void ms_coherence_count_access(struct ms_coherence_simulation *s,
			       const struct ms_coherence_pending *ref_start,
			       const struct ms_coherence_pending *m,
			       const struct ms_caches_access *a)
{
	if (ref_start != s->reference) {
		s->reference = ref_start;
		s->missed = 0;
		s->peer[0] = s->peer[1] = NULL;
		s->memory_note = 0;
		s->split = !s->owns_all && is_split(s, ref_start);
	}
	if (a->missed == 0)
		return;
	count_miss(s, m, a);
	ms_coherence_record_levels(s, m, a->missed);
}

static MS_NOINLINE void access_line(struct ms_coherence_simulation *s,
				    const struct ms_coherence_pending *ref_start,
				    const struct ms_coherence_pending *m)
{
	struct ms_caches_access a;

	ms_coherence_begin_access(s, m, &a);
	a.entry = ms_coherence_get_entry(a.coherence, a.unit);
	if (m->address & MS_COHERENCE_WRITES)
		ms_coherence_acquire_unit(&a);
	if (m->cell->kind != MS_WIRE_WRITE)
		ms_caches_load_line(&a);
	if (m->address & MS_COHERENCE_WRITES) {
		ms_caches_store_line(&a);
		ms_coherence_finish_write(&a);
	}
	ms_coherence_count_access(s, ref_start, m, &a);
}

/* Simulates one access after the other. simple: a constant, see ms_coherence_is_simple(). */
MS_INLINE void simulate_in_order(struct ms_coherence_simulation *s,
				 const struct ms_coherence_pending *m,
				 const struct ms_coherence_pending *end, const bool simple)
{
	const struct ms_coherence_pending *ref_start = m;
	struct ms_caches_position position;

	for (unsigned done = 1; m < end; m += done) {
		done = 1;
		if (!(m->address & MS_COHERENCE_SAME_REFERENCE))
			ref_start = m;
		if (!ms_coherence_owns_pending(s, m) || ms_coherence_is_local_hit(s, m, &position))
			continue;
		done = simple ? ms_coherence_transfer_line(s, m, end, position) : 0;
		if (done == 0) {
			access_line(s, ref_start, m);
			done = 1;
		}
	}
}

static void simulate_any_slice(struct ms_coherence_simulation *s,
			       const struct ms_coherence_pending *m,
			       const struct ms_coherence_pending *end)
{
	simulate_in_order(s, m, end, false);
}

static void finish_any_slices(struct ms_coherence_processors *processors)
{
	(void)processors;
}

/* A slice with fewer lines is faster one line at a time than level by level. */
enum { MIN_TOGETHER = 4 };

static void simulate_simple_slice(struct ms_coherence_simulation *s,
				  const struct ms_coherence_pending *m,
				  const struct ms_coherence_pending *end)
{
	if (end - m >= MIN_TOGETHER)
		ms_coherence_simulate_slice(s->shard->processors->slice_simulation, s, m, end);
	else
		simulate_in_order(s, m, end, true);
}

static void finish_simple_slices(struct ms_coherence_processors *processors)
{
	ms_coherence_finish_slices(processors->slice_simulation);
}

const struct ms_coherence_slice_impl ms_coherence_any_slices = { simulate_any_slice,
								 finish_any_slices };
const struct ms_coherence_slice_impl ms_coherence_simple_slices = { simulate_simple_slice,
								    finish_simple_slices };

/* The same in a window: each line is classified before it is used. */
static void simulate_window(struct ms_coherence_simulation *s, const struct ms_coherence_pending *m,
			    const struct ms_coherence_pending *end)
{
	const struct ms_coherence_pending *ref_start = m;
	struct ms_caches_position position;

	for (; m < end; m++) {
		struct ms_engine_windows_access a = {
			s->shard, s->path,
			m->cell,  ms_coherence_get_pending_line(s, m),
			s->agent, (m->address & MS_COHERENCE_WRITES) != 0
		};

		if (!(m->address & MS_COHERENCE_SAME_REFERENCE))
			ref_start = m;
		if (!ms_coherence_owns_pending(s, m))
			continue;
		ms_engine_windows_classify_line(&a);
		if (!ms_coherence_is_local_hit(s, m, &position))
			access_line(s, ref_start, m);
		ms_engine_windows_use_line(&a, s->reference == ref_start ? s->missed : 0);
	}
}

/* Sets what depends on the time slice. Returns false if it has no accesses. */
static bool begin_slice(struct ms_coherence_simulation *s, size_t i)
{
	const struct ms_coherence_slice *slice = &s->batch->slices.at[i];
	size_t end = i + 1 < s->batch->slices.n ? slice[1].from : s->batch->n;

	if (slice->from == end)
		return false;
	s->slice = slice;
	s->slice_end = s->batch->at + end;
	s->agent = slice->agent;
	s->path = ms_caches_get_path(s->shard->configurable, s->agent);
	s->thread = ms_count_get_thread(&s->shard->processors->threads, slice->thread,
					slice->processor);
	return true;
}

void ms_coherence_simulate_batch(struct ms_engine_shard *shard, unsigned batch_index)
{
	const struct ms_coherence_slice_impl *impl = shard->processors->slice_impl;
	const struct ms_coherence_batch *batch = &shard->engine->coherence.batches[batch_index];
	struct ms_coherence_simulation s = {
		.shard = shard,
		.notes = &shard->processors->notes[batch_index],
		.batch = batch,
		.owns_all = shard->engine->shards == 1,
		.batch_index = batch_index,
		.threshold = ms_spatial_get_threshold(shard->engine, batch_index),
		.is_timed = ms_timing_is_observed(shard->engine, batch_index),
	};

	for (size_t i = 0; i < batch->slices.n; i++)
		if (begin_slice(&s, i))
			impl->simulate(&s, batch->at + s.slice->from, s.slice_end);
	impl->finish(shard->processors);
}

/* With windows, shard 0 has all state and owns all lines. */
void ms_coherence_simulate_windows(struct ms_engine_shard *shard, unsigned batch_index)
{
	const struct ms_coherence_batch *batch = &shard->engine->coherence.batches[batch_index];
	struct ms_coherence_simulation s = {
		.shard = shard,
		.notes = &shard->processors->notes[batch_index],
		.batch = batch,
		.owns_all = shard->engine->shards == 1,
		.in_windows = true,
	};

	if (shard->number != 0)
		return;
	for (size_t i = 0; i < batch->slices.n; i++) {
		if (!begin_slice(&s, i))
			continue;
		ms_engine_windows_enter(shard->engine->windows, &s.slice->window);
		simulate_window(&s, batch->at + s.slice->from, s.slice_end);
	}
}
