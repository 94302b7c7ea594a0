/* engine/filter/stride_run.c - iterations of a loop with constant strides: see stride_run.h. */
#include "engine/filter/stride_run.h"

#include "engine/filter/loop_compare.h"

/* Where strides change all the time, attempts are suspended for longer and longer. */
enum { MAX_FAILURES = 4, PAUSE = 32, LONGEST_PAUSE = 4096 };

/*
 * Fewer executions are not worthwhile. Nor are fewer iterations, where an order of references is
 * computed.
 */
enum { MIN_EXECUTIONS = 2, MIN_ORDERED_ITERATIONS = 16 };

/* Runs do not exceed a chunk, so that no sum of such strides overflows 64 bits. */
#define MOST_STRIDE (INT64_C(1) << 32)

/* --- strides --- */

void ms_filter_check_strided(struct ms_filter_loop *loop,
			     const struct ms_filter_ref_state *ref_states)
{
	uint32_t whole = loop->refs / loop->period * loop->period;

	loop->is_strided = whole == loop->refs;
	for (uint32_t i = loop->period; i < loop->refs; i++) {
		const struct ms_filter_ref_state *first = &ref_states[i % loop->period];

		if (ref_states[i].range != first->range || ref_states[i].cell != first->cell)
			loop->is_strided = false;
	}
}

/* See struct ms_filter_stride_ref. */
static uint32_t invert_stride(uint64_t stride)
{
	uint64_t bytes = (int64_t)stride < 0 ? -stride : stride;

	return bytes == 0 || bytes >= MS_FILTER_LINE_BYTES ? 0 : 65536 / (uint32_t)bytes + 1;
}

static void set_strides(struct ms_filter_loop *loop, const uint64_t *before, const uint64_t *now)
{
	for (uint32_t i = 0; i < loop->refs; i++) {
		uint64_t stride = now[i % loop->period] - before[i % loop->period];

		if (i < loop->period)
			loop->inverse_stride[i] = invert_stride(stride);
		loop->iteration_strides[i] = stride;
		loop->execution_strides[1 + i] = stride * loop->iterations;
	}
}

/* Takes the strides from the first two iterations, which are in one execution or in two. */
static bool guess_strides(struct ms_filter_loop *loop, const uint64_t *at, const uint64_t *end)
{
	const uint32_t words = loop->refs + 1;

	if (loop->refs > loop->period) {
		set_strides(loop, at + 1, at + 1 + loop->period);
		return true;
	}
	if (end - at <= 2 * words || at[words] != *at)
		return false;
	set_strides(loop, at + 1, at + 1 + words);
	return true;
}

/* --- references --- */

/*
 * Whether the reference stays in the range of its ref_state in all iterations, and touches one line
 * in each: a common divisor of address and stride divides all offsets in lines.
 */
static bool stays_in_range(const struct ms_filter_loop *loop, uint32_t i, uint64_t first,
			   uint64_t stride, uint64_t iterations)
{
	uint64_t last = first + stride * (iterations - 1),
		 divided = first | stride | MS_FILTER_LINE_BYTES;

	return stride + MOST_STRIDE <= 2 * MOST_STRIDE && first - loop->start[i] < loop->size[i] &&
	       last - loop->start[i] < loop->size[i] &&
	       MS_FILTER_LINE_BYTES - (divided & -divided) < loop->room[i];
}

/*
 * Returns how many references are listed; 0: a condition does not hold. A reference that always has
 * the address of the one before it changes no state, unless it writes.
 */
static uint32_t list_stride_refs(const struct ms_filter_loop *loop, const uint64_t *at,
				 uint64_t iterations, struct ms_filter_stride_ref *stride_refs)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < loop->period; i++) {
		uint64_t first = at[1 + i], stride = loop->iteration_strides[i];

		if (!stays_in_range(loop, i, first, stride, iterations))
			return 0;
		if (n > 0 && stride_refs[n - 1].first == first &&
		    stride_refs[n - 1].stride == stride && (loop->writes >> i & 1) == 0)
			continue;
		stride_refs[n++] =
			(struct ms_filter_stride_ref){ .first = first,
						       .stride = stride,
						       .inverse_stride = loop->inverse_stride[i],
						       .number = i,
						       .is_constant = stride == 0 };
	}
	return n;
}

