/*
 * engine/coherence/time_slice_simulation.c - simulates a time slice of one processor in simple
 * caches, level by level.
 *
 * No other processor runs during a time slice. So all its lines can go through the first level
 * together, then those that missed through the next level, and so on, as lru_simulation.c does for
 * one processor. Each pass can prefetch what the next one needs. Between the private and the
 * shared levels, in stream order, come the directory and the records of the agent's private
 * levels. These two are updated together, because a line that leaves the agent's caches may come
 * back.
 *
 * A store to a line that is not writable makes the line owned until the end of the pass. Later
 * stores to it, while it stays in the first level, add their bytes to the first one.
 *
 * Most lines that miss are uncontended (slice_uncontended.h). All others are accesses as in
 * configurable_caches.c.
 *
 * A machine is simple if all levels are write-back and write-allocate, are neither inclusive nor
 * exclusive, and have no prefetcher; if units are lines of the first level; and if each level is
 * private to an agent or shared by all.
 */
#include "base/mem.h"
#include "engine/coherence/slice_uncontended.h"
#include "wire/wire.h"

/* --- opening and closing --- */

static bool is_simple_level(const struct ms_machine_level *level)
{
	return level->write == MS_WRITE_BACK && level->write_miss == MS_WRITE_MISS_ALLOCATE &&
	       level->contents == MS_CONTENTS_NEITHER && level->prefetch == 0;
}

bool ms_coherence_is_simple(const struct ms_caches_configurable *configurable)
{
	for (unsigned k = 0; k < configurable->levels; k++)
		if (!is_simple_level(&configurable->machine.levels.at[k]))
			return false;
	return configurable->levels <= 64 && configurable->coherence->unit_shift == 0 &&
	       (configurable->group_kinds == 1 ||
		(configurable->group_kinds == 2 && configurable->kind[1].count == 1));
}

struct ms_coherence_slice_simulation *
ms_coherence_open_slice_simulation(const struct ms_caches_configurable *configurable)
{
	struct ms_coherence_slice_simulation *t = ms_alloc(sizeof(*t));
	t->levels = configurable->levels;
	t->coherence = configurable->coherence;
	t->shape = (struct ms_coherence_slice_shape){ t->coherence->private_levels,
						      t->coherence->holder_words };
	t->passing = ms_alloc(MS_COHERENCE_SLICE_LINES * t->levels * sizeof(*t->passing));
	t->old_records = ms_alloc(MS_COHERENCE_SLICE_LINES * t->levels * sizeof(*t->old_records));
	for (size_t i = 0; i < MS_COHERENCE_SLICE_LINES; i++)
		t->event[i].at = &t->passing[i * t->levels];
	const struct ms_machine_level *first = &configurable->machine.levels.at[0];
	t->owner = ms_alloc(first->size / first->line * sizeof(*t->owner));
	t->attributions = ms_alloc(t->levels * sizeof(*t->attributions));
	t->misses = ms_alloc(t->levels * sizeof(*t->misses));
	return t;
}

void ms_coherence_close_slice_simulation(struct ms_coherence_slice_simulation *t)
{
	if (t == NULL)
		return;
	ms_free(t->passing);
	ms_free(t->old_records);
	ms_free(t->owner);
	ms_free(t->attributions);
	ms_free(t->misses);
	ms_free(t);
}

/* --- one level --- */

/* Uses a line at its position. Returns false if it was absent; then it is inserted, and *victim is
 * the line that it replaced. */
MS_INLINE bool insert_line(const struct ms_caches_array *array, uint64_t line,
			   struct ms_caches_position *position, uint64_t *victim)
{
	if (position->way != MS_CACHES_NO_WAY) {
		ms_caches_touch_way(array, *position);
		return true;
	}
	*position = ms_caches_choose_way(array, position->set);
	*victim = ms_caches_get_line(array, *position);
	ms_caches_fill_way(array, *position, line);
	return false;
}

static uint16_t *owner_of(const struct ms_coherence_slice_simulation *t,
			  const struct ms_caches_array *first, struct ms_caches_position position)
{
	return &t->owner[position.set * first->ways + position.way];
}

/* Returns whether the line is in the first level and the access changes only its recency, which is
 * updated. position: of the line, if it is there. */
MS_INLINE bool is_local_hit(struct ms_coherence_slice_simulation *t,
			    const struct ms_caches_array *first,
			    const struct ms_coherence_pending *m, uint64_t line,
			    struct ms_caches_position *position)
{
	position->set = ms_caches_index_set(first, line);
	struct ms_caches_array_set *at = ms_caches_get_set(first, position->set);
	bool second = ms_caches_is_second_most_recent(first, at, line, &position->way);

