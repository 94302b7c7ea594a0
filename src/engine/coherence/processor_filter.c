/*
 * engine/coherence/processor_filter.c - the L1 filter for several processors: a hot loop that
 * reads executions and keeps the accesses that may change the state of a cache.
 *
 * For each set of each agent's first level, the filter has the two most recent lines, as long as
 * no other agent writes them. A load of one of them changes only their order. The filter reports
 * the order once, before it keeps another line of the set, and only if the order differs from the
 * last report. So two arrays whose elements with equal index lie in the same sets are not kept at
 * each step.
 *
 * The filter keeps the first store to a line, which makes the agent the owner. Later stores, while
 * the line is one of the two and no other agent touches it, only add their bytes to the kept
 * access. The time of such a write makes no difference to caches that have lost the line
 * (invalidations.h).
 *
 * The accesses of an agent are applied to the filters of other agents at the end of its time
 * slice. A filter starts empty when it continues after a time slice of another shard.
 *
 * References to unknown data are collected and bound together, as in l1_filter.c.
 *
 * Accesses to a selected line (spatial/line_selection.h) are all kept: the filter does not remember
 * it, until it has reached the limit.
 */
#include "engine/coherence/processor_filter.h"
#include "engine/call_paths/call_paths.h"
#include "engine/coherence/coherence.h"
#include "wire/wire.h"

/* --- data --- */

static void set_data(struct ms_engine_shard *shard, struct ms_coherence_ref_state *ref_state,
		     uint32_t data)
{
	const struct ms_coherence_processors *p = shard->processors;
	struct ms_count_cells *cells = &p->running->cells;
	const size_t number = (size_t)(ref_state - p->running->ref_states.at[ref_state->block]);

	data = ms_engine_choose_data(shard, p->blocks.at[ref_state->block], number, data);
	if (ref_state->cell == NULL) {
		ms_coherence_flush_ref_state(p, p->running, ref_state);
		ref_state->cell = ms_count_get_cell(cells, ref_state->site, ref_state->kind, data);
	} else if (ref_state->cell->data != data) {
		ms_coherence_flush_ref_state(p, p->running, ref_state);
		ref_state->cell = ms_count_get_next_cell(cells, ref_state->cell, data);
	}
	/* Avoids a store to a cache line that other shards may be reading. */
	if (ref_state->cell->reach != ref_state->reach)
		ref_state->cell->reach = ref_state->reach;
}

static uint64_t object_of(const struct ms_address_map_range *range)
{
	return range->size != 0 ? range->start : UINT64_MAX;
}

void ms_coherence_bind_references(struct ms_engine_shard *shard, struct ms_coherence_batch *batch)
{
	const struct ms_coherence_unbound *end =
		shard->processors->unbound + shard->processors->unbound_count;

	for (const struct ms_coherence_unbound *u = shard->processors->unbound; u < end; u++)
		if (*u->where > MS_ADDRESS_MAP_FREED)
			__builtin_prefetch(
				ms_address_map_get_range(&shard->address_map, *u->where));
	for (const struct ms_coherence_unbound *u = shard->processors->unbound; u < end; u++) {
		set_data(shard, u->ref_state,
			 ms_address_map_resolve_entry(&shard->address_map, u->address, *u->where,
						      &u->ref_state->range));
		u->ref_state->cell->references++;
		for (uint32_t k = 0; k < u->lines; k++) {
			batch->at[u->kept + k].cell = u->ref_state->cell;
			batch->at[u->kept + k].object = object_of(u->ref_state->range);
		}
	}
	shard->processors->running->binding_epoch += shard->processors->unbound_count > 0;
	shard->processors->unbound_count = 0;
}

/* --- slow path: reports orders immediately --- */

/* Records an access of so many bytes to a selected line; false: it is to any other line. */
MS_INLINE bool observe_access(const struct ms_coherence_filter *s, uint64_t address, uint32_t size,
			      const struct ms_coherence_pending *out)
{
	return MS_UNLIKELY(ms_spatial_is_selected(s->threshold, address >> s->shift)) &&
	       ms_spatial_record_processor_touch(s->shard, address, size,
						 (uint32_t)(out - s->batch->at));
}