/* --- lines --- */

/* The most recent line of each set of the first level. */
struct recent_lines {
	uint64_t *at;
	uint64_t mask;
};

MS_INLINE struct ms_filter_pending *filter_line(const struct recent_lines recent_lines,
						uint64_t line, struct ms_count_cell *cell,
						struct ms_filter_pending *out)
{
	uint64_t *recent = &recent_lines.at[line & recent_lines.mask];

	*out = (struct ms_filter_pending){ line, cell };
	out += *recent != line;
	*recent = line;
	return out;
}

static uint64_t find_next_change(const struct ms_filter_stride_ref *stride_refs, uint32_t n)
{
	uint64_t iteration = stride_refs[0].next;

	for (uint32_t i = 1; i < n; i++)
		iteration = stride_refs[i].next < iteration ? stride_refs[i].next : iteration;
	return iteration;
}

/* Filters in the order of iterations. */
static struct ms_filter_pending *filter_interleaved(const struct recent_lines recent_lines,
						    struct ms_filter_stride_ref *stride_refs,
						    uint32_t n, uint64_t iterations,
						    struct ms_filter_pending *out)
{
	for (uint64_t iteration = 0; iteration < iterations;
	     iteration = find_next_change(stride_refs, n))
		for (uint32_t i = 0; i < n; i++) {
			struct ms_filter_stride_ref *stride_ref = &stride_refs[i];
			uint64_t address = stride_ref->first + stride_ref->stride * iteration;
			uint64_t next =
				iteration + ms_filter_count_iterations_on_line(stride_ref, address);

			out = filter_line(recent_lines, address >> MS_FILTER_LINE_SHIFT,
					  stride_ref->cell, out);
			stride_ref->next = stride_ref->next == iteration ? next : stride_ref->next;
		}
	return out;
}

/* Filters all lines of one reference. */
static struct ms_filter_pending *filter_single_ref(const struct recent_lines recent_lines,
						   const struct ms_filter_stride_ref *stride_ref,
						   uint64_t iterations,
						   struct ms_filter_pending *out)
{
	uint64_t address = stride_ref->first,
		 last = stride_ref->first + stride_ref->stride * (iterations - 1);
	uint64_t line = address >> MS_FILTER_LINE_SHIFT, end = last >> MS_FILTER_LINE_SHIFT;
	int64_t step = (int64_t)stride_ref->stride < 0 ? -1 : 1;

	if (stride_ref->inverse_stride == 0 && !stride_ref->is_constant) {
		for (; iterations > 0; iterations--, address += stride_ref->stride)
			out = filter_line(recent_lines, address >> MS_FILTER_LINE_SHIFT,
					  stride_ref->cell, out);
		return out;
	}
	for (;; line += (uint64_t)step) {
		out = filter_line(recent_lines, line, stride_ref->cell, out);
		if (line == end)
			return out;
	}
}

/* The groups of sets (batch_distribution.c) that a reference touches. */
struct group_range {
	uint64_t from;
	uint64_t n;
};

static struct group_range groups_of(const struct ms_engine *engine,
				    const struct ms_filter_stride_ref *stride_ref,
				    uint64_t iterations)
{
	uint64_t first = stride_ref->first, last = first + stride_ref->stride * (iterations - 1);
	uint64_t low = (int64_t)stride_ref->stride < 0 ? last : first, high = low ^ first ^ last;

	low >>= engine->group_shift;
	return (struct group_range){ low, (high >> engine->group_shift) - low + 1 };
}

/*
 * Relation of two references: which of them is the first to reach the sets, of any level, that both
 * touch.
 */
enum relation { APART, LEADS, FOLLOWS, MIXED };

