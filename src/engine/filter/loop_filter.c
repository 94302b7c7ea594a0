/*
 * engine/filter/loop_filter.c - the part of the loop filter that is common to all processors: see
 * loop_filter.h.
 */
#include "engine/filter/loop_compare.h"
#include "engine/filter/stride_run.h"

/*
 * Comparing is not worthwhile where most iterations differ: then it is suspended for some
 * executions.
 */
enum { MAX_FAILURES = 4, PAUSE = 64 };

const struct ms_filter_loop_impl *ms_filter_choose_loop_impl(void)
{
	const struct ms_filter_loop_impl *impl = ms_filter_loop_impls;

	while (impl->is_supported != NULL && !impl->is_supported())
		impl++;
	return impl;
}

/* --- iterations of a block --- */

/* How many of the block's references, from the first, repeat with this period. */
static uint32_t count_repeated(const struct ms_engine_block *block, uint32_t period)
{
	uint32_t n = period;

	while (n < block->refs && block->ref[n].site == block->ref[n - period].site)
		n++;
	return n;
}

/* A whole execution is an iteration, too, because it can repeat. */
uint32_t ms_filter_find_loop_period(const struct ms_engine_block *block, uint32_t refs,
				    uint32_t most)
{
	most = most < MS_FILTER_MAX_PERIOD ? most : MS_FILTER_MAX_PERIOD;
	for (uint32_t period = 1;
	     period <= most && period <= refs && refs <= MS_FILTER_MAX_LOOP_REFS; period++)
		if (count_repeated(block, period) >= refs)
			return period;
	return 0;
}

/* Iterations are compared only where the data of each reference is known. */
void ms_filter_find_loop_periods(const struct ms_engine_shard *shard,
				 const struct ms_engine_block *block, struct ms_filter_exit *exits)
{
	if (shard->first_shift != MS_FILTER_LINE_SHIFT || shard->caches.first.mask == 0 ||
	    !shard->filter.compares_iterations || shard->filter.keeps_all ||
	    shard->filter.misses_only || shard->cells.parts > 0)
		return;
	for (uint32_t i = 0; i < block->exits; i++)
		if (exits[i].calls <= MS_ENGINE_EXIT_BALANCED)
			exits[i].period = (uint8_t)ms_filter_find_loop_period(
				block, exits[i].refs, shard->caches.first.ways);
}

/* --- loops --- */

static void number_references(struct ms_filter_loop *loop)
{
	for (uint32_t bit = 0; bit < MS_FILTER_MAX_LOOP_REFS; bit++) {
		uint32_t ref_state = bit % loop->refs;

		loop->ref_index[bit] = (uint8_t)ref_state;
		loop->word[bit] = (uint8_t)(bit + bit / loop->refs + 1);
		loop->starts |= (uint64_t)(ref_state % loop->period == 0) << bit;
	}
}

struct ms_filter_loop *ms_filter_make_loop(struct ms_arena *arena, uint32_t refs, uint32_t period)
{
	struct ms_filter_loop *loop = ms_arena_take(arena, sizeof(*loop));
	uint32_t room = (refs / MS_FILTER_LOOP_MARGIN + 2) * MS_FILTER_LOOP_MARGIN;
	uint32_t whole = refs / period * period;
	uint64_t *words = ms_arena_take(arena, 5 * room * sizeof(*words));

	*loop = (struct ms_filter_loop){
		.refs = refs,
		.period = period,
		.iterations = refs / period,
		.first = (UINT64_C(1) << period) - 1,
		.rest = whole < refs ? (UINT64_MAX >> (64 - refs)) & ~UINT64_C(0) << whole : 0,
		.start = words,
		.size = words + room,
		.room = words + 2 * (size_t)room,
		.iteration_strides = words + 3 * (size_t)room,
		.execution_strides = words + 4 * (size_t)room,
		.next_pause = 1,
	};
	number_references(loop);
	return loop;
}

/* The ranges of ref_states change when references are bound, and between calls of the filter. */
static struct ms_filter_loop *update_loop(struct ms_engine_shard *shard,
					  struct ms_filter_exit *exit)
{
	struct ms_filter_loop *loop =
		exit->loop != NULL
			? exit->loop
			: ms_filter_make_loop(&shard->filter.arena, exit->refs, exit->period);

	exit->loop = loop;
	loop->binding_epoch = shard->filter.binding_epoch;
	for (uint32_t i = 0; i < loop->refs; i++) {
		const struct ms_filter_ref_state *ref_state = &exit->ref_states[i];

		loop->start[i] = ref_state->range->start;
		loop->size[i] = ref_state->range->size;
		loop->room[i] = ref_state->room;
	}
	ms_filter_check_strided(loop, exit->ref_states);
	return loop;
}

/* --- executions --- */

/*
 * `changed` mostly predicts whether a line is kept. Using the prediction is faster than waiting for
 * the load of the set's most recent line.
 */
static struct ms_filter_pending *filter_changed(const struct ms_engine_shard *shard,
						const struct ms_filter_exit *exit,
						const uint64_t *at,
						const struct ms_filter_iterations *iterations,
						struct ms_filter_pending *out)
{
	const struct ms_filter_loop *loop = exit->loop;
	uint64_t *const recent = shard->filter.recent, mask = shard->caches.first.mask;

