/*
 * engine/coherence/cache_transfer.c - transfers a line from one processor's caches to another's.
 *
 * When processors compete for a line, their time slices are all alike: the line misses, because
 * another processor has written it; it comes from that processor's cache; and it is written again.
 * configurable_caches.c performs such an access step by step. Each step looks up the set, the
 * record and the directory entry anew. The load and the store are two accesses, of which the
 * second reverts half of the changes of the first. Here everything is looked up once, and the load
 * and the store are performed together. Any other case is left to configurable_caches.c, with
 * nothing changed.
 *
 * For simple machines (time_slice_simulation.c), and references to one line of at most 64 bytes.
 */
#include "engine/coherence/directory_entry.h"
#include "engine/coherence/processor_simulation.h"

enum { MAX_PRIVATE_LEVELS = 4 }; /* an agent's private levels */

/* A transfer of one line. */
struct line_transfer {
	struct ms_coherence_simulation *s;
	struct ms_coherence *coherence;
	const struct ms_coherence_pending *pending; /* the access that misses */
	const struct ms_coherence_pending
		*store; /* the access that writes: the same or the next one; NULL: none */
	uint64_t line;
	uint32_t *entry;  /* of the directory */
	uint32_t *record; /* of the agent's private levels */
	unsigned levels;
	uint32_t owner;
	struct ms_caches_position positions[MAX_PRIVATE_LEVELS]; /* where the line is inserted */
	struct ms_caches_position shared; /* its position in the level below the private ones */
};

MS_INLINE uint32_t offset_of(const struct line_transfer *h, const struct ms_coherence_pending *m)
{
	return (uint32_t)(m->address & ((UINT64_C(1) << h->s->shard->first_shift) - 1));
}

/* The line is in the agent's first level, but is not writable there: the directory does not grant
 * it yet, or another cache has lost the line and must record the written bytes. */
static void write_present_line(const struct ms_coherence_simulation *s,
			       const struct ms_coherence_pending *m, uint32_t *entry,
			       struct ms_caches_position position)
{
	struct ms_caches_access a;

	ms_coherence_begin_access(s, m, &a);
	a.entry = entry;
	ms_coherence_acquire_unit(&a);
	ms_caches_touch_way(s->path[0], position);
	ms_coherence_record_write(&a);
	ms_coherence_mark_writable(&a);
}

/* --- preconditions --- */

/* Finds the positions for the line; false: it was not invalidated there, or a line would have to
 * be evicted. */
MS_INLINE bool find_room(struct line_transfer *h)
{
	for (unsigned k = 0; k < h->levels; k++) {
		h->positions[k] = ms_caches_find_empty_way(
			h->s->path[k], ms_caches_index_set(h->s->path[k], h->line));
		if (!ms_caches_is_invalidated(h->record[k]) ||
		    h->positions[k].way == MS_CACHES_NO_WAY)
			return false;
	}
	return true;
}

/* Returns the store that follows a load of the same line, as when a counter is incremented. */
static const struct ms_coherence_pending *store_of(const struct ms_coherence_simulation *s,
						   const struct ms_coherence_pending *m,
						   const struct ms_coherence_pending *end)
{
	const struct ms_coherence_pending *next = m + 1;

	if (m->address & MS_COHERENCE_WRITES)
		return m;
	if (next == end || !(next->address & MS_COHERENCE_WRITES) ||
	    next->address & (MS_COHERENCE_PARTIAL | MS_COHERENCE_SAME_REFERENCE) ||
	    ms_coherence_get_pending_line(s, next) != ms_coherence_get_pending_line(s, m))
		return NULL;
	return next;
}

/* --- counting --- */