static bool is_apart(const struct ms_engine *engine, const struct ms_filter_stride_ref *a,
		     const struct ms_filter_stride_ref *b, uint64_t iterations)
{
	struct group_range ours = groups_of(engine, a, iterations),
			   theirs = groups_of(engine, b, iterations);

	return ((ours.from - theirs.from) & engine->group_mask) >= theirs.n &&
	       ((theirs.from - ours.from) & engine->group_mask) >= ours.n;
}

/*
 * For two references that are in a group at the same time. The leading one is the first to reach
 * each line, and the first to leave it, unless both do so in the same iteration and the other one
 * precedes it there. Accesses in between change no state, because all their lines fit into a set.
 */
static enum relation relation_nearby(const struct ms_filter_stride_ref *a,
				     const struct ms_filter_stride_ref *b, uint64_t lead,
				     uint64_t lag)
{
	uint64_t stride = (int64_t)a->stride < 0 ? -a->stride : a->stride;

	if (stride == 0 || lead == 0)
		return a->number < b->number ? LEADS : FOLLOWS;
	if (lead < lag)
		return lead >= stride || a->number < b->number ? LEADS : MIXED;
	return lag >= stride || b->number < a->number ? FOLLOWS : MIXED;
}

/*
 * With the same stride, a reference that leads by more than the size of a group has left a group of
 * sets before the other one reaches it, unless the other one leads as well, modulo the number of
 * groups.
 */
static enum relation relation_of(const struct ms_engine *engine,
				 const struct ms_filter_stride_ref *a,
				 const struct ms_filter_stride_ref *b, uint64_t iterations)
{
	const uint64_t group = UINT64_C(1) << engine->group_shift;
	const uint64_t round = (engine->group_mask + 1) << engine->group_shift;
	bool falls = (int64_t)a->stride < 0;
	uint64_t lead = (falls ? b->first - a->first : a->first - b->first) & (round - 1);
	uint64_t reach = (falls ? -a->stride : a->stride) * (iterations - 1) + group;
	bool can_lead = round - lead >= reach, can_follow = lead >= reach;

	if (is_apart(engine, a, b, iterations))
		return APART;
	if (a->stride != b->stride)
		return MIXED;
	if (lead >= group && round - lead >= group)
		return can_lead ? LEADS : can_follow ? FOLLOWS : MIXED;
	if (group != MS_FILTER_LINE_BYTES || (lead < group ? !can_lead : !can_follow))
		return MIXED;
	return relation_nearby(a, b, lead, round - lead);
}

/*
 * Finds an order in which each reference can be filtered completely before the next one; false:
 * there is none.
 */
static bool find_order(const struct ms_engine *engine,
		       const struct ms_filter_stride_ref *stride_refs, uint32_t n,
		       uint64_t iterations, uint8_t *order)
{
	uint32_t ahead_of[MS_FILTER_MAX_PERIOD] = { 0 }, left = (1u << n) - 1, placed = 0;

	for (uint32_t i = 1; i < n; i++)
		for (uint32_t k = 0; k < i; k++) {
			enum relation r =
				relation_of(engine, &stride_refs[i], &stride_refs[k], iterations);

			if (r == MIXED)
				return false;
			ahead_of[k] |= (uint32_t)(r == LEADS) << i;
			ahead_of[i] |= (uint32_t)(r == FOLLOWS) << k;
		}
	for (uint32_t before = UINT32_MAX; left != before;) {
		before = left;
		for (uint32_t i = 0; i < n; i++)
			if ((left >> i & 1) != 0 && (ahead_of[i] & left) == 0) {
				order[placed++] = (uint8_t)i;
				left &= ~(1u << i);
			}
	}
	return left == 0;
}

/* The number of iterations in which no reference touches more than half of all groups. */
static uint64_t iterations_in_half(const struct ms_engine *engine,
				   const struct ms_filter_stride_ref *stride_refs, uint32_t n)
{
	const uint64_t half = (engine->group_mask + 1) << engine->group_shift >> 1;
	uint64_t iterations = half;

	for (uint32_t i = 0; i < n; i++) {
		uint64_t stride = (int64_t)stride_refs[i].stride < 0 ? -stride_refs[i].stride
								     : stride_refs[i].stride;

		if (stride * iterations > half)
			iterations = half / stride;
	}
	return iterations;
}