/* Returns whether the line was the most recent one, and makes it so. */
static bool use_line(const struct ms_coherence_filter *s, struct ms_coherence_recent_lines *r,
		     uint64_t line)
{
	if (r->line[r->last] == line)
		return true;
	if (r->line[r->last ^ 1] == line)
		r->last = r->reported = r->last ^ 1;
	else
		ms_coherence_set_recent_line(s, r, line, 0);
	return false;
}

/* Keeps the access *out unless it is a guaranteed hit; whole: the reference touches no
 * other line. */
static struct ms_coherence_pending *keep_line(const struct ms_coherence_filter *s, uint64_t line,
					      bool writes, bool whole,
					      struct ms_coherence_pending *out)
{
	struct ms_coherence_recent_lines *r =
		&s->recent[ms_caches_index_lru_set(&s->shard->caches.first, line)];
	uint64_t from = out->written & UINT32_MAX, to = out->written >> 32, bytes = 0;
	bool adds = s->shift <= 6 && whole;

	if (adds) {
		bytes = UINT64_MAX << from & UINT64_MAX >> (63 - to);
		out->address &= ~MS_COHERENCE_PARTIAL;
		out->written = bytes;
	}
	if (observe_access(s, (line << s->shift) + from, (uint32_t)(to - from) + 1, out)) {
		if (s->filters)
			ms_coherence_set_selected_line(s, r, line);
		return out + 1;
	}
	if (!s->filters)
		return out + 1;
	bool same = use_line(s, r, line);
	if (!writes)
		return out + !same;
	uint64_t *stored = &r->stored[r->last];
	if (same && adds && *stored >= s->kept_before) {
		s->batch->at[*stored - s->kept_before].written |= bytes;
		return out;
	}
	*stored = adds ? ms_coherence_get_pending_number(s, out) : 0;
	return out + 1;
}

static struct ms_coherence_pending *keep_orders(const struct ms_coherence_filter *s, uint64_t line,
						uint64_t last, struct ms_coherence_pending *out)
{
	for (; s->filters && line <= last; line++)
		out = ms_coherence_keep_order(
			s, &s->recent[ms_caches_index_lru_set(&s->shard->caches.first, line)], out);
	return out;
}

/* Filters any reference. */
static struct ms_coherence_pending *filter_lines(const struct ms_coherence_filter *s,
						 const struct ms_coherence_ref_state *ref_state,
						 uint64_t address, struct ms_coherence_pending *out)
{
	uint64_t at = address & MS_COHERENCE_ADDRESS, last = at + ref_state->reach;
	uint64_t mask = (UINT64_C(1) << s->shift) - 1;
	bool writes = ref_state->kind != MS_WIRE_READ, whole = (at | mask) >= last;
	uint64_t marks = MS_COHERENCE_PARTIAL | (writes ? MS_COHERENCE_WRITES : 0);
	const struct ms_coherence_pending *first = out =
		keep_orders(s, at >> s->shift, last >> s->shift, out);

	for (;; at = (at | mask) + 1) {
		bool ends = (at | mask) >= last;

		*out = (struct ms_coherence_pending){
			.address = at | marks | (out != first ? MS_COHERENCE_SAME_REFERENCE : 0),
			.cell = ref_state->cell,
			.object = object_of(ref_state->range),
			.written = (at & mask) | (ends ? last & mask : mask) << 32,
		};
		out = keep_line(s, at >> s->shift, writes, whole, out);
		if (ends)
			return out;
	}
}

/* Filters a reference to several lines, or to an address outside the range of the
 * reference state. */
