/*
 * engine/filter/l1_filter.c - the L1 filter, the hot loop of the engine. It reads executions and
 * writes the lines that are not guaranteed hits.
 *
 * Each reference is counted for its data. An access to the most recent line of a set of the first
 * level is dropped: it changes no state, whatever the levels are. All other lines are kept for
 * lru_simulation.c. So the filter can forget the most recent lines at any time: it only keeps more
 * accesses then.
 *
 * The code has no branch on whether a line is kept, unless few are: such a branch would often be
 * mispredicted.
 *
 * Where only misses count (ms_engine_skip_hits()), an access that is dropped needs no data. All
 * other references to new data are those of slow_references.c.
 */
#include "engine/filter/loop_filter.h"
#include "engine/filter/references.h"
#include "wire/wire.h"

/* --- references --- */

/*
 * The part of a shard that the hot loop uses. direct: sets are indexed by a mask, and the most
 * recent lines are dropped.
 */
struct l1_filter {
	struct ms_engine_shard *shard;
	struct ms_filter_exit *exits;
	uint64_t exit_count;
	uint64_t *recent;
	uint64_t mask;
	uint64_t threshold; /* of selected lines: see spatial/line_selection.h */
	uint32_t shift;
	bool direct;
	bool jumps; /* most accesses are dropped: a branch is faster */
	bool misses_only;
	bool ordered;       /* no loops: accesses are kept in the order of the program */
	bool sets;          /* sets are sampled */
	bool calls;         /* calls are followed: see call_paths/call_paths.h */
	size_t bytes_ahead; /* prefetch distance in the stream */
};

/*
 * Only accesses that are not guaranteed hits need their data. The address 0 stands for a
 * conditional reference that was not executed.
 */
MS_INLINE struct ms_filter_pending *filter_misses_only(struct l1_filter filter,
						       struct ms_filter_ref_state *ref_state,
						       uint64_t address,
						       struct ms_filter_pending *out)
{
	uint64_t line = address >> filter.shift;
	uint64_t *recent = &filter.recent[line & filter.mask];

	if (MS_UNLIKELY((address & ((UINT64_C(1) << filter.shift) - 1)) >= ref_state->room))
		return ms_filter_process_slow_reference(filter.shard, ref_state, address, out);
	if (MS_LIKELY(*recent == line && line != 0))
		return out;
	if (MS_UNLIKELY(address - ref_state->range->start >= ref_state->range->size))
		return ms_filter_process_slow_reference(filter.shard, ref_state, address, out);
	return ms_filter_line(recent, false, line, ref_state->cell, 0, out);
}

/*
 * For streams where most accesses are dropped: whether the reference touches only the most recent
 * line of its set.
 */
MS_INLINE bool is_guaranteed_hit(struct l1_filter filter,
				 const struct ms_filter_ref_state *ref_state, uint64_t address)
{
	uint64_t recent = filter.recent[address >> filter.shift & filter.mask];

	return address - (recent << filter.shift) < ref_state->room;
}

MS_INLINE struct ms_filter_pending *filter_reference(struct l1_filter filter,
						     struct ms_filter_ref_state *ref_state,
						     uint64_t address,
						     struct ms_filter_pending *out)
{
	uint64_t line = address >> filter.shift;

	if ((!filter.direct || filter.sets) &&
	    address == 0) { /* can be frequent: see ms_filter_process_slow_reference() */
		ref_state->since++;
		return out;
	}
	if (filter.misses_only && filter.direct)
		return filter_misses_only(filter, ref_state, address, out);
	if (MS_UNLIKELY(!filter.direct ||
			address - ref_state->range->start >= ref_state->range->size))
		return ms_filter_process_slow_reference(filter.shard, ref_state, address, out);
	if (filter.jumps && !filter.sets &&
	    MS_LIKELY(is_guaranteed_hit(filter, ref_state, address)))
		return out;
	if (MS_UNLIKELY((address & ((UINT64_C(1) << filter.shift) - 1)) >= ref_state->room ||
			(!filter.sets && ms_spatial_is_selected(filter.threshold, line))))
		return ms_filter_process_slow_reference(filter.shard, ref_state, address, out);
	if (filter.sets)
		ms_filter_count_in_part(filter.shard, ref_state->cell, address);
	if (filter.jumps && filter.sets && MS_LIKELY(is_guaranteed_hit(filter, ref_state, address)))
		return out;
	return ms_filter_line(&filter.recent[line & filter.mask], false, line, ref_state->cell, 0,
			      out);
}