uint64_t ms_filter_order_stride_refs(const struct ms_engine *engine,
				     const struct ms_filter_stride_ref *stride_refs, uint32_t n,
				     uint64_t iterations, uint8_t *order)
{
	if (find_order(engine, stride_refs, n, iterations, order))
		return iterations;
	uint64_t some = iterations_in_half(engine, stride_refs, n);
	return some >= MIN_ORDERED_ITERATIONS && some < iterations &&
			       find_order(engine, stride_refs, n, some, order)
		       ? some
		       : 0;
}

/*
 * For two references that are never in one group at the same time: the index of the one that can be
 * filtered completely before the other one; 2: neither, or the condition does not hold. If neither
 * touches groups of the other one, any index is valid.
 */
MS_INLINE uint32_t leader_of(const struct ms_engine *engine, const struct ms_filter_stride_ref *two,
			     uint64_t iterations)
{
	const uint64_t group = UINT64_C(1) << engine->group_shift;
	const uint64_t round = (engine->group_mask + 1) << engine->group_shift;
	bool falls = (int64_t)two[0].stride < 0;
	uint64_t by = two[0].first - two[1].first, ahead = (falls ? -by : by) & (round - 1);
	uint64_t reach = (falls ? -two[0].stride : two[0].stride) * (iterations - 1) + group;

	if (two[0].stride != two[1].stride)
		return is_apart(engine, &two[0], &two[1], iterations) ? 0 : 2;
	if (ahead < group || round - ahead < group)
		return 2;
	return round - ahead >= reach ? 0 : ahead >= reach ? 1 : 2;
}

/* Filters one iteration. */
static struct ms_filter_pending *filter_iteration(const struct recent_lines recent_lines,
						  const struct ms_filter_stride_ref *stride_refs,
						  uint32_t n, uint64_t iteration,
						  struct ms_filter_pending *out)
{
	for (uint32_t i = 0; i < n; i++)
		out = filter_line(recent_lines,
				  (stride_refs[i].first + stride_refs[i].stride * iteration) >>
					  MS_FILTER_LINE_SHIFT,
				  stride_refs[i].cell, out);
	return out;
}

static struct ms_filter_pending *filter_run(const struct ms_engine_shard *shard,
					    struct ms_filter_stride_ref *stride_refs, uint32_t n,
					    uint64_t iterations, struct ms_filter_pending *out)
{
	const struct recent_lines recent_lines = { shard->filter.recent, shard->caches.first.mask };
	uint8_t order[MS_FILTER_MAX_PERIOD];
	uint64_t some;
	uint32_t leader = n == 2 ? leader_of(shard->engine, stride_refs, iterations) : 2;

	if (n == 1)
		return filter_single_ref(recent_lines, &stride_refs[0], iterations, out);
	if (leader < 2) {
		out = filter_single_ref(recent_lines, &stride_refs[leader], iterations, out);
		return filter_single_ref(recent_lines, &stride_refs[1 - leader], iterations, out);
	}
	for (; iterations > 0; iterations -= some) {
		some = ms_filter_order_stride_refs(shard->engine, stride_refs, n, iterations,
						   order);
		if (some == 0)
			return filter_interleaved(recent_lines, stride_refs, n, iterations, out);
		out = filter_iteration(recent_lines, stride_refs, n, 0, out);
		for (uint32_t i = 0; i < n; i++)
			out = filter_single_ref(recent_lines, &stride_refs[order[i]], some, out);
		out = filter_iteration(recent_lines, stride_refs, n, some - 1, out);
		for (uint32_t i = 0; i < n; i++)
			stride_refs[i].first += stride_refs[i].stride * some;
	}
	return out;
}