	if (!second)
		position->way = ms_caches_find_way(first, at, line);
	if (MS_UNLIKELY(position->way == MS_CACHES_NO_WAY))
		return false;
	if (m->address & MS_COHERENCE_WRITES) {
		if (position->way >= 64 ||
		    !((at->writable | at->owned_in_pass) >> position->way & 1))
			return false;
		if (at->owned_in_pass >> position->way & 1) {
			if (m->address & MS_COHERENCE_PARTIAL)
				return false;
			t->event[*owner_of(t, first, *position)].written |= m->written;
		}
	}
	if (second)
		ms_caches_touch_second(at);
	else
		ms_caches_touch_way(first, *position);
	return true;
}

/* Finds and prefetches the record of the line that was evicted; came: the record of the line that
 * was inserted. */
MS_INLINE void find_words(struct ms_coherence_level_miss *p, const struct ms_caches_array *array,
			  uint32_t *came)
{
	p->came = came;
	p->left = NULL;
	if (p->victim != MS_CACHES_NO_LINE) {
		p->left = ms_caches_get_record_word(array, p->victim);
		__builtin_prefetch(p->left);
	}
}

/* Finds the directory entry of the line that the last private level evicted. */
MS_INLINE void find_victim(const struct ms_coherence_slice_simulation *t,
			   struct ms_coherence_slice_event *e, unsigned last)
{
	e->victim_entry = NULL;
	if (e->at[last].victim != MS_CACHES_NO_LINE) {
		e->victim_entry =
			ms_caches_get_record(&t->coherence->directory, e->at[last].victim);
		__builtin_prefetch(e->victim_entry);
	}
}

/* Prefetches what the event needs. next: the level below the first; NULL: there is none. */
MS_INLINE void add_event(struct ms_coherence_slice_simulation *t,
			 struct ms_coherence_slice_shape shape, const struct ms_caches_array *first,
			 const struct ms_caches_array *next, const struct ms_coherence_pending *m,
			 const struct ms_coherence_pending *ref_start, uint64_t line,
			 struct ms_caches_position position)
{
	struct ms_coherence_slice_event *e = &t->event[t->n];
	bool part = m->address & MS_COHERENCE_PARTIAL;

	e->pending = m;
	e->ref_start = ref_start;
	e->line = line;
	e->written = part ? 0 : m->written;
	e->missed = insert_line(first, line, &position, &e->at[0].victim) ? 0 : 1;
	e->position = position;
	if (m->address & MS_COHERENCE_WRITES && position.way < 64 && !part) {
		ms_caches_get_set(first, position.set)->owned_in_pass |= UINT64_C(1)
									 << position.way;
		*owner_of(t, first, position) = (uint16_t)t->n;
	}
	t->n++;
	e->entry = ms_caches_get_record(&t->coherence->directory, line);
	__builtin_prefetch(e->entry);
	if (e->missed == 0)
		return;
	if (next != NULL)
		ms_caches_prefetch_set(next, line >> next->l1_shift);
	t->missed_events[t->left++] = e;
	uint32_t *record = ms_caches_get_record(first->group->lines, line);
	__builtin_prefetch(record);
	find_words(&e->at[0], first, record);
	if (shape.private_levels == 1)
		find_victim(t, e, 0);
}

/* Looks up the first level; an access that is no local hit becomes an event. */
MS_INLINE void
look_up_first(struct ms_coherence_slice_simulation *t, struct ms_coherence_slice_shape shape,
	      const struct ms_coherence_simulation *s, const struct ms_coherence_pending *m,
	      const struct ms_coherence_pending *end, const struct ms_coherence_pending **ref_start)
{
	/* A local copy, which other stores cannot change: it stays in registers. */
	const struct ms_caches_array first = *s->path[0];
	const struct ms_caches_array *next = t->levels > 1 ? s->path[1] : NULL;
	uint32_t shift = s->shard->first_shift;
	bool owns_all = s->owns_all;
	struct ms_caches_position position;

	t->n = t->left = 0;
	for (; m < end; m++) {
		uint64_t line = (m->address & MS_COHERENCE_ADDRESS) >> shift;

		if (!(m->address & MS_COHERENCE_SAME_REFERENCE))
			*ref_start = m;
		if ((owns_all || ms_coherence_owns_pending(s, m)) &&
		    !is_local_hit(t, &first, m, line, &position))
			add_event(t, shape, &first, next, m, *ref_start, line, position);
	}
}