/* --- executions --- */

struct ms_filter_pending *ms_filter_process_references(struct ms_engine_shard *shard,
						       const struct ms_filter_exit *exit,
						       const uint64_t *addresses,
						       struct ms_filter_pending *out)
{
	struct l1_filter filter = { .shard = shard,
				    .recent = shard->filter.recent,
				    .mask = shard->caches.first.mask,
				    .threshold = shard->spatial.threshold,
				    .shift = shard->first_shift,
				    .direct = shard->caches.first.mask != 0 &&
					      !shard->filter.keeps_all,
				    .misses_only = shard->filter.misses_only };

	for (uint32_t i = 0; i < exit->refs; i++)
		out = filter_reference(filter, exit->ref_states + i, addresses[i], out);
	if (shard->filter.unbound_count >= MS_FILTER_MAX_UNBOUND)
		ms_filter_bind_references(shard);
	return out;
}

/*
 * Handles up to 16 references with one computed jump: the exit branch of a loop would often be
 * mispredicted. Both arguments point to the ends, because the end of the addresses is also the
 * start of the next execution.
 */
MS_INLINE struct ms_filter_pending *filter_references(struct l1_filter filter,
						      struct ms_filter_ref_state *ref_states_end,
						      const uint64_t *end, uint64_t refs,
						      struct ms_filter_pending *out)
{
#define ONE(i) out = filter_reference(filter, ref_states_end - (i), end[-(i)], out)
	for (; MS_UNLIKELY(refs > 16); refs--)
		out = filter_reference(filter, ref_states_end - refs, *(end - refs), out);
	switch (refs) {
	case 16:
		ONE(16); /* fall through */
	case 15:
		ONE(15); /* fall through */
	case 14:
		ONE(14); /* fall through */
	case 13:
		ONE(13); /* fall through */
	case 12:
		ONE(12); /* fall through */
	case 11:
		ONE(11); /* fall through */
	case 10:
		ONE(10); /* fall through */
	case 9:
		ONE(9); /* fall through */
	case 8:
		ONE(8); /* fall through */
	case 7:
		ONE(7); /* fall through */
	case 6:
		ONE(6); /* fall through */
	case 5:
		ONE(5); /* fall through */
	case 4:
		ONE(4); /* fall through */
	case 3:
		ONE(3); /* fall through */
	case 2:
		ONE(2); /* fall through */
	case 1:
		ONE(1); /* fall through */
	case 0:
		break;
	default:
		__builtin_unreachable();
	}
#undef ONE
	return out;
}

/* Counts executions without references, up to the first other record. */
MS_INLINE const uint64_t *count_without_refs(struct l1_filter filter, const uint64_t *at,
					     const uint64_t *end)
{
	const uint32_t alone = (uint32_t)ms_wire_head(MS_WIRE_EXEC, 1, 0);

	for (; at < end && (uint32_t)*at == alone; at++) {
		uint64_t number = ms_wire_arg_of(*at);

		if (MS_UNLIKELY(number >= filter.exit_count || filter.exits[number].refs != 0))
			break;
		filter.exits[number].count++;
	}
	return at;
}

/*
 * With sets sampled by the native tracer, most executions have no reference to a sampled set, and
 * the others have only one. The head word identifies both kinds. So the next execution does not
 * depend on the length of this one.
 */
