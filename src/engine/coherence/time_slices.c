/*
 * engine/coherence/time_slices.c - begins and ends the time slices of the filter for several
 * processors.
 *
 * When processors compete for a line, time slices have a few dozen words, and there are millions
 * of them. So threads that have run before are registered by their number in the stream. The
 * filter switches to a registered thread itself, without returning to its caller.
 */
#include "engine/call_paths/call_paths.h"
#include "engine/coherence/coherence.h"
#include "engine/coherence/processor_filter.h"
#include "wire/wire.h"

/* --- threads --- */

void ms_coherence_set_processor(struct ms_engine_shard *shard, uint32_t processor, uint32_t thread)
{
	struct ms_coherence_processors *p = shard->processors;

	processor = processor < p->count ? processor : p->count - 1;
	p->running = p->at[processor] != NULL ? p->at[processor]
					      : ms_coherence_get_processor(shard, processor);
	p->thread_count = NULL;
	p->thread = thread;
}

static struct ms_coherence_known_thread *find_known_thread(struct ms_coherence_processors *p,
							   uint32_t name)
{
	return &p->threads_known[name % MS_COHERENCE_KNOWN_THREADS];
}

void ms_coherence_register_thread(struct ms_engine_shard *shard, uint32_t name)
{
	struct ms_coherence_processors *p = shard->processors;

	if (p->running == NULL)
		return;
	*find_known_thread(p, name) = (struct ms_coherence_known_thread){
		.name = name,
		.thread = p->thread,
		.since = p->registration_epoch,
		.processor = p->running,
		.count = ms_count_get_thread(&p->thread_references, p->thread, p->running->number),
		.freed = shard->address_map.fallback.freed,
	};
}

void ms_coherence_forget_threads(struct ms_engine_shard *shard)
{
	shard->processors->registration_epoch++;
}

uint64_t ms_coherence_take_thread_switches(struct ms_engine_shard *shard, uint32_t *name)
{
	struct ms_coherence_processors *p = shard->processors;
	uint64_t times = p->switches;

	if (times > 0) {
		*name = p->last_switched;
		p->switches = 0;
	}
	return times;
}

MS_INLINE bool switch_thread(struct ms_engine_shard *shard, uint64_t record)
{
	struct ms_coherence_processors *p = shard->processors;
	const struct ms_coherence_known_thread *k = find_known_thread(p, ms_wire_arg_of(record));

	if (record != ms_wire_head(MS_WIRE_SWITCH, 1, k->name) || k->since != p->registration_epoch)
		return false;
	p->running = k->processor;
	p->thread = k->thread;
	p->thread_count = k->count;
	shard->address_map.fallback.freed = k->freed;
	p->last_switched = k->name;
	shard->call_paths.thread = k->name;
	p->switches++;
	return true;
}

bool ms_coherence_switch_thread(struct ms_engine_shard *shard, uint64_t record)
{
	return switch_thread(shard, record);
}

/* --- batches --- */

void ms_coherence_make_room(struct ms_coherence_batch *batch, size_t more)
{
	size_t needed = batch->n + more + 1;

	if (needed <= batch->room)
		return;
	if (needed < batch->room * 2)
		needed = batch->room * 2;
	batch->at = ms_realloc(batch->at, needed * sizeof(*batch->at));
	batch->room = needed;
}

static bool continues_slice(const struct ms_engine_shard *shard,
			    const struct ms_coherence_slice *last)
{
	const struct ms_coherence_processors *p = shard->processors;

	return last->processor == p->running->number && last->thread == p->thread &&
	       last->phase == shard->phase_references.now && last->weight == p->weight &&
	       last->changes == p->changes.n &&
	       (!p->in_windows || last->window.window == shard->windows.window);
}

/* The fields are written in place: a copy of a struct would have to wait until all stores to it
 * have reached the cache. */
MS_INLINE void add_slice(const struct ms_engine_shard *shard, struct ms_coherence_batch *batch)
{
	const struct ms_coherence_processors *p = shard->processors;

	if (batch->slices.n > 0 && continues_slice(shard, &batch->slices.at[batch->slices.n - 1]))
		return;
	struct ms_coherence_slice *slice = ms_vec_add(&batch->slices);
	slice->from = batch->n;
	slice->processor = p->running->number;
	slice->agent = p->running->agent;
	slice->thread = p->thread;
	slice->phase = shard->phase_references.now;
	slice->weight = p->weight;
	slice->changes = p->changes.n;
	if (p->in_windows)
		slice->window = ms_engine_windows_make_mark(shard);
}

void ms_coherence_add_slice(const struct ms_engine_shard *shard, struct ms_coherence_batch *batch)
{
	add_slice(shard, batch);
}

static void add_new_exits(struct ms_coherence_processors *p)
{
	struct ms_coherence_processor *running = p->running;
	size_t more = p->exits.n - running->exits.n;

	ms_vec_reserve(&running->exits, more);
	for (; more > 0; more--)
		running->exits.at[running->exits.n++] =
			(struct ms_coherence_exit){ .words = UINT32_MAX };
}

