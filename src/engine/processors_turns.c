/*
 * engine/processors_turns.c - whose executions the sieve for several processors is at: what begins
 * and ends a turn.
 *
 * Where processors fight over a line turns are of a few dozen words, and there are millions of
 * them. So who was seen to run before is known by what the stream calls it, and taken up without
 * asking anybody, from one turn to the next.
 */
#include "engine/coherence.h"
#include "engine/processors_sieve.h"
#include "stream/wire.h"

/* --- who runs --- */

void ms_shard_processor(struct ms_shard *shard, uint32_t processor, uint32_t thread)
{
	struct processors *p = shard->processors;

	if (p == NULL)
		return;
	processor = processor < p->count ? processor : p->count - 1;
	p->running =
		p->at[processor] != NULL ? p->at[processor] : ms_processors_at(shard, processor);
	p->thread_count = NULL;
	p->thread = thread;
}

static struct known_thread *known_of(struct processors *p, uint32_t name)
{
	return &p->known[name % MS_KNOWN_THREADS];
}

/* Of windows more is told than who runs. */
void ms_shard_know(struct ms_shard *shard, uint32_t name)
{
	struct processors *p = shard->processors;

	if (p == NULL || p->running == NULL || shard->engine->windows != NULL)
		return;
	*known_of(p, name) = (struct known_thread){
		.name = name,
		.thread = p->thread,
		.since = p->known_since,
		.processor = p->running,
		.count = ms_threads_at(&p->sifted, p->thread, p->running->number),
		.freed = shard->places.special.freed,
	};
}

void ms_shard_know_nobody(struct ms_shard *shard)
{
	if (shard->processors != NULL)
		shard->processors->known_since++;
}

uint64_t ms_shard_taken_up(struct ms_shard *shard, uint32_t *name)
{
	struct processors *p = shard->processors;
	uint64_t times = p != NULL ? p->taken_up : 0;

	if (times > 0) {
		*name = p->took;
		p->taken_up = 0;
	}
	return times;
}

MS_INLINE bool take_up(struct ms_shard *shard, uint64_t record)
{
	struct processors *p = shard->processors;
	const struct known_thread *k = known_of(p, ms_wire_arg_of(record));

	if (record != ms_wire_head(MS_WIRE_SWITCH, 1, k->name) || k->since != p->known_since)
		return false;
	p->running = k->processor;
	p->thread = k->thread;
	p->thread_count = k->count;
	shard->places.special.freed = k->freed;
	p->took = k->name;
	p->taken_up++;
	return true;
}

bool ms_shard_take_up(struct ms_shard *shard, uint64_t record)
{
	return shard->processors != NULL && take_up(shard, record);
}

/* --- batches --- */

/* Room for `more` lines, and one that is written and not kept. */
static void make_room(struct met_batch *batch, size_t more)
{
	size_t needed = batch->n + more + 1;

	if (needed <= batch->room)
		return;
	if (needed < batch->room * 2)
		needed = batch->room * 2;
	batch->at = ms_realloc(batch->at, needed * sizeof(*batch->at));
	batch->room = needed;
}

static bool goes_on(const struct ms_shard *shard, const struct mark *last)
{
	const struct processors *p = shard->processors;

	return last->processor == p->running->number && last->thread == p->thread &&
	       last->phase == shard->phase && last->weight == p->weight &&
	       last->changes == p->changes.n &&
	       (shard->engine->windows == NULL ||
		last->window.window == ms_windows_now(shard).window);
}

/* Whose the lines are that come next. It is written where it stays, field by field: a copy would
 * have to wait until all of them are in the cache. */
static void set_mark(const struct ms_shard *shard, struct met_batch *batch)
{
	const struct processors *p = shard->processors;

	if (batch->marks.n > 0 && goes_on(shard, &batch->marks.at[batch->marks.n - 1]))
		return;
	struct mark *mark = ms_vec_add(&batch->marks);
	mark->from = batch->n;
	mark->processor = p->running->number;
	mark->agent = p->running->agent;
	mark->thread = p->thread;
	mark->phase = shard->phase;
	mark->weight = p->weight;
	mark->changes = p->changes.n;
	if (shard->engine->windows != NULL)
		mark->window = ms_windows_now(shard);
}

static void meet_new_blocks(struct processors *p)
{
	struct processor *running = p->running;
	size_t more = p->exits.n - running->exits.n;

	ms_vec_reserve(&running->exits, more);
	for (; more > 0; more--)
		running->exits.at[running->exits.n++] = (struct own_exit){ .words = UINT32_MAX };
}