/* Does not get the address of the transfer, so that the transfer can stay in registers. */
static MS_NOINLINE struct ms_coherence_sharing_miss *
find_sharing(struct ms_coherence_sharing_table *sharing, const struct ms_coherence_pending *pending,
	     const struct ms_coherence_invalidation *invalidation, uint32_t cell, uint64_t line)
{
	struct ms_coherence_sharing_miss like = {
		.cell = cell,
		.writer = invalidation->writer,
		.line = line,
		.offset = (uint32_t)((pending->address & MS_COHERENCE_ADDRESS) - line),
		.writer_offset = invalidation->offset,
		.object = pending->object,
		.writer_object = invalidation->object,
	};

	return ms_coherence_get_sharing_miss(sharing, &like);
}

MS_INLINE struct ms_coherence_sharing_miss *
sharing_of(const struct line_transfer *h, uint32_t cell,
	   const struct ms_coherence_invalidation *invalidation)
{
	struct ms_coherence_sharing_table *sharing = &h->s->shard->processors->sharing;
	uint64_t line = h->line << h->s->shard->first_shift;
	struct ms_coherence_sharing_miss *recent =
		*ms_coherence_get_recent_sharing(sharing, cell, invalidation->writer, line);

	if (MS_LIKELY(ms_coherence_is_sharing_miss(recent, cell, invalidation->writer, line,
						   offset_of(h, h->pending), invalidation->offset)))
		return recent;
	return find_sharing(sharing, h->pending, invalidation, cell, line);
}

/* Counts the same as ms_coherence_count_access(), without tests whose result is known here. */
MS_INLINE void count_transfer(const struct line_transfer *h)
{
	struct ms_engine_shard *shard = h->s->shard;
	struct ms_count_thread *thread = h->s->thread;
	struct ms_count_misses *counters = ms_engine_get_miss_counters(shard, h->pending->cell);
	struct ms_count_processor_misses *more =
		ms_count_get_processor_misses(&shard->counts.miss_counters, counters, 0);
	uint64_t touched = UINT64_MAX >> (63 - h->pending->cell->reach) << offset_of(h, h->pending);
	const struct ms_coherence_invalidation *invalidation = ms_coherence_get_invalidation(
		&h->coherence->invalidations, ms_caches_get_invalidation(h->record[0]));
	struct ms_coherence_sharing_miss *shared = sharing_of(h, counters->number, invalidation);
	bool truly = invalidation->written[0] & touched;

	shared->truly += truly;
	shared->falsely += !truly;
	shared->peer++;
	__atomic_store_n(&shard->caches.misses, shard->caches.misses + 1, __ATOMIC_RELAXED);
	ms_count_follow_slice(&shard->counts.miss_counters, counters);
	for (unsigned k = 0; k < h->levels; k++) {
		invalidation = ms_coherence_get_invalidation(
			&h->coherence->invalidations, ms_caches_get_invalidation(h->record[k]));
		counters->level[k].causes[MS_ENGINE_MISS_INVALIDATED]++;
		more[k].falsely += !(invalidation->written[0] & touched);
		more[k].weighted += h->s->slice->weight;
		thread->level[k].misses++;
		ms_count_add_phase_miss(&shard->counts.phases, h->s->slice->phase, k,
					shard->levels);
	}
	ms_coherence_record_levels(h->s, h->pending, h->levels);
	more[h->levels - 1].peer++;
	thread->level[h->levels - 1].peer++;
	/* A load of a modified line causes a write-back, unless the owner keeps the
	 * line (MOESI). */
	if (h->store != h->pending && h->coherence->protocol != MS_PROTOCOL_MOESI)
		more[h->levels - 1].write_backs++;
}

/* --- transfer --- */

/* Inserts the line into the levels from which it was invalidated. */
MS_INLINE void insert_line(const struct line_transfer *h)
{
	struct ms_coherence_simulation *s = h->s;
	uint32_t data = h->pending->cell->data;

	if (!ms_caches_is_most_recent(s->path[h->levels], h->shared))
		ms_caches_touch_way(s->path[h->levels], h->shared);
	for (unsigned k = h->levels; k-- > 0;) {
		h->record[k] = ms_caches_make_present(data);
		ms_caches_fill_way(s->path[k], h->positions[k], h->line);
	}
}