/* Later stores cannot add bytes to accesses that were kept in an earlier batch. */
static void begin_batch(struct ms_coherence_processors *p, const struct ms_coherence_batch *batch)
{
	if (batch->slices.n != 0)
		return;
	p->kept_before += p->kept;
	p->kept = 0;
}

/* --- time slices --- */

static void keep_all_orders(const struct ms_coherence_filter *s,
			    struct ms_coherence_recent_lines *recent)
{
	struct ms_coherence_pending *out = s->batch->at + s->batch->n;

	for (uint64_t i = 0; i < s->shard->processors->sets; i++)
		out = ms_coherence_keep_order(s, &recent[i], out);
	s->batch->n = (size_t)(out - s->batch->at);
}

MS_INLINE void begin_slice(struct ms_coherence_filter *s)
{
	struct ms_coherence_processors *p = s->shard->processors;

	if (MS_UNLIKELY(p->running->exits.n < p->exits.n))
		add_new_exits(p);
	if (MS_UNLIKELY(p->thread_count == NULL))
		p->thread_count =
			ms_count_get_thread(&p->thread_references, p->thread, p->running->number);
	add_slice(s->shard, s->batch);
	s->recent = p->recent[p->running->agent];
}

/* A slice with fewer words than this for each set does not visit all sets at its end. */
enum { WORDS_PER_SET = 8 };

MS_INLINE void end_slice(const struct ms_coherence_filter *s, size_t words)
{
	struct ms_coherence_processors *p = s->shard->processors;
	bool order_pending = s->pairs && words < p->sets * WORDS_PER_SET;

	p->order_pending[p->running->agent] = order_pending;
	if (s->pairs && !order_pending)
		keep_all_orders(s, s->recent);
	if (s->filters && p->active_agents.n > 1)
		ms_coherence_invalidate_filters(s->shard, s->batch);
	p->kept = s->batch->n;
	if (p->unbound_count > 0)
		ms_coherence_bind_references(s->shard, s->batch);
}

size_t ms_coherence_filter_executions(struct ms_engine_shard *shard, const uint64_t *words,
				      size_t n)
{
	struct ms_coherence_processors *p = shard->processors;
	struct ms_coherence_batch *batch = &p->batch;
	bool filters = shard->configurable->repeats_are_hits;
	const uint64_t *at = words, *end = words + n;

	begin_batch(p, batch);
	if (n == 0 || ms_wire_kind_of(words[0]) != MS_WIRE_EXEC)
		return 0; /* consecutive events, as between short time slices */
	if (p->running == NULL)
		p->running = ms_coherence_get_processor(shard, 0);
	/* Long slices also keep the orders of all sets, but have more words than there
	 * are sets. */
	ms_coherence_make_room(batch, 2 * n * (shard->filter.most_lines + 1) + p->sets);
	struct ms_coherence_filter s = {
		.shard = shard,
		.batch = batch,
		.kept = batch->at,
		.set_mask = shard->caches.first.mask,
		.kept_before = p->kept_before,
		.threshold = shard->spatial.threshold,
		.shift = shard->first_shift,
		.direct = shard->caches.first.mask != 0 && filters && shard->first_shift <= 6,
		.filters = filters,
		.pairs = shard->configurable->pairs_are_hits,
		.calls = shard->call_paths.is_on,
	};
	s.copy = &s;
	for (;;) {
		const uint64_t *from = at;

		begin_slice(&s);
		if (MS_UNLIKELY(s.calls))
			ms_call_paths_begin_slice(shard, at, batch->n);
		at = ms_coherence_filter_slice(&s, at, end);
		end_slice(&s, (size_t)(at - from));
		shard->filter.steps += (uint64_t)(at - from);
		if (at == end || !switch_thread(shard, *at))
			return (size_t)(at - words);
		if (++at == end || ms_wire_kind_of(*at) != MS_WIRE_EXEC)
			return (size_t)(at - words);
	}
}

/* The shard that filters next does not have the orders of the sets. */
static void keep_pending_orders(struct ms_engine_shard *shard)
{
	struct ms_coherence_processors *p = shard->processors;
	struct ms_coherence_batch *batch = &p->batch;
	struct ms_coherence_processor *running = p->running;
	struct ms_coherence_filter s = { .shard = shard,
					 .batch = batch,
					 .shift = shard->first_shift };

	for (size_t i = 0; i < p->active_agents.n; i++) {
		uint32_t agent = p->active_agents.at[i];

		if (!p->order_pending[agent])
			continue;
		p->order_pending[agent] = false;
		p->running = ms_coherence_get_processor(shard, agent * p->sharers);
		add_slice(shard, batch);
		ms_coherence_make_room(batch, p->sets);
		keep_all_orders(&s, p->recent[agent]);
	}
	p->kept = batch->n;
	p->running = running;
}

void ms_coherence_hand_over_batch(struct ms_engine_shard *shard, unsigned batch_index)
{
	struct ms_coherence_batch *into = &shard->engine->coherence.batches[batch_index],
				  empty = *into;

	ms_coherence_forget_lines_at_limit(shard);
	if (shard->engine->shards > 1)
		keep_pending_orders(shard);
	*into = shard->processors->batch;
	shard->processors->batch = empty;
	ms_spatial_bind_touches(shard, batch_index);
}
