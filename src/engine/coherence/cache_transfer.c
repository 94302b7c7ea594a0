/*
 * engine/coherence/cache_transfer.c - a line that goes from one processor's caches to another's.
 *
 * Where processors fight over a line their turns are all alike: it is missed, as another one has
 * written it, comes from there, and is written again. configurable_caches.c does such an access
 * step by step, and each step looks for the set, the record and the directory's entry anew; and it
 * does the load and the store one after the other, where the second undoes half of what the first
 * has done. Here all is looked for once, and what both come to is done at once. What is unlike that
 * is left to configurable_caches.c, with nothing changed.
 *
 * For simple machines (slice_simulation.c), and references to one line of at most 64 bytes.
 */
#include "engine/coherence/directory_entry.h"
#include "engine/coherence/processor_simulation.h"

enum { MAX_PRIVATE_LEVELS = 4 }; /* levels of an agent's own */

/* A line on its way. */
struct line_transfer {
	struct ms_coherence_simulation *s;
	struct ms_coherence *coherence;
	const struct ms_coherence_pending *pending; /* what misses it ... */
	const struct ms_coherence_pending
		*store; /* ... and writes it: the same, or the next; NULL: nothing does */
	uint64_t line;
	uint32_t *entry;  /* of the directory */
	uint32_t *record; /* of the agent's own levels */
	unsigned levels;
	uint32_t owner;
	struct ms_caches_position positions[MAX_PRIVATE_LEVELS]; /* where it comes to */
	struct ms_caches_position shared; /* and where it is in the level behind them */
};

MS_INLINE uint32_t offset_of(const struct line_transfer *h, const struct ms_coherence_pending *m)
{
	return (uint32_t)(m->address & ((UINT64_C(1) << h->s->shard->first_shift) - 1));
}

/* The agent has the line in its first level, and may not write it without asking; or somebody waits
 * for what is written. */
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

/* --- what it needs --- */

/* An empty way of the line's set, if there is one. A policy is not asked for a victim: it may be
 * another one the next time. */
static struct ms_caches_position empty_position(const struct ms_caches_array *array, uint64_t line)
{
	uint64_t set = ms_caches_index_set(array, line);
	struct ms_caches_position position = { set, MS_CACHES_NO_WAY };

	if (array->policy == NULL)
		position = ms_caches_choose_way(array, set);
	else
		position.way =
			ms_caches_find_way(array, ms_caches_get_set(array, set), MS_CACHES_NO_LINE);
	if (position.way != MS_CACHES_NO_WAY &&
	    ms_caches_get_line(array, position) != MS_CACHES_NO_LINE)
		position.way = MS_CACHES_NO_WAY;
	return position;
}

/* Where the line comes to; false: it was not lost there, or something has to leave. */
MS_INLINE bool find_room(struct line_transfer *h)
{
	for (unsigned k = 0; k < h->levels; k++) {
		h->positions[k] = empty_position(h->s->path[k], h->line);
		if (!ms_caches_is_invalidated(h->record[k]) ||
		    h->positions[k].way == MS_CACHES_NO_WAY)
			return false;
	}
	return true;
}

/* The store that follows a load of the same line, as of whoever counts something up. */
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

/* It is not given the handoff, so that this stays in registers. */
static MS_NOINLINE struct ms_coherence_sharing_miss *
find_sharing(struct ms_coherence_sharing_table *sharing, const struct ms_coherence_pending *pending,
	     const struct ms_coherence_invalidation *loss, uint32_t cell, uint64_t line)
{
	struct ms_coherence_sharing_miss like = {
		.cell = cell,
		.writer = loss->writer,
		.line = line,
		.offset = (uint32_t)((pending->address & MS_COHERENCE_ADDRESS) - line),
		.writer_offset = loss->offset,
		.object = pending->object,
		.writer_object = loss->object,
	};

	return ms_coherence_get_sharing_miss(sharing, &like);
}

MS_INLINE struct ms_coherence_sharing_miss *sharing_of(const struct line_transfer *h, uint32_t cell,
						       const struct ms_coherence_invalidation *loss)
{
	struct ms_coherence_sharing_table *sharing = &h->s->shard->processors->sharing;
	uint64_t line = h->line << h->s->shard->first_shift;
	struct ms_coherence_sharing_miss *recent =
		*ms_coherence_get_recent_sharing(sharing, cell, loss->writer, line);

	if (MS_LIKELY(ms_coherence_is_sharing_miss(recent, cell, loss->writer, line,
						   offset_of(h, h->pending), loss->offset)))
		return recent;
	return find_sharing(sharing, h->pending, loss, cell, line);
}