/* Looks up level k, for lines that missed all levels above it. */
static void look_up_level(struct ms_coherence_slice_simulation *t,
			  const struct ms_coherence_simulation *s, unsigned k)
{
	const struct ms_caches_array array = *s->path[k];
	const struct ms_caches_array *next = k + 1 < t->levels ? s->path[k + 1] : NULL;
	size_t left = 0;

	for (size_t i = 0; i < t->left; i++) {
		struct ms_coherence_slice_event *e = t->missed_events[i];
		uint64_t line = e->line >> array.l1_shift;
		struct ms_caches_position position = ms_caches_find_line(&array, line);

		if (insert_line(&array, line, &position, &e->at[k].victim))
			continue;
		if (next != NULL)
			ms_caches_prefetch_set(next, e->line >> next->l1_shift);
		e->missed = k + 1;
		t->missed_events[left++] = e;
	}
	t->left = left;
}

/* The same for a private level of the agent. */
static void look_up_private_level(struct ms_coherence_slice_simulation *t,
				  const struct ms_coherence_simulation *s, unsigned k)
{
	look_up_level(t, s, k);
	for (size_t i = 0; i < t->left; i++) {
		struct ms_coherence_slice_event *e = t->missed_events[i];

		find_words(&e->at[k], s->path[k], e->at[0].came + k);
		if (k + 1 == t->shape.private_levels)
			find_victim(t, e, k);
	}
}

/* --- contended lines --- */

/* Updates the records of the line that was evicted and of the line that was inserted. */
static void replace_records(const struct ms_coherence_slice_simulation *t,
			    const struct ms_coherence_slice_event *e, unsigned k)
{
	const struct ms_caches_access *a = e->access;
	const struct ms_coherence_level_miss *p = &e->at[k];

	if (p->left != NULL) {
		ms_caches_evict_line(a, k, p->left);
		if (k < t->shape.private_levels)
			ms_coherence_evict_line(a, a->path[k], p->victim, p->left,
						k + 1 == t->shape.private_levels ? e->victim_entry
										 : NULL);
	}
	if (MS_UNLIKELY(ms_caches_is_invalidated(*p->came)))
		ms_coherence_end_invalidation(a, a->line, *p->came);
	*p->came = ms_caches_make_present(a->cell->data);
	ms_count_add_lines(&a->shard->counts.line_changes, k, a->cell->data, 1);
}

static void record_level(struct ms_coherence_slice_event *e, unsigned k, uint32_t word)
{
	struct ms_caches_access *a = e->access;

	a->old_records[k] = word;
	if (MS_LIKELY(!ms_caches_is_invalidated(word)))
		return;
	ms_coherence_classify_miss(a, k);
	e->falsely |= (uint64_t)a->coherence->configurable->falsely[k] << k;
}

static void make_access(struct ms_coherence_slice_simulation *t,
			const struct ms_coherence_simulation *s, struct ms_coherence_slice_event *e)
{
	size_t number = (size_t)(e - t->event);

	e->access = &t->access[number];
	e->falsely = 0;
	ms_coherence_begin_access(s, e->pending, e->access);
	e->access->old_records = &t->old_records[number * t->levels];
	e->access->written = e->written;
	e->access->entry = e->entry;
}

/* Updates the directory and the agent's private levels, whose words are adjacent in one record. */
static MS_NOINLINE void simulate_contended(struct ms_coherence_slice_simulation *t,
					   const struct ms_coherence_simulation *s,
					   struct ms_coherence_slice_event *e)
{
	unsigned missed = e->missed < t->shape.private_levels ? e->missed : t->shape.private_levels;
	bool writes = e->pending->address & MS_COHERENCE_WRITES;

	make_access(t, s, e);
	if (writes)
		ms_coherence_acquire_unit(e->access);
	for (unsigned k = 0; k < missed; k++)
		record_level(e, k, *e->at[k].came);
	if (missed == t->shape.private_levels)
		ms_coherence_read_unit(e->access, missed);
	for (unsigned k = missed; k-- > 0;)
		replace_records(t, e, k);
	if (writes)
		ms_coherence_record_write(e->access);
}

/* --- both --- */

MS_INLINE void simulate_private_levels(struct ms_coherence_slice_simulation *t,
				       struct ms_coherence_slice_shape shape,
				       const struct ms_coherence_simulation *s)
{
	for (size_t i = 0; i < t->n; i++) {
		struct ms_coherence_slice_event *e = &t->event[i];

		e->access = NULL;
		if (!ms_coherence_simulate_uncontended(t, shape, s, e))
			simulate_contended(t, s, e);
	}
}

/* The records of the shared levels may be stored in the directory. */
static void find_shared(const struct ms_coherence_simulation *s,
			const struct ms_coherence_slice_event *e, unsigned k)
{
	const struct ms_caches_array *array = s->path[k];
	bool beside = array->group->lines == &s->shard->configurable->coherence->directory &&
		      array->l1_shift == 0;
	uint32_t *came = beside ? e->entry + array->word
				: ms_caches_get_record_word(array, e->line >> array->l1_shift);

	__builtin_prefetch(came);
	find_words(&e->at[k], array, came);
}