MS_INLINE const uint64_t *filter_sampled_sets(struct l1_filter filter, const uint64_t *at,
					      const uint64_t *end, struct ms_filter_pending **out)
{
	const uint32_t reference = (uint32_t)ms_wire_head(MS_WIRE_EXEC, 2, 0);

	for (;;) {
		at = count_without_refs(filter, at, end);
		if (end - at < 2 || (uint32_t)*at != reference ||
		    ms_wire_arg_of(*at) >= filter.exit_count)
			return at;
		struct ms_filter_exit *exit = &filter.exits[ms_wire_arg_of(*at)];
		if (MS_UNLIKELY(exit->refs != 1))
			return at;
		exit->count++;
		*out = filter_reference(filter, exit->ref_states, at[1], *out);
		at += 2;
		if (MS_UNLIKELY(filter.shard->filter.unbound_count >= MS_FILTER_MAX_UNBOUND))
			ms_filter_bind_references(filter.shard);
	}
}

/* The exit of the execution that follows directly. */
MS_INLINE uint32_t find_next_exit(const uint64_t *next, const uint64_t *end)
{
	return next < end && ms_wire_kind_of(*next) == MS_WIRE_EXEC ? ms_wire_arg_of(*next)
								    : MS_CALL_PATHS_NO_EXIT;
}

/*
 * Marks an execution if it changes the call stack. There is no branch on that: it would often be
 * mispredicted. ms_call_paths_begin_filter() has reserved room.
 */
MS_INLINE void mark_calls(struct ms_engine_shard *shard, const struct ms_filter_exit *exit,
			  const struct ms_call_paths_mark *mark)
{
	struct ms_call_paths_marks *marks = &shard->call_paths.marks;

	marks->at.at[marks->at.n] = *mark;
	marks->at.n += exit->calls != MS_ENGINE_EXIT_NO_CALLS;
}

/* Filters an execution with an instruction that is executed in several contexts. */
static MS_NOINLINE struct ms_filter_pending *filter_parts_of_calls(struct ms_engine_shard *shard,
								   const uint64_t *at,
								   const uint64_t *end,
								   struct ms_filter_pending *out)
{
	struct ms_call_paths_marks *marks = &shard->call_paths.marks;
	struct ms_filter_exit part = shard->filter.exits.at[ms_wire_arg_of(*at)];
	const struct ms_filter_block *block = /* there are references, of several contexts */
		&shard->filter.blocks.at[part.ref_states->block];
	const struct ms_engine_block_calls *calls = block->desc->calls;
	const uint32_t number = ms_wire_arg_of(*at) - block->first_exit, refs = part.refs;
	uint32_t done = 0;

	for (uint32_t i = 0; i < calls->n && calls->transfer[i].instruction <
						     block->desc->exit_instructions[number];
	     i++) {
		uint32_t to = done;

		while (to < refs &&
		       block->desc->ref[to].instruction <= calls->transfer[i].instruction)
			to++;
		part.refs = to - done;
		part.ref_states = block->ref_states + done;
		out = ms_filter_process_references(shard, &part, at + 1 + done, out);
		done = to;
		ms_call_paths_mark_part(marks, ms_wire_arg_of(*at), i,
					(size_t)(out - shard->filter.pending.at),
					find_next_exit(at + 1 + refs, end));
	}
	part.refs = refs - done;
	part.ref_states = block->ref_states + done;
	out = ms_filter_process_references(shard, &part, at + 1 + done, out);
	ms_vec_reserve(&marks->at, (size_t)(end - at));
	return out;
}

/*
 * The position of the next execution depends on the head word only, so that the processor can run
 * ahead.
 */