/* Ends the invalidations of these levels. */
MS_INLINE void end_invalidations(const struct line_transfer *h)
{
	for (unsigned k = 0; k < h->levels; k++)
		ms_coherence_restore_copy(&h->coherence->invalidations,
					  &h->entry[MS_COHERENCE_ENTRY_INVALIDATIONS],
					  ms_caches_get_invalidation(h->record[k]));
}

MS_INLINE void count_arrival(const struct line_transfer *h)
{
	for (unsigned k = 0; k < h->levels; k++)
		ms_count_add_lines(&h->s->shard->counts.line_changes, k, h->pending->cell->data, 1);
}

/* The owner needs the directory for its next write. */
MS_INLINE void share_unit(const struct line_transfer *h)
{
	const struct ms_caches_array *array =
		&h->coherence->configurable->kind[0].at[h->owner]->arrays[0];
	struct ms_caches_position position = ms_caches_find_line(array, h->line);

	if (position.way < 64)
		ms_caches_get_set(array, position.set)->writable &= ~(UINT64_C(1) << position.way);
	if (h->coherence->protocol == MS_PROTOCOL_MOESI)
		ms_coherence_set_state(h->entry, MS_COHERENCE_UNIT_OWNED, h->owner);
	else
		ms_coherence_set_state(h->entry, MS_COHERENCE_UNIT_SHARED, 0);
	ms_coherence_add_holder(h->entry, h->s->agent);
}

/* Invalidates the owner's copies, and counts the lines that move. Returns the number of the
 * owner's levels that had the line. */
MS_INLINE unsigned invalidate_owner(const struct line_transfer *h, uint32_t invalidation)
{
	struct ms_caches_group *group = h->coherence->configurable->kind[0].at[h->owner];
	struct ms_count_line_changes *movements = &h->s->shard->counts.line_changes;
	uint32_t *record = ms_caches_get_record(group->lines, h->line),
		 data = h->pending->cell->data;
	unsigned n = 0;

	for (unsigned k = h->levels; k-- > 0;) {
		struct ms_caches_position position =
			ms_caches_find_recent_line(&group->arrays[k], h->line);

		if (MS_UNLIKELY(position.way == MS_CACHES_NO_WAY)) {
			ms_count_add_lines(movements, k, data, 1);
			continue;
		}
		ms_count_replace_line(movements, k, data, ms_caches_get_record_data(record[k]));
		record[k] = ms_caches_make_invalidated(invalidation);
		ms_caches_empty_way(&group->arrays[k], position);
		n++;
	}
	return n;
}

/* Returns the invalidation by which the agent lost the line, if no other agent lost it by the same
 * one; else 0. */
MS_INLINE uint32_t find_reusable_invalidation(const struct line_transfer *h)
{
	uint32_t number = ms_caches_get_invalidation(h->record[0]);

	for (unsigned k = 1; k < h->levels; k++)
		if (h->record[k] != h->record[0])
			return 0;
	return ms_coherence_get_invalidation(&h->coherence->invalidations, number)->refs ==
			       h->levels
		       ? number
		       : 0;
}

/* Adds the written bytes to the invalidations of all other agents. Removes the invalidation
 * `ended` from the list, so that it can be reused. */
MS_INLINE void record_write(const struct line_transfer *h, uint32_t ended)
{
	uint32_t *link = &h->entry[MS_COHERENCE_ENTRY_INVALIDATIONS];

	while (*link != 0) {
		struct ms_coherence_invalidation *invalidation =
			ms_coherence_get_invalidation(&h->coherence->invalidations, *link);

		if (*link == ended) {
			*link = invalidation->next;
			continue;
		}
		invalidation->written[0] |= h->store->written;
		link = &invalidation->next;
	}
}