static MS_NOINLINE struct ms_coherence_pending *
filter_slow_path(const struct ms_coherence_filter *s, struct ms_coherence_ref_state *ref_state,
		 uint64_t address, struct ms_coherence_pending *out)
{
	struct ms_engine_shard *shard = s->shard;
	struct ms_coherence_unbound *u =
		&shard->processors->unbound[shard->processors->unbound_count];
	struct ms_coherence_pending *next;

	if (address - ref_state->range->start < ref_state->range->size)
		return filter_lines(s, ref_state, address, out);
	ref_state->since++; /* as in l1_filter.c */
	if (address == 0) {
		shard->processors->skipped++;
		return out; /* a conditional reference that was not executed */
	}
	*u = (struct ms_coherence_unbound){ address, ref_state,
					    ms_address_map_find_entry(&shard->address_map, address),
					    (uint32_t)(out - s->batch->at), 0 };
	__builtin_prefetch(u->where);
	next = filter_lines(s, ref_state, address, out);
	u->lines = (uint32_t)(next - out);
	shard->processors->unbound_count++;
	return next;
}

MS_NOINLINE struct ms_coherence_pending *
ms_coherence_keep_access(const struct ms_coherence_filter *s,
			 const struct ms_coherence_ref_state *ref_state, uint64_t address,
			 uint64_t bytes, struct ms_coherence_pending *out)
{
	uint64_t at = address & MS_COHERENCE_ADDRESS, line = at >> s->shift;
	struct ms_coherence_recent_lines *r = &s->recent[line & s->set_mask];

	out = ms_coherence_keep_order(s, r, out);
	if (observe_access(s, at, ref_state->reach + 1u, out))
		ms_coherence_set_selected_line(s, r, line);
	else
		ms_coherence_set_recent_line(
			s, r, line, bytes != 0 ? ms_coherence_get_pending_number(s, out) : 0);
	*out = (struct ms_coherence_pending){ .address =
						      at | (bytes != 0 ? MS_COHERENCE_WRITES : 0),
					      .cell = ref_state->cell,
					      .object = ref_state->range->start,
					      .written = bytes };
	return out + 1;
}

/* Returns whether the reference is to known data and to one line. */
MS_INLINE bool is_direct(const struct ms_coherence_filter *s,
			 const struct ms_coherence_ref_state *ref_state, uint64_t address)
{
	return address - ref_state->range->start < ref_state->range->size &&
	       (address & ((UINT64_C(1) << s->shift) - 1)) < ref_state->room;
}

/*
 * Filters a direct reference to one of the two lines of its set; returns false, with nothing
 * changed, if it is to another line. before: the line used last, which is present; a load of it
 * changes nothing. The comparison uses all bits of the address, but stored lines have no mark
 * bits. So an address with one of these bits, which no program has, is always kept.
 */
MS_INLINE bool filter_recent(const struct ms_coherence_filter *s,
			     const struct ms_coherence_ref_state *ref_state, uint64_t address,
			     uint64_t *before, struct ms_coherence_pending **out)
{
	uint64_t line = address >> s->shift;
	struct ms_coherence_recent_lines *r = &s->recent[line & s->set_mask];

	if (MS_UNLIKELY(!is_direct(s, ref_state, address)))
		return false;
	if (line == *before && ref_state->kind == MS_WIRE_READ)
		return true;
	uint32_t k = r->line[1] == line;
	if (MS_UNLIKELY(r->line[k] != line))
		return false;
	r->last = k;
	*before = line;
	if (ref_state->kind != MS_WIRE_READ)
		*out = ms_coherence_filter_store(s, ref_state, address,
						 ms_coherence_get_byte_mask(s, ref_state, address),
						 r, k, *out);
	return true;
}

MS_INLINE struct ms_coherence_pending *filter_reference(const struct ms_coherence_filter *s,
							struct ms_coherence_ref_state *ref_state,
							uint64_t address,
							struct ms_coherence_pending *out)
{
	uint64_t before = MS_CACHES_NO_LINE;

	if (MS_UNLIKELY(!s->direct || !is_direct(s, ref_state, address)))
		return filter_slow_path(s->copy, ref_state, address, out);
	if (MS_UNLIKELY(!filter_recent(s, ref_state, address, &before, &out)))
		return ms_coherence_keep_access(
			s->copy, ref_state, address,
			ms_coherence_get_written_bytes(s, ref_state, address), out);
	return out;
}

/* --- executions --- */