/* --- observed lines --- */

MS_INLINE bool is_observed(const struct ms_engine_shard *shard, uint64_t line)
{
	return MS_UNLIKELY(ms_spatial_is_selected(shard->spatial.threshold, line)) &&
	       ms_spatial_is_observed(&shard->spatial, line);
}

/*
 * The first of n adjacent lines of a block, upwards or downwards, that is observed; else n. The
 * hash of another line is a sum, and a table has the distance to the next selected one.
 */
static uint64_t find_observed_in_block(const struct ms_engine_shard *shard, uint64_t line,
				       bool falls, uint64_t n)
{
	const struct ms_spatial_filter *filter = &shard->spatial;
	const uint32_t by = falls ? -MS_SPATIAL_HASH_FACTOR : MS_SPATIAL_HASH_FACTOR;
	uint32_t hash = ms_spatial_hash_line(line);

	for (uint64_t i = 0;; i++, hash += by) {
		uint32_t skipped = ms_spatial_count_unselected(filter, hash, falls);

		i += skipped;
		hash += skipped * by;
		if (i >= n)
			return n;
		if (hash < filter->threshold &&
		    ms_spatial_is_observed(filter, falls ? line - i : line + i))
			return i;
	}
}

/* The same for lines of several blocks. */
static uint64_t find_observed_line(const struct ms_engine_shard *shard, uint64_t line, bool falls,
				   uint64_t n)
{
	const uint64_t mask = (UINT64_C(1) << MS_SPATIAL_BLOCK_SHIFT) - 1;
	uint64_t end;

	for (uint64_t i = 0; i < n; i += end) {
		uint64_t first = falls ? line - i : line + i;

		end = falls ? (first & mask) + 1 : mask + 1 - (first & mask);
		end = end < n - i ? end : n - i;
		uint64_t found = find_observed_in_block(shard, first, falls, end);
		if (found < end)
			return i + found;
	}
	return n;
}

/* The same for a reference whose iterations are all on other lines, at any distance. */
static uint64_t find_observed_far(const struct ms_engine_shard *shard,
				  const struct ms_filter_stride_ref *stride_ref, uint64_t end)
{
	uint64_t address = stride_ref->first;

	for (uint64_t i = 0; i < end; i++, address += stride_ref->stride)
		if (is_observed(shard, address >> MS_FILTER_LINE_SHIFT))
			return i;
	return end;
}

/* The first iteration in which the reference reaches its line number `lines` from the first. */
static uint64_t find_iteration(const struct ms_filter_stride_ref *stride_ref, uint64_t lines)
{
	bool falls = (int64_t)stride_ref->stride < 0;
	uint64_t stride = falls ? -stride_ref->stride : stride_ref->stride;
	uint64_t offset = stride_ref->first & (MS_FILTER_LINE_BYTES - 1);
	uint64_t start = falls ? MS_FILTER_LINE_BYTES - 1 - offset : offset;

	return lines == 0 ? 0 : (lines * MS_FILTER_LINE_BYTES - start + stride - 1) / stride;
}

/* The first iteration, below `end`, in which the reference is to an observed line; else `end`. */
static uint64_t find_observed_iteration(const struct ms_engine_shard *shard,
					const struct ms_filter_stride_ref *stride_ref, uint64_t end)
{
	const bool falls = (int64_t)stride_ref->stride < 0;
	uint64_t line = stride_ref->first >> MS_FILTER_LINE_SHIFT, last, n;

	if (end == 0)
		return 0;
	if (stride_ref->is_constant)
		return is_observed(shard, line) ? 0 : end;
	if (stride_ref->inverse_stride == 0)
		return find_observed_far(shard, stride_ref, end);
	last = (stride_ref->first + stride_ref->stride * (end - 1)) >> MS_FILTER_LINE_SHIFT;
	n = (falls ? line - last : last - line) + 1;
	uint64_t found = find_observed_line(shard, line, falls, n);
	return found < n ? find_iteration(stride_ref, found) : end;
}