MS_INLINE const uint64_t *filter_stream(struct l1_filter filter,
					struct ms_filter_pending_list *pending_list,
					const uint64_t *at, const uint64_t *end)
{
	struct ms_engine_shard *shard = filter.shard;
	struct ms_filter_pending *out = pending_list->at + pending_list->n;
	struct ms_filter_loop_cursor cursor = { at, end, NULL, 0 };

	while (at < end) {
		if (filter.sets && (at = filter_sampled_sets(filter, at, end, &out)) == end)
			break;
		uint64_t head = *at;
		const uint64_t *next = at + ms_wire_words_of(head);

		__builtin_prefetch((const char *)at + filter.bytes_ahead);
		if (MS_UNLIKELY(ms_wire_kind_of(head) != MS_WIRE_EXEC ||
				ms_wire_arg_of(head) >= filter.exit_count || next > end))
			break;
		struct ms_filter_exit *exit = &filter.exits[ms_wire_arg_of(head)];
		if (MS_UNLIKELY(exit->refs != ms_wire_words_of(head) - 1))
			break;
		if (filter.direct && !filter.ordered &&
		    ms_filter_can_compare_loop(&cursor, exit, at, next, filter.jumps)) {
			struct ms_filter_pending *kept = out;

			at = ms_filter_process_loop(shard, exit, &cursor, at, &kept);
			if (filter.calls)
				mark_calls(shard, exit,
					   &(struct ms_call_paths_mark){
						   (uint32_t)(out - pending_list->at),
						   (uint32_t)(kept - pending_list->at),
						   ms_wire_arg_of(head) & MS_CALL_PATHS_EXIT_MASK,
						   MS_CALL_PATHS_EXECUTION,
						   MS_CALL_PATHS_NO_EXIT });
			out = kept;
			continue;
		}
		ms_filter_leave_loop(&cursor);
		exit->count++;
		if (filter.calls && MS_UNLIKELY(exit->calls == MS_ENGINE_EXIT_PARTS)) {
			out = filter_parts_of_calls(shard, at, end, out);
			at = next;
			continue;
		}
		const uint32_t from = (uint32_t)(out - pending_list->at);
		/* The same as exit->refs, but available earlier. */
		uint64_t refs = ms_wire_words_of(head) - 1;
		out = filter_references(filter, exit->ref_states + refs, next, refs, out);
		if (filter.calls)
			mark_calls(shard, exit,
				   &(struct ms_call_paths_mark){
					   from, (uint32_t)(out - pending_list->at),
					   ms_wire_arg_of(head) & MS_CALL_PATHS_EXIT_MASK,
					   MS_CALL_PATHS_EXECUTION, find_next_exit(next, end) });
		at = next;
		if (MS_UNLIKELY(shard->filter.unbound_count >= MS_FILTER_MAX_UNBOUND))
			ms_filter_bind_references(shard);
	}
	pending_list->n = (size_t)(out - pending_list->at);
	return at;
}

/*
 * Where few lines are kept, a branch over that code is predicted well. The decision uses this many
 * words.
 */
enum { WORDS_TO_MEASURE = 1024, WORDS_PER_PENDING = 8 };

static void measure_kept_share(struct ms_engine_shard *shard, size_t pending_list, size_t words)
{
	shard->filter.measured_words += words;
	shard->filter.measured_pending += pending_list;
	if (shard->filter.measured_words < WORDS_TO_MEASURE)
		return;
	shard->filter.few_pending =
		shard->filter.measured_pending < shard->filter.measured_words / WORDS_PER_PENDING;
	shard->filter.measured_words = 0;
	shard->filter.measured_pending = 0;
}

typedef const uint64_t *(*filter_fn)(const struct l1_filter *filter,
				     struct ms_filter_pending_list *pending_list,
				     const uint64_t *at, const uint64_t *end);

/*
 * One function for each kind of filter, because a common one would need too many registers. Most
 * machines have lines of 64 bytes: a constant saves a register and is faster.
 */
