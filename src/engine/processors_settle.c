/*
 * engine/processors_settle.c - what the sieve kept of several processors, through their caches.
 *
 * Most lines are in the first level, where a load, or a store to a quiet line (coherence.c),
 * changes only the order of use. All others are taken one after the other, in the order of the
 * stream; where levels are simple enough stretch.c does it, faster.
 *
 * A reference misses a level once, by the first of its lines that does; who answered it is what the
 * first line says that missed the last of these levels.
 */
#include "engine/coherence.h"
#include "engine/engine_priv.h"
#include "engine/settling.h"
#include "stream/wire.h"

static bool is_split(const struct settling *s, const struct met *first)
{
	const struct met *end = s->batch->at + s->batch->n;
	bool mine = ms_settling_is_mine(s, first);

	for (const struct met *m = first + 1; m < end && m->address & MS_MET_GOES_ON; m++)
		if (ms_settling_is_mine(s, m) != mine)
			return true;
	return false;
}

/* --- counting --- */

static uint32_t mark_of(const struct settling *s)
{
	return (uint32_t)(s->mark - s->batch->marks.at);
}

static void count_level(struct settling *s, const struct met *m, unsigned level)
{
	struct ms_shard *shard = s->shard;
	struct tally *tally = ms_shard_tally(shard, m->cell);
	struct tally_more *more = ms_tally_more(&shard->tallies, tally, level);
	uint32_t record = shard->general->old[level];

	ms_tally_miss(&shard->tallies, tally, level, record);
	more->falsely += ms_line_is_lost(record) && shard->general->falsely[level];
	more->weighted += s->mark->weight;
	tally->level[level].covered += shard->general->covered[level];
	s->thread->level[level].misses++;
	ms_phases_count(&shard->phases, s->mark->phase, level, shard->levels);
	if (shard->engine->windows != NULL)
		ms_windows_count(shard, tally, level, record);
}

static void note_level(struct settling *s, const struct met *m, const struct access *a,
		       unsigned level)
{
	uint32_t record = s->shard->general->old[level];
	bool last = level + 1 == a->missed;

	*ms_vec_add(&s->notes->crossings) = (struct crossing){
		.cell = m->cell,
		.at = (uint32_t)(m - s->batch->at),
		.reference = (uint32_t)(s->reference - s->batch->at),
		.level = level,
		.record = record,
		.mark = mark_of(s),
		.falsely = ms_line_is_lost(record) && s->shard->general->falsely[level],
		.peer = last && a->peer,
		.memory = last && !a->peer && a->missed == a->levels,
	};
}

static struct shared *count_sharing(struct settling *s, const struct met *m, const struct access *a)
{
	const struct coherence *c = a->coherence;
	struct shared like = {
		.cell = ms_shard_tally(s->shard, m->cell)->number,
		.writer = a->writer,
		.line = a->unit << c->unit_up << s->shard->first_shift,
		.offset = a->from,
		.writer_offset = a->writer_offset,
		.object = a->object,
		.writer_object = a->writer_object,
	};
	struct shared *shared = ms_sharing_at(&s->shard->processors->sharing, &like);

	shared->truly += a->truly;
	shared->falsely += !a->truly;
	shared->peer += a->peer;
	return shared;
}

/* The number of the note, plus 1. */
static uint32_t note_memory(struct settling *s, const struct met *m, struct shared *shared)
{
	*ms_vec_add(&s->notes->memory) = (struct memory_note){
		.address = ms_settling_line(s, m) << s->shard->first_shift,
		.at = (uint32_t)(m - s->batch->at),
		.mark = mark_of(s),
		.split = s->split,
		.shared = shared != NULL ? &shared->remote : NULL,
	};
	return (uint32_t)s->notes->memory.n;
}

void ms_settling_note_memory(struct settling *s, const struct met *m)
{
	struct ms_shard *shard = s->shard;
	unsigned last = shard->levels - 1;
	struct tally *tally = ms_shard_tally(shard, m->cell);

	*ms_vec_add(&s->notes->memory) = (struct memory_note){
		.address = ms_settling_line(s, m) << shard->first_shift,
		.at = (uint32_t)(m - s->batch->at),
		.mark = mark_of(s),
		.remote = &ms_tally_more(&shard->tallies, tally, last)->remote,
		.thread = &s->thread->level[last].remote,
	};
}