/* As in l1_filter.c. */
MS_INLINE struct ms_coherence_pending *filter_references(const struct ms_coherence_filter *s,
							 struct ms_coherence_ref_state *ref_state,
							 const uint64_t *at, uint32_t refs,
							 struct ms_coherence_pending *out)
{
#define ONE(i) out = filter_reference(s, ref_state + (i), at[i], out)
	for (; refs > 4; refs -= 4, ref_state += 4, at += 4) {
		ONE(0);
		ONE(1);
		ONE(2);
		ONE(3);
	}
	switch (refs) {
	case 4:
		ONE(0);
		ONE(1);
		ONE(2);
		ONE(3);
		break;
	case 3:
		ONE(0);
		ONE(1);
		ONE(2);
		break;
	case 2:
		ONE(0);
		ONE(1);
		break;
	case 1:
		ONE(0);
	}
#undef ONE
	return out;
}

/* The conditions of ms_filter_find_loop_periods(). An engine with windows has to see each line. */
static bool supports_stride_runs(const struct ms_engine_shard *shard)
{
	return shard->first_shift == MS_FILTER_LINE_SHIFT && shard->caches.first.mask != 0 &&
	       shard->configurable->pairs_are_hits && !shard->processors->in_windows;
}

struct ms_coherence_pending *
ms_coherence_filter_references(const struct ms_coherence_filter *s,
			       struct ms_coherence_ref_state *ref_states, const uint64_t *at,
			       uint32_t refs, struct ms_coherence_pending *out)
{
	return filter_references(s, ref_states, at, refs, out);
}

static MS_NOINLINE void make_ref_states(struct ms_engine_shard *shard,
					struct ms_coherence_exit *exit, uint32_t number)
{
	const struct ms_coherence_processors *p = shard->processors;
	const struct ms_coherence_block_exit *known = &p->exits.at[number];
	const struct ms_engine_block *block = p->blocks.at[known->block];

	exit->ref_states = ms_coherence_get_ref_states(shard, p->running, known->block);
	exit->words = block->exit_refs[known->number] + 1;
	exit->period = 0;
	if (ms_call_paths_is_marked(shard, block, known->number))
		exit->words = UINT32_MAX; /* filter_direct() leaves it to filter_next() */
	else if (supports_stride_runs(shard))
		exit->period = (uint8_t)ms_filter_find_loop_period(block, exit->words - 1,
								   shard->caches.first.ways);
	exit->instructions =
		block->exit_instructions != NULL ? block->exit_instructions[known->number] : 0;
}

/* The state of the hot loop. */
struct filter_cursor {
	const uint64_t *at;
	struct ms_coherence_pending *out;
	uint64_t instructions; /* like executions: the sum so far */
	uint64_t executions;
	struct ms_coherence_exit
		*exit;      /* of the execution that was begun; NULL: between two executions */
	uint32_t done_refs; /* references of that execution that were filtered */
};

/*
 * Filters executions up to the first that has a reference that is not direct, or that may begin a
 * stride run. Calls other functions only for lines that are kept, so its variables stay in
 * registers. For lines of 64 bytes.
 */
static MS_NOINLINE void filter_direct(const struct ms_coherence_filter *filter,
				      struct filter_cursor *g, const uint64_t *end)
{
	struct ms_coherence_filter s = *filter;
	const struct ms_coherence_processors *p = s.shard->processors;
	const struct ms_coherence_ref_state *ref_state;
	struct ms_coherence_exit *exits = p->running->exits.at, *exit;
	size_t exit_count = p->running->exits.n;
	uint64_t instructions = 0, executions = 0, weight = p->weight, before = MS_CACHES_NO_LINE;
	const uint64_t *at = g->at;
	struct ms_coherence_pending *out = g->out;
	uint32_t i = 0;