/* Invalidates the owner's copies; number: an invalidation that is in no list. */
MS_INLINE void acquire_unit(const struct line_transfer *h, uint32_t number)
{
	struct ms_count_misses *counters = ms_engine_get_miss_counters(h->s->shard, h->store->cell);
	struct ms_coherence_invalidation *invalidation =
		ms_coherence_get_invalidation(&h->coherence->invalidations, number);

	counters->upgrades += h->store != h->pending;
	invalidation->refs = invalidate_owner(h, number);
	invalidation->writer = counters->number;
	invalidation->offset = offset_of(h, h->store);
	invalidation->object = h->store->object;
	invalidation->written[0] = h->store->written;
	invalidation->next = h->entry[MS_COHERENCE_ENTRY_INVALIDATIONS];
	h->entry[MS_COHERENCE_ENTRY_INVALIDATIONS] = number;
	ms_coherence_remove_holder(h->entry, h->owner);
	ms_coherence_set_state(h->entry, MS_COHERENCE_UNIT_MODIFIED, h->s->agent);
	ms_coherence_add_holder(h->entry, h->s->agent);
}

/* Another agent holds the line, modified; this agent has lost it; and the shared level has it.
 * levels: the number of private levels. Most machines have one, which is passed as a constant. */
MS_INLINE unsigned transfer_modified(struct ms_coherence_simulation *s,
				     const struct ms_coherence_pending *m,
				     const struct ms_coherence_pending *end, uint32_t *entry,
				     unsigned levels)
{
	struct line_transfer h = { .s = s,
				   .coherence = s->shard->configurable->coherence,
				   .pending = m,
				   .store = store_of(s, m, end),
				   .line = ms_coherence_get_pending_line(s, m),
				   .entry = entry,
				   .levels = levels,
				   .owner = ms_coherence_get_owner(entry) };

	if (h.levels == s->shard->levels || h.levels > MAX_PRIVATE_LEVELS)
		return 0;
	h.record = ms_caches_get_record_word(s->path[0], h.line);
	if (!find_room(&h))
		return 0;
	h.shared = ms_caches_find_recent_line(s->path[h.levels],
					      h.line >> s->path[h.levels]->l1_shift);
	if (h.shared.way == MS_CACHES_NO_WAY)
		return 0;
	count_transfer(&h);
	uint32_t invalidation = h.store != NULL ? find_reusable_invalidation(&h) : 0;
	if (invalidation == 0)
		end_invalidations(&h);
	insert_line(&h);
	if (h.store == NULL) {
		count_arrival(&h);
		share_unit(&h);
		return 1;
	}
	record_write(&h, invalidation);
	acquire_unit(&h, invalidation != 0
				 ? invalidation
				 : ms_coherence_add_invalidation(&h.coherence->invalidations));
	if (h.store == m)
		return 1;
	/* The store is another use, which a policy records. */
	if (!ms_caches_is_most_recent(s->path[0], h.positions[0]))
		ms_caches_touch_way(s->path[0], h.positions[0]);
	return 2;
}

unsigned ms_coherence_transfer_line(struct ms_coherence_simulation *s,
				    const struct ms_coherence_pending *m,
				    const struct ms_coherence_pending *end,
				    struct ms_caches_position position)
{
	if (m->address & MS_COHERENCE_PARTIAL)
		return 0;
	uint32_t *entry = ms_coherence_get_entry(s->shard->configurable->coherence,
						 ms_coherence_get_pending_line(s, m));
	if (position.way != MS_CACHES_NO_WAY) {
		write_present_line(s, m, entry, position);
		return 1;
	}
	if (ms_coherence_get_state(entry) != MS_COHERENCE_UNIT_MODIFIED ||
	    ms_coherence_is_holder(entry, s->agent))
		return 0;
	unsigned levels = s->shard->configurable->coherence->private_levels;
	return levels == 1 ? transfer_modified(s, m, end, entry, 1)
			   : transfer_modified(s, m, end, entry, levels);
}