/* This line has missed more levels than those of the reference before it: it speaks for it. */
static void set_answer(struct settling *s, const struct met *m, const struct access *a,
		       uint32_t memory)
{
	struct ms_shard *shard = s->shard;
	unsigned level = a->missed - 1;
	struct tally_more *more =
		ms_tally_more(&shard->tallies, ms_shard_tally(shard, m->cell), level);

	if (s->peer[0] != NULL) {
		--*s->peer[0];
		--*s->peer[1];
	}
	if (s->answer != 0) {
		s->notes->memory.at[s->answer - 1].remote = NULL;
		s->notes->memory.at[s->answer - 1].thread = NULL;
	}
	s->peer[0] = s->peer[1] = NULL;
	s->answer = memory;
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

static void count_miss(struct settling *s, const struct met *m, const struct access *a)
{
	struct ms_shard *shard = s->shard;
	struct shared *shared = a->invalidated ? count_sharing(s, m, a) : NULL;
	bool is_memory = !a->peer && a->missed == a->levels;
	uint32_t memory = 0;

	__atomic_store_n(&shard->misses, shard->misses + 1, __ATOMIC_RELAXED);
	if (is_memory && shard->engine->placement.nodes > 1)
		memory = note_memory(s, m, shared);
	for (unsigned level = s->split ? 0 : s->missed; level < a->missed; level++) {
		if (s->split)
			note_level(s, m, a, level);
		else
			count_level(s, m, level);
	}
	if (a->missed > s->missed && !s->split)
		set_answer(s, m, a, memory);
	if (a->missed > s->missed)
		s->missed = a->missed;
}

/* --- accesses --- */

void ms_settling_begin(const struct settling *s, const struct met *m, struct access *a)
{
	struct ms_shard *shard = s->shard;
	struct coherence *c = shard->general->coherence;
	uint64_t line = ms_settling_line(s, m);
	uint32_t part = (uint32_t)(line & ((UINT64_C(1) << c->unit_up) - 1)) << shard->first_shift;
	uint32_t from = (uint32_t)(m->address & ((UINT64_C(1) << shard->first_shift) - 1));
	bool is_part = m->address & MS_MET_PART;

	*a = (struct access){
		.shard = shard,
		.path = s->path,
		.levels = shard->levels,
		.cell = m->cell,
		.line = line,
		.waits = true,
		.old = shard->general->old,
		.covered = shard->general->covered,
		.coherence = c,
		.agent = s->agent,
		.unit = line >> c->unit_up,
		.from = part + from,
		.to = part + (is_part ? (uint32_t)(m->written >> 32) : from + m->cell->reach),
		.part = part,
		.written = is_part ? 0 : m->written,
		.object = m->object,
	};
}

void ms_settling_count(struct settling *s, const struct met *begun, const struct met *m,
		       const struct access *a)
{
	if (begun != s->reference) {
		s->reference = begun;
		s->missed = 0;
		s->peer[0] = s->peer[1] = NULL;
		s->answer = 0;
		s->split = !s->alone && is_split(s, begun);
	}
	if (a->missed > 0)
		count_miss(s, m, a);
}

static MS_NOINLINE void access_line(struct settling *s, const struct met *begun,
				    const struct met *m)
{
	struct access a;

	ms_settling_begin(s, m, &a);
	a.entry = ms_coherence_entry(a.coherence, a.unit);
	if (m->address & MS_MET_WRITES)
		ms_coherence_own(&a);
	if (m->cell->kind != MS_WIRE_WRITE)
		ms_access_load(&a);
	if (m->address & MS_MET_WRITES) {
		ms_access_store(&a);
		ms_coherence_wrote(&a);
	}
	ms_settling_count(s, begun, m, &a);
}

/* Fewer lines of a turn do not pay to be taken level by level. */
enum { FEWEST_TOGETHER = 4 };

/* One processor's, one thread's. */
static void settle_stretch(struct settling *s, const struct met *m, const struct met *end)
{
	bool simple = s->shard->processors->stretch != NULL;
	const struct met *begun = m;
	struct seat seat;

	for (unsigned done = 1; m < end; m += done) {
		done = 1;
		if (!(m->address & MS_MET_GOES_ON))
			begun = m;
		if (!ms_settling_is_mine(s, m) || ms_settling_is_quiet(s, m, &seat))
			continue;
		done = simple ? ms_handoff(s, m, end, seat) : 0;
		if (done == 0) {
			access_line(s, begun, m);
			done = 1;
		}
	}
}

/* The same of a window: what is known of each line is found before it is used. */
static void settle_window(struct settling *s, const struct met *m, const struct met *end)
{
	const struct met *begun = m;
	struct seat seat;

	for (; m < end; m++) {
		struct window_access a = { s->shard, s->path,
					   m->cell,  ms_settling_line(s, m),
					   s->agent, (m->address & MS_MET_WRITES) != 0 };

		if (!(m->address & MS_MET_GOES_ON))
			begun = m;
		if (!ms_settling_is_mine(s, m))
			continue;
		ms_windows_look(&a);
		if (!ms_settling_is_quiet(s, m, &seat))
			access_line(s, begun, m);
		ms_windows_use(&a, s->reference == begun ? s->missed : 0);
	}
}

void ms_processors_settle(struct ms_shard *shard, unsigned slot)
{
	struct processors *p = shard->processors;
	const struct met_batch *batch = &shard->engine->met[slot];
	struct settling s = {
		.shard = shard,
		.notes = &p->notes[slot],
		.batch = batch,
		.alone = shard->engine->shards == 1,
	};

	/* What is known is kept by one: it owns all lines. */
	if (shard->engine->windows != NULL && shard->number != 0)
		return;
	for (size_t i = 0; i < batch->marks.n; i++) {
		const struct mark *mark = &batch->marks.at[i];
		size_t end = i + 1 < batch->marks.n ? mark[1].from : batch->n;

		if (mark->from == end)
			continue;
		s.mark = mark;
		s.agent = mark->agent;
		s.path = ms_general_path(shard->general, s.agent);
		s.thread = ms_threads_at(&p->threads, mark->thread, mark->processor);
		if (shard->engine->windows != NULL) {
			ms_windows_follow(shard->engine->windows, &mark->window);
			settle_window(&s, batch->at + mark->from, batch->at + end);
		} else if (shard->processors->stretch != NULL &&
			   end - mark->from >= FEWEST_TOGETHER) {
			ms_stretch_settle(shard->processors->stretch, &s, batch->at + mark->from,
					  batch->at + end);
		} else {
			settle_stretch(&s, batch->at + mark->from, batch->at + end);
		}
	}
	ms_stretch_finish(p->stretch);
}