	for (uint64_t left = iterations->kept; left != 0; left &= left - 1) {
		unsigned bit = (unsigned)__builtin_ctzll(left);
		uint64_t line = at[loop->word[bit]] >> MS_FILTER_LINE_SHIFT;
		uint64_t *most_recent = &recent[line & mask],
			 guess = iterations->changed >> bit & 1;
		bool kept = *most_recent != line;

		*out = (struct ms_filter_pending){ line,
						   exit->ref_states[loop->ref_index[bit]].cell };
		*most_recent = line;
		out += guess;
		if (MS_UNLIKELY(kept != guess))
			out += kept ? 1 : -1;
	}
	return out;
}

/*
 * Whether one of the references that must be filtered is to a line that is observed. The others are
 * to lines of these.
 */
static bool has_observed_line(const struct ms_engine_shard *shard,
			      const struct ms_filter_loop *loop, const uint64_t *at,
			      const struct ms_filter_iterations *iterations)
{
	const uint64_t threshold = shard->spatial.threshold;

	for (uint64_t left = iterations->kept; left != 0; left &= left - 1) {
		uint64_t line = at[loop->word[__builtin_ctzll(left)]] >> MS_FILTER_LINE_SHIFT;

		if (MS_UNLIKELY(ms_spatial_is_selected(threshold, line)) &&
		    ms_spatial_is_observed(&shard->spatial, line))
			return true;
	}
	return false;
}

static void record_benefit(struct ms_filter_exit *exit, bool paid)
{
	struct ms_filter_loop *loop = exit->loop;

	loop->failures = paid ? 0 : loop->failures + 1;
	if (loop->failures < MAX_FAILURES)
		return;
	loop->failures = 0;
	exit->pause = PAUSE;
}

static const uint64_t *filter_executions(struct ms_engine_shard *shard, struct ms_filter_exit *exit,
					 const uint64_t *at, uint64_t n,
					 struct ms_filter_pending **out)
{
	for (; n > 0; n--, at += exit->refs + 1) {
		exit->count++;
		*out = ms_filter_process_references(shard, exit, at + 1, *out);
	}
	return at;
}

/*
 * Compares some iterations; false: their addresses did not fulfil the loop's conditions, or one of
 * their lines is observed.
 */
static bool filter_iterations(struct ms_engine_shard *shard, struct ms_filter_exit *exit,
			      struct ms_filter_loop_cursor *cursor, const uint64_t **at,
			      struct ms_filter_pending **out)
{
	const struct ms_filter_loop *loop = exit->loop;
	bool joined = cursor->ref_states == exit->ref_states && cursor->period == loop->period;
	struct ms_filter_iterations iterations =
		shard->filter.loop_impl->compare(loop, *at, cursor->end, joined);

	if (MS_UNLIKELY(iterations.mismatch != 0)) {
		*at = filter_executions(shard, exit, *at, iterations.n, out);
		ms_filter_bind_references(shard);
		record_benefit(exit, false);
		ms_filter_leave_loop(cursor);
		return false;
	}
	if (MS_UNLIKELY(has_observed_line(shard, loop, *at, &iterations))) {
		*at = filter_executions(shard, exit, *at, iterations.n, out);
		ms_filter_leave_loop(cursor);
		return false;
	}
	*out = filter_changed(shard, exit, *at, &iterations, *out);
	exit->count += iterations.n;
	*at += iterations.n * (loop->refs + 1);
	record_benefit(exit, 2 * (uint64_t)__builtin_popcountll(iterations.kept) <=
				     iterations.n * loop->refs);
	return true;
}

const uint64_t *ms_filter_process_loop(struct ms_engine_shard *shard, struct ms_filter_exit *exit,
				       struct ms_filter_loop_cursor *cursor, const uint64_t *at,
				       struct ms_filter_pending **out)
{
	struct ms_filter_loop *loop = exit->loop;
	const uint64_t head = *at;

	do {
		if (loop == NULL || loop->binding_epoch != shard->filter.binding_epoch)
			loop = update_loop(shard, exit);
		size_t stride_words =
			ms_filter_process_stride_run(shard, exit, at, cursor->end, out);

		if (stride_words > 0)
			at += stride_words;
		else if (!filter_iterations(shard, exit, cursor, &at, out))
			break;
		cursor->ref_states = exit->ref_states;
		cursor->period = loop->rest == 0 && (stride_words == 0 || !loop->ends_observed)
					 ? loop->period
					 : 0;
	} while (cursor->end - at > loop->refs + MS_FILTER_LOOP_MARGIN && *at == head &&
		 exit->pause == 0);
	return at;
}

/* --- for processors without vector instructions for this --- */

static struct ms_filter_comparison compare_one_by_one(const struct ms_filter_loop *loop,
						      const uint64_t *addresses,
						      const uint64_t *before)
{
	struct ms_filter_comparison c = { 0, 0, 0 };

	__builtin_prefetch(addresses + MS_FILTER_SCALAR_WORDS_AHEAD);
	for (uint32_t i = 0; i < loop->refs; i++) {
		uint64_t now = addresses[i];
		uint64_t was = i < loop->period ? before[i] : addresses[i - loop->period];

		c.changed |= (uint64_t)((now ^ was) >= MS_FILTER_LINE_BYTES) << i;
		c.again |= (uint64_t)(i > 0 && (now ^ addresses[i - 1]) < MS_FILTER_LINE_BYTES)
			   << i;
		c.mismatch |= now - loop->start[i] >= loop->size[i] ||
			      (now & (MS_FILTER_LINE_BYTES - 1)) >= loop->room[i];
	}
	return c;
}

struct ms_filter_iterations ms_filter_compare_loop_scalar(const struct ms_filter_loop *loop,
							  const uint64_t *at, const uint64_t *end,
							  bool joined)
{
	return ms_filter_compare_loop_by(loop, at, end, joined, compare_one_by_one);
}