#define DEFINE_FILTER(name, ...)                                                             \
	static MS_NOINLINE const uint64_t *name(const struct l1_filter *shared,              \
						struct ms_filter_pending_list *pending_list, \
						const uint64_t *at, const uint64_t *end)     \
	{                                                                                    \
		struct l1_filter filter = { __VA_ARGS__ };                                   \
                                                                                             \
		return filter_as(filter, shared, pending_list, at, end);                     \
	}

MS_INLINE const uint64_t *filter_as(struct l1_filter filter, const struct l1_filter *shared,
				    struct ms_filter_pending_list *pending_list, const uint64_t *at,
				    const uint64_t *end)
{
	filter.shard = shared->shard;
	filter.exits = shared->exits;
	filter.exit_count = shared->exit_count;
	filter.recent = shared->recent;
	filter.mask = shared->mask;
	filter.threshold = shared->threshold;
	filter.bytes_ahead = shared->bytes_ahead;
	if (filter.shift == 0)
		filter.shift = shared->shift;
	if (!filter.calls && !filter.sets)
		filter.calls = shared->calls;
	return filter_stream(filter, pending_list, at, end);
}

DEFINE_FILTER(filter_all, .direct = false)
DEFINE_FILTER(filter_parts, .direct = true, .jumps = true, .sets = true)
DEFINE_FILTER(filter_misses, .direct = true, .misses_only = true)
DEFINE_FILTER(filter_misses_64, .direct = true, .misses_only = true, .shift = 6)
DEFINE_FILTER(filter_any, .direct = true)
DEFINE_FILTER(filter_in_order, .direct = true, .ordered = true)
DEFINE_FILTER(filter_many_64, .direct = true, .shift = 6)
DEFINE_FILTER(filter_few_64, .direct = true, .shift = 6, .jumps = true)
DEFINE_FILTER(filter_many_calls_64, .direct = true, .shift = 6, .calls = true)
DEFINE_FILTER(filter_few_calls_64, .direct = true, .shift = 6, .jumps = true, .calls = true)
#undef DEFINE_FILTER

static filter_fn choose_filter(const struct ms_engine_shard *shard)
{
	if (shard->caches.first.mask == 0 || shard->filter.keeps_all)
		return filter_all;
	if (shard->cells.parts > 0)
		return filter_parts;
	if (shard->filter.misses_only)
		return shard->first_shift == 6 ? filter_misses_64 : filter_misses;
	if (shard->filter.observes)
		return filter_in_order;
	if (shard->first_shift != 6)
		return filter_any;
	if (shard->call_paths.is_on)
		return shard->filter.few_pending ? filter_few_calls_64 : filter_many_calls_64;
	return shard->filter.few_pending ? filter_few_64 : filter_many_64;
}

size_t ms_filter_process_executions(struct ms_engine_shard *shard, const uint64_t *words, size_t n)
{
	struct ms_filter_pending_list *pending_list = &shard->filter.pending;
	size_t before = pending_list->n;
	struct l1_filter filter = { .shard = shard,
				    .exits = shard->filter.exits.at,
				    .exit_count = shard->filter.exits.n,
				    .recent = shard->filter.recent,
				    .mask = shard->caches.first.mask,
				    .threshold = shard->spatial.threshold,
				    .shift = shard->first_shift,
				    .calls = shard->call_paths.is_on,
				    .bytes_ahead =
					    shard->filter.loop_impl->words_ahead * sizeof(*words) };
	const uint64_t *at, *end = words + n;

	shard->filter.binding_epoch++;
	ms_filter_reserve_pending(pending_list, n * shard->filter.most_lines);
	ms_filter_begin_span(pending_list, shard->phase_references.now);
	if (shard->call_paths.is_on)
		ms_call_paths_begin_filter(shard, words, n);
	at = choose_filter(shard)(&filter, pending_list, words, end);
	ms_filter_bind_references(shard);
	if (!shard->filter.observes)
		measure_kept_share(shard, pending_list->n - before, (size_t)(at - words));
	shard->filter.steps += (size_t)(at - words);
	return (size_t)(at - words);
}