	s.shift = 6;
	for (exit = NULL; at < end; exit = NULL) {
		uint64_t head = *at;
		uint32_t words = ms_wire_words_of(head);

		__builtin_prefetch(at + MS_COHERENCE_WORDS_AHEAD);
		if (MS_UNLIKELY(ms_wire_kind_of(head) != MS_WIRE_EXEC ||
				ms_wire_arg_of(head) >= exit_count || at + words > end ||
				exits[ms_wire_arg_of(head)].words != words))
			break;
		exit = &exits[ms_wire_arg_of(head)];
		if (exit->period != 0 && at + words < end && at[words] == head &&
		    (exit->pause == 0 || --exit->pause == 0)) {
			exit = NULL;
			break;
		}
		exit->count++;
		exit->weighted += weight;
		instructions += exit->instructions;
		executions++;
		ref_state = exit->ref_states;
		for (i = 0; i + 1 < words; i++, ref_state++)
			if (MS_UNLIKELY(!filter_recent(&s, ref_state, at[1 + i], &before, &out))) {
				if (!is_direct(&s, ref_state, at[1 + i]))
					goto done;
				out = ms_coherence_keep_access(
					filter, ref_state, at[1 + i],
					ms_coherence_get_written_bytes(&s, ref_state, at[1 + i]),
					out);
				before = at[1 + i] >> s.shift;
				if (ms_spatial_is_selected(s.threshold, before))
					before = MS_CACHES_NO_LINE;
			}
		at += words;
	}
done:
	g->at = at;
	g->out = out;
	g->exit = exit;
	g->done_refs = i;
	g->instructions += instructions;
	g->executions += executions;
}

/* Filters the remaining references of the present execution. */
static void finish_execution(const struct ms_coherence_filter *s, struct filter_cursor *g)
{
	uint32_t words = g->exit->words;

	for (uint32_t i = g->done_refs; i + 1 < words; i++)
		g->out = filter_reference(s, g->exit->ref_states + i, g->at[1 + i], g->out);
	g->at += words;
}

static bool process_stride_run(const struct ms_coherence_filter *s, struct filter_cursor *g,
			       struct ms_coherence_exit *exit, const uint64_t *end)
{
	uint64_t n = ms_coherence_process_stride_run(s->copy, exit, g->at, end, &g->out);

	exit->count += n;
	exit->weighted += n * s->shard->processors->weight;
	g->instructions += n * exit->instructions;
	g->executions += n;
	g->at += n * exit->words;
	return n != 0;
}

/* --- executions, where calls are followed: see call_paths/call_paths.h --- */

/* The exit of the execution that follows directly. */
static uint32_t find_next_exit(const uint64_t *next, const uint64_t *end)
{
	return next < end && ms_wire_kind_of(*next) == MS_WIRE_EXEC ? ms_wire_arg_of(*next)
								    : MS_CALL_PATHS_NO_EXIT;
}

static uint32_t position_of(const struct ms_coherence_filter *s, const struct filter_cursor *g)
{
	return (uint32_t)(g->out - s->batch->at);
}

/* An execution with an instruction that is executed in several contexts: one mark for each part. */
static void filter_parts_of_calls(const struct ms_coherence_filter *s, struct filter_cursor *g,
				  struct ms_coherence_ref_state *ref_states, uint32_t next_exit)
{
	const struct ms_coherence_processors *p = s->shard->processors;
	uint32_t number = ms_wire_arg_of(*g->at), refs = ms_wire_words_of(*g->at) - 1, done = 0;
	const struct ms_coherence_block_exit *known = &p->exits.at[number];
	const struct ms_engine_block *block = p->blocks.at[known->block];
	const struct ms_engine_block_calls *calls = block->calls;
	uint32_t instructions = block->exit_instructions[known->number];

	for (uint32_t i = 0; i < calls->n && calls->transfer[i].instruction < instructions; i++) {
		uint32_t to = done;

		while (to < refs && block->ref[to].instruction <= calls->transfer[i].instruction)
			to++;
		g->out = filter_references(s, ref_states + done, g->at + 1 + done, to - done,
					   g->out);
		done = to;
		ms_call_paths_mark_part(&s->shard->call_paths.marks, number, i, position_of(s, g),
					next_exit);
	}
	g->out = filter_references(s, ref_states + done, g->at + 1 + done, refs - done, g->out);
}

/* Filters an execution that changes the call stack; returns false if it has another length. */
static bool filter_calls(const struct ms_coherence_filter *s, struct filter_cursor *g,
			 struct ms_coherence_ref_state *ref_states, const uint64_t *end)
{
	const struct ms_coherence_processors *p = s->shard->processors;
	uint32_t number = ms_wire_arg_of(*g->at), words = ms_wire_words_of(*g->at);
	const struct ms_coherence_block_exit *known = &p->exits.at[number];
	const struct ms_engine_block *block = p->blocks.at[known->block];
	uint32_t next_exit = find_next_exit(g->at + words, end), from = position_of(s, g);