/* Handles the lines that missed a level that all agents share. */
static void simulate_shared_level(struct ms_coherence_slice_simulation *t,
				  const struct ms_coherence_simulation *s, unsigned k)
{
	for (size_t i = 0; i < t->left; i++)
		find_shared(s, t->missed_events[i], k);
	for (size_t i = 0; i < t->left; i++) {
		struct ms_coherence_slice_event *e = t->missed_events[i];

		if (e->access == NULL) {
			ms_coherence_exchange_uncontended(t, t->shape, s, e, k);
		} else {
			e->access->old_records[k] = *e->at[k].came;
			replace_records(t, e, k);
		}
	}
}

/* --- slices --- */

static void count_event(struct ms_coherence_simulation *s, const struct ms_coherence_slice_event *e)
{
	struct ms_caches_configurable *configurable = s->shard->configurable;

	e->access->missed = e->missed;
	for (unsigned k = 0; k < e->missed; k++) {
		configurable->old_records[k] = e->access->old_records[k];
		configurable->falsely[k] = e->falsely >> k & 1;
	}
	ms_coherence_count_access(s, e->ref_start, e->pending, e->access);
}

/* A line can leave and come back in a pass, so whether it is writable is known only at the end. */
MS_INLINE void end_event(const struct ms_coherence_simulation *s,
			 const struct ms_coherence_slice_event *e)
{
	const struct ms_caches_array *first = s->path[0];
	struct ms_caches_array_set *at = ms_caches_get_set(first, e->position.set);
	uint32_t way = e->position.way;

	at->owned_in_pass = 0;
	if (e->entry[MS_COHERENCE_ENTRY_INVALIDATIONS] != 0 ||
	    ms_coherence_get_state(e->entry) != MS_COHERENCE_UNIT_MODIFIED ||
	    ms_coherence_get_owner(e->entry) != s->agent)
		return;
	if (MS_UNLIKELY(ms_caches_get_line(first, e->position) != e->line))
		way = ms_caches_find_way(first, at, e->line);
	if (way < 64)
		at->writable |= UINT64_C(1) << way;
}

MS_INLINE void simulate_lines(struct ms_coherence_slice_simulation *t,
			      struct ms_coherence_slice_shape shape,
			      struct ms_coherence_simulation *s,
			      const struct ms_coherence_pending *m,
			      const struct ms_coherence_pending *end,
			      const struct ms_coherence_pending **ref_start)
{
	uint32_t nodes = s->shard->engine->coherence.placement.nodes;

	look_up_first(t, shape, s, m, end, ref_start);
	for (unsigned k = 1; k < shape.private_levels && t->left > 0; k++)
		look_up_private_level(t, s, k);
	simulate_private_levels(t, shape, s);
	for (unsigned k = shape.private_levels; k < t->levels && t->left > 0; k++) {
		look_up_level(t, s, k);
		simulate_shared_level(t, s, k);
	}
	for (size_t i = 0; i < t->n; i++) {
		const struct ms_coherence_slice_event *e = &t->event[i];

		if (e->access != NULL) {
			count_event(s, e);
		} else {
			if (nodes > 1 && e->missed == t->levels)
				ms_coherence_record_memory_access(s, e->pending);
			ms_coherence_record_levels(s, e->pending, e->missed);
		}
		if (e->pending->address & MS_COHERENCE_WRITES)
			end_event(s, e);
	}
}

void ms_coherence_simulate_slice(struct ms_coherence_slice_simulation *t,
				 struct ms_coherence_simulation *s,
				 const struct ms_coherence_pending *m,
				 const struct ms_coherence_pending *end)
{
	const struct ms_coherence_pending *ref_start = m;

	ms_coherence_begin_uncontended(t, s);
	for (; m < end; m += MS_COHERENCE_SLICE_LINES) {
		const struct ms_coherence_pending *to =
			end - m < MS_COHERENCE_SLICE_LINES ? end : m + MS_COHERENCE_SLICE_LINES;

		if (t->shape.private_levels == 1 && t->shape.words == 1)
			simulate_lines(t, (struct ms_coherence_slice_shape){ 1, 1 }, s, m, to,
				       &ref_start);
		else
			simulate_lines(t, t->shape, s, m, to, &ref_start);
	}
	ms_coherence_end_uncontended(t, s);
}

void ms_coherence_finish_slices(struct ms_coherence_slice_simulation *t)
{
	ms_coherence_flush_uncontended(t);
}