/* What was kept for stores in another batch cannot be added to. */
static void begin_batch(struct processors *p, const struct met_batch *batch)
{
	if (batch->marks.n != 0)
		return;
	p->kept_before += p->kept;
	p->kept = 0;
}

/* --- turns --- */

static void keep_all_orders(const struct sieve *s, struct recent *recent)
{
	struct met *out = s->batch->at + s->batch->n;

	for (uint64_t i = 0; i < s->shard->processors->sets; i++)
		out = ms_own_keep_order(s, &recent[i], out);
	s->batch->n = (size_t)(out - s->batch->at);
}

MS_INLINE void begin_turn(struct sieve *s)
{
	struct processors *p = s->shard->processors;

	if (MS_UNLIKELY(p->running->exits.n < p->exits.n))
		meet_new_blocks(p);
	if (MS_UNLIKELY(p->thread_count == NULL))
		p->thread_count = ms_threads_at(&p->sifted, p->thread, p->running->number);
	set_mark(s->shard, s->batch);
	s->recent = p->recent[p->running->agent];
}

/* To look at all sets is worth while at the end of a turn of so many words only. */
enum { WORDS_A_SET = 8 };

MS_INLINE void end_turn(const struct sieve *s, size_t words)
{
	struct processors *p = s->shard->processors;
	bool owes = s->pairs && words < p->sets * WORDS_A_SET;

	p->owes[p->running->agent] = owes;
	if (s->pairs && !owes)
		keep_all_orders(s, s->recent);
	if (s->filters && p->ran.n > 1)
		ms_own_tell(s->shard, s->batch);
	p->kept = s->batch->n;
	if (p->unbound_count > 0)
		ms_own_bind(s->shard, s->batch);
}

size_t ms_processors_sift(struct ms_shard *shard, const uint64_t *words, size_t n)
{
	struct processors *p = shard->processors;
	struct met_batch *batch = &p->met;
	bool filters = shard->general->repeats_are_hits;
	const uint64_t *at = words, *end = words + n;

	begin_batch(p, batch);
	if (n == 0 || ms_wire_kind_of(words[0]) != MS_WIRE_EXEC)
		return 0; /* one event behind the other, as between short turns */
	if (p->running == NULL)
		p->running = ms_processors_at(shard, 0);
	/* Of long turns the order of all sets too: they have more words than these. */
	make_room(batch, 2 * n * (shard->most_lines + 1) + p->sets);
	struct sieve s = {
		.shard = shard,
		.batch = batch,
		.kept = batch->at,
		.set_mask = shard->first.mask,
		.kept_before = p->kept_before,
		.shift = shard->first_shift,
		.direct = shard->first.mask != 0 && filters && shard->first_shift <= 6,
		.filters = filters,
		.pairs = shard->general->pairs_are_hits,
	};
	s.copy = &s;
	for (;;) {
		const uint64_t *from = at;

		begin_turn(&s);
		at = ms_own_sift(&s, at, end);
		end_turn(&s, (size_t)(at - from));
		shard->steps += (uint64_t)(at - from);
		if (at == end || !take_up(shard, *at))
			return (size_t)(at - words);
		if (++at == end || ms_wire_kind_of(*at) != MS_WIRE_EXEC)
			return (size_t)(at - words);
	}
}

/* Who sifts next knows nothing of the order of sets. */
static void tell_orders(struct ms_shard *shard)
{
	struct processors *p = shard->processors;
	struct met_batch *batch = &p->met;
	struct processor *running = p->running;
	struct sieve s = { .shard = shard, .batch = batch, .shift = shard->first_shift };

	for (size_t i = 0; i < p->ran.n; i++) {
		uint32_t agent = p->ran.at[i];

		if (!p->owes[agent])
			continue;
		p->owes[agent] = false;
		p->running = ms_processors_at(shard, agent * p->sharers);
		set_mark(shard, batch);
		make_room(batch, p->sets);
		keep_all_orders(&s, p->recent[agent]);
	}
	p->kept = batch->n;
	p->running = running;
}

void ms_processors_share(struct ms_shard *shard, unsigned slot)
{
	struct met_batch *into = &shard->engine->met[slot], empty = *into;

	if (shard->engine->shards > 1)
		tell_orders(shard);
	*into = shard->processors->met;
	shard->processors->met = empty;
}