uint64_t ms_filter_count_unobserved(const struct ms_engine_shard *shard,
				    const struct ms_filter_stride_ref *stride_refs, uint32_t n,
				    uint64_t iterations)
{
	for (uint32_t i = 0; i < n && shard->spatial.threshold != 0; i++)
		iterations = find_observed_iteration(shard, &stride_refs[i], iterations);
	return iterations;
}

/* --- executions --- */

static uint64_t find_run(const struct ms_filter_loop_impl *impl, struct ms_filter_loop *loop,
			 const uint64_t *at, const uint64_t *end)
{
	uint64_t n = impl->find_run(loop, at, end);

	if (n >= MIN_EXECUTIONS || !guess_strides(loop, at, end))
		return n;
	return impl->find_run(loop, at, end);
}

static void pause_attempts(struct ms_filter_loop *loop)
{
	if (++loop->stride_failures < MAX_FAILURES)
		return;
	loop->stride_failures = 0;
	loop->stride_pause = loop->next_pause;
	if (loop->next_pause < LONGEST_PAUSE)
		loop->next_pause *= 2;
}

uint64_t ms_filter_find_stride_run(const struct ms_filter_loop_impl *impl,
				   struct ms_filter_loop *loop, const uint64_t *at,
				   const uint64_t *end)
{
	if (!loop->is_strided)
		return 0;
	if (loop->stride_pause > 0) {
		loop->stride_pause--;
		return 0;
	}
	uint64_t n = find_run(impl, loop, at, end);

	if (n >= MIN_EXECUTIONS)
		return n;
	pause_attempts(loop);
	return 0;
}

uint32_t ms_filter_list_stride_refs(struct ms_filter_loop *loop, const uint64_t *at,
				    uint64_t iterations, struct ms_filter_stride_ref *stride_refs)
{
	uint32_t count = list_stride_refs(loop, at, iterations, stride_refs);

	if (count == 0) {
		pause_attempts(loop);
		return 0;
	}
	loop->stride_failures = 0;
	loop->next_pause = PAUSE;
	return count;
}

/*
 * A loop is often left by another exit of its block, after some iterations or all of them, which
 * continue with the same strides. `at`: the last execution of the run. NULL: this is not the case.
 */
static struct ms_filter_exit *find_last_execution(const struct ms_engine_shard *shard,
						  const struct ms_filter_exit *exit,
						  const uint64_t *at, const uint64_t *end)
{
	const struct ms_filter_loop *loop = exit->loop;
	const uint64_t *next = at + loop->refs + 1;

	if (next >= end || ms_wire_kind_of(*next) != MS_WIRE_EXEC ||
	    ms_wire_arg_of(*next) >= shard->filter.exits.n)
		return NULL;
	struct ms_filter_exit *last = &shard->filter.exits.at[ms_wire_arg_of(*next)];
	if (last->ref_states != exit->ref_states || last->refs == 0 || last->refs > loop->refs ||
	    (last->refs != loop->refs && last->refs % loop->period != 0) ||
	    last->refs != ms_wire_words_of(*next) - 1 ||
	    end - next <= last->refs + MS_FILTER_LOOP_MARGIN ||
	    shard->filter.loop_impl->differ(next + 1, at + 1, loop->execution_strides + 1,
					    last->refs))
		return NULL;
	return last;
}

/* A run of executions, and the last one, which leaves the loop; NULL: it is not included. */
struct run {
	struct ms_filter_exit *exit;
	struct ms_filter_exit *last;
	struct ms_filter_stride_ref stride_refs[MS_FILTER_MAX_PERIOD];
	uint32_t count;      /* of stride_refs */
	uint64_t executions; /* without the last one */
	uint64_t iterations; /* of all */
};

static void skip_iterations(struct run *run, uint64_t iterations)
{
	for (uint32_t i = 0; i < run->count; i++)
		run->stride_refs[i].first += run->stride_refs[i].stride * iterations;
	run->iterations -= iterations;
}