/* As ms_coherence_count_access() does: what is known here need not be asked. */
MS_INLINE void count_transfer(const struct line_transfer *h)
{
	struct ms_engine_shard *shard = h->s->shard;
	struct ms_count_thread *thread = h->s->thread;
	struct ms_count_misses *counters = ms_engine_get_miss_counters(shard, h->pending->cell);
	struct ms_count_processor_misses *more =
		ms_count_get_processor_misses(&shard->miss_counters, counters, 0);
	uint64_t touched = UINT64_MAX >> (63 - h->pending->cell->reach) << offset_of(h, h->pending);
	const struct ms_coherence_invalidation *loss = ms_coherence_get_invalidation(
		&h->coherence->invalidations, ms_caches_get_invalidation(h->record[0]));
	struct ms_coherence_sharing_miss *shared = sharing_of(h, counters->number, loss);
	bool truly = loss->written[0] & touched;

	shared->truly += truly;
	shared->falsely += !truly;
	shared->peer++;
	__atomic_store_n(&shard->misses, shard->misses + 1, __ATOMIC_RELAXED);
	for (unsigned k = 0; k < h->levels; k++) {
		loss = ms_coherence_get_invalidation(&h->coherence->invalidations,
						     ms_caches_get_invalidation(h->record[k]));
		counters->level[k].causes[MS_ENGINE_MISS_INVALIDATED]++;
		more[k].falsely += !(loss->written[0] & touched);
		more[k].weighted += h->s->slice->weight;
		thread->level[k].misses++;
		ms_count_add_phase_miss(&shard->phases, h->s->slice->phase, k, shard->levels);
	}
	more[h->levels - 1].peer++;
	thread->level[h->levels - 1].peer++;
	/* Who only reads it, or reads it first, has it written back, unless its owner keeps it. */
	if (h->store != h->pending && h->coherence->protocol != MS_PROTOCOL_MOESI)
		more[h->levels - 1].write_backs++;
}

/* --- taking it over --- */

/* The line comes into the levels from which it was taken. */
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

/* So it is lost there no more. */
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
		ms_count_add_lines(&h->s->shard->line_changes, k, h->pending->cell->data, 1);
}

/* Its owner may not write it any more without asking. */
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

/* What the agent has, its owner has lost. Returns how many of the owner's levels have. */
MS_INLINE unsigned invalidate_owner(const struct line_transfer *h, uint32_t loss)
{
	struct ms_caches_group *group = h->coherence->configurable->kind[0].at[h->owner];
	struct ms_count_line_changes *movements = &h->s->shard->line_changes;
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
		record[k] = ms_caches_make_invalidated(loss);
		ms_caches_empty_way(&group->arrays[k], position);
		n++;
	}
	return n;
}

/* The loss by which the agent had lost it, if no other one had by it; else 0. */
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

/* All others who have lost the line are told what is written. That loss has ended, and can be used
 * anew. */
MS_INLINE void record_write(const struct line_transfer *h, uint32_t ended)
{
	uint32_t *link = &h->entry[MS_COHERENCE_ENTRY_INVALIDATIONS];

	while (*link != 0) {
		struct ms_coherence_invalidation *loss =
			ms_coherence_get_invalidation(&h->coherence->invalidations, *link);

		if (*link == ended) {
			*link = loss->next;
			continue;
		}
		loss->written[0] |= h->store->written;
		link = &loss->next;
	}
}

/* The owner loses it, by a loss that is in no list. */
MS_INLINE void acquire_unit(const struct line_transfer *h, uint32_t number)
{
	struct ms_count_misses *counters = ms_engine_get_miss_counters(h->s->shard, h->store->cell);
	struct ms_coherence_invalidation *loss =
		ms_coherence_get_invalidation(&h->coherence->invalidations, number);

	counters->upgrades += h->store != h->pending;
	loss->refs = invalidate_owner(h, number);
	loss->writer = counters->number;
	loss->offset = offset_of(h, h->store);
	loss->object = h->store->object;
	loss->written[0] = h->store->written;
	loss->next = h->entry[MS_COHERENCE_ENTRY_INVALIDATIONS];
	h->entry[MS_COHERENCE_ENTRY_INVALIDATIONS] = number;
	ms_coherence_remove_holder(h->entry, h->owner);
	ms_coherence_set_state(h->entry, MS_COHERENCE_UNIT_MODIFIED, h->s->agent);
	ms_coherence_add_holder(h->entry, h->s->agent);
}

/* Another agent has it, modified; this one had it, and what all share has it. levels: an agent's
 * own; most have one, which is a constant then. */
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
	uint32_t loss = h.store != NULL ? find_reusable_invalidation(&h) : 0;
	if (loss == 0)
		end_invalidations(&h);
	insert_line(&h);
	if (h.store == NULL) {
		count_arrival(&h);
		share_unit(&h);
		return 1;
	}
	record_write(&h, loss);
	acquire_unit(&h,
		     loss != 0 ? loss : ms_coherence_add_invalidation(&h.coherence->invalidations));
	if (h.store == m)
		return 1;
	if (s->path[0]->policy != NULL) /* to which the store is another use */
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