	if (block->exit_refs[known->number] + 1u != words)
		return false;
	if (block->calls->exit_calls[known->number] == MS_ENGINE_EXIT_PARTS) {
		filter_parts_of_calls(s, g, ref_states, next_exit);
		return true;
	}
	g->out = filter_references(s, ref_states, g->at + 1, words - 1, g->out);
	*ms_vec_add(&s->shard->call_paths.marks.at) =
		(struct ms_call_paths_mark){ from, position_of(s, g),
					     number & MS_CALL_PATHS_EXIT_MASK,
					     MS_CALL_PATHS_EXECUTION, next_exit };
	return true;
}

/* Filters one execution or a stride run; returns false if there is neither. */
MS_INLINE bool filter_next(const struct ms_coherence_filter *s, struct filter_cursor *g,
			   const uint64_t *end)
{
	const struct ms_coherence_processors *p = s->shard->processors;
	uint64_t head = *g->at;
	const uint64_t *next = g->at + ms_wire_words_of(head);

	if (ms_wire_kind_of(head) != MS_WIRE_EXEC || ms_wire_arg_of(head) >= p->running->exits.n ||
	    next > end)
		return false;
	struct ms_coherence_exit *exit = &p->running->exits.at[ms_wire_arg_of(head)];
	if (exit->ref_states == NULL)
		make_ref_states(s->shard, exit, ms_wire_arg_of(head));
	bool is_marked = s->calls && exit->words == UINT32_MAX;
	if (!is_marked && exit->words != ms_wire_words_of(head))
		return false;
	if (s->direct && exit->period != 0 && next < end && *next == head && exit->pause == 0 &&
	    process_stride_run(s, g, exit, end))
		return true;
	if (!is_marked)
		g->out = filter_references(s, exit->ref_states, g->at + 1,
					   ms_wire_words_of(head) - 1, g->out);
	else if (!filter_calls(s->copy, g, exit->ref_states, end))
		return false;
	exit->count++;
	exit->weighted += p->weight;
	g->instructions += exit->instructions;
	g->executions++;
	g->at = next;
	return true;
}

/* near: filter_direct() supports the machine. */
MS_INLINE void filter_all(const struct ms_coherence_filter *s, bool near, struct filter_cursor *g,
			  const uint64_t *end)
{
	const struct ms_coherence_processors *p = s->shard->processors;

	while (g->at < end) {
		g->exit = NULL;
		if (near)
			filter_direct(s->copy, g, end);
		if (g->exit != NULL)
			finish_execution(s, g);
		else if (g->at == end || !filter_next(s, g, end))
			break;
		if (MS_UNLIKELY(p->unbound_count >= MS_FILTER_MAX_UNBOUND))
			ms_coherence_bind_references(s->shard, s->batch);
	}
}

const uint64_t *ms_coherence_filter_slice(const struct ms_coherence_filter *s, const uint64_t *at,
					  const uint64_t *end)
{
	struct ms_coherence_processors *p = s->shard->processors;
	struct ms_count_thread *thread = p->thread_count;
	uint64_t skipped = p->skipped;
	struct filter_cursor g = { .at = at, .out = s->batch->at + s->batch->n };

	/* Most machines have lines of 64 bytes. Some time slices are so short that their start
	 * must be cheap, so nothing is copied in that case. */
	if (s->direct && s->shift == 6) {
		filter_all(s, true, &g, end);
	} else {
		const struct ms_coherence_filter registers = *s;

		filter_all(&registers, false, &g, end);
	}
	/* Each execution has one word that is no reference. */
	uint64_t references = (uint64_t)(g.at - at) - g.executions;
	s->batch->n = (size_t)(g.out - s->batch->at);
	thread->instructions += g.instructions;
	thread->references += references - (p->skipped - skipped);
	p->references += references;
	return g.at;
}