static struct ms_filter_pending *filter_part(const struct ms_engine_shard *shard, struct run *run,
					     uint64_t executions, struct ms_filter_pending *out)
{
	struct run part = *run;
	uint64_t iterations = executions * run->exit->loop->iterations;

	if (executions == 0)
		return out;
	out = filter_run(shard, part.stride_refs, part.count, iterations, out);
	run->exit->count += executions;
	run->executions -= executions;
	skip_iterations(run, iterations);
	return out;
}

/*
 * Filters a run in which lines are observed: the executions up to the next one with such a line as
 * a whole, this one reference by reference, and so on. `at`: the first execution.
 */
static struct ms_filter_pending *filter_observed_run(struct ms_engine_shard *shard, struct run *run,
						     const uint64_t *at,
						     struct ms_filter_pending *out)
{
	struct ms_filter_loop *loop = run->exit->loop;

	for (;;) {
		uint64_t free = ms_filter_count_unobserved(shard, run->stride_refs, run->count,
							   run->iterations);
		if (free == run->iterations) {
			loop->ends_observed = false;
			return filter_run(shard, run->stride_refs, run->count, run->iterations,
					  out);
		}
		uint64_t executions = free / loop->iterations;
		if (executions > run->executions)
			executions = run->executions;
		out = filter_part(shard, run, executions, out);
		at += executions * (loop->refs + 1);
		loop->ends_observed = true;
		if (run->executions == 0) /* the last one is left, and counted by the caller */
			return ms_filter_process_references(shard, run->last, at + 1, out);
		run->exit->count++;
		out = ms_filter_process_references(shard, run->exit, at + 1, out);
		at += loop->refs + 1;
		run->executions--;
		skip_iterations(run, loop->iterations);
		if (run->iterations == 0)
			return out;
	}
}

size_t ms_filter_process_stride_run(struct ms_engine_shard *shard, struct ms_filter_exit *exit,
				    const uint64_t *at, const uint64_t *end,
				    struct ms_filter_pending **out)
{
	const struct ms_filter_loop *loop = exit->loop;
	uint64_t n = ms_filter_find_stride_run(shard->filter.loop_impl, exit->loop, at, end);

	if (n == 0)
		return 0;
	size_t words = n * (loop->refs + 1);
	struct run run = { .exit = exit,
			   .last = find_last_execution(shard, exit, at + words - loop->refs - 1,
						       end),
			   .executions = n,
			   .iterations = n * loop->iterations };
	struct ms_filter_exit *last = run.last;
	if (last != NULL)
		run.iterations +=
			last->refs == loop->refs ? loop->iterations : last->refs / loop->period;
	run.count = ms_filter_list_stride_refs(exit->loop, at, run.iterations, run.stride_refs);
	if (run.count == 0)
		return 0;
	for (uint32_t i = 0; i < run.count; i++)
		run.stride_refs[i].cell = exit->ref_states[run.stride_refs[i].number].cell;
	*out = filter_observed_run(shard, &run, at, *out);
	exit->count += run.executions; /* those that were not counted yet */
	if (last == NULL)
		return words;
	last->count++;
	return words + last->refs + 1;
}

/* --- for processors without vector instructions for this --- */

MS_INLINE bool differ_one_by_one(const uint64_t *now, const uint64_t *before, const uint64_t *by,
				 uint32_t n)
{
	uint64_t differ = 0;

	for (uint32_t i = 0; i < n; i++)
		differ |= (now[i] - before[i]) ^ by[i];
	return differ != 0;
}

uint64_t ms_filter_find_stride_run_scalar(const struct ms_filter_loop *loop, const uint64_t *at,
					  const uint64_t *end)
{
	return ms_filter_find_stride_run_by(loop, at, end, differ_one_by_one,
					    MS_FILTER_SCALAR_WORDS_AHEAD);
}

bool ms_filter_differ_scalar(const uint64_t *now, const uint64_t *before, const uint64_t *by,
			     uint32_t n)
{
	return differ_one_by_one(now, before, by, n);
}
