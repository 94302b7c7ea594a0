/*
 * engine/coherence/processor_stride_run.c - stride runs of one of several processors.
 *
 * No other processor runs during a time slice, so stride_run.h holds for the first level of the
 * running one: iterations in which no reference moves to another line change nothing there. But
 * each store writes bytes that matter for the classification of misses on invalidated lines.
 * Therefore a kept store gets all bytes that the iterations up to the next change of line write
 * there. The time of these writes makes no difference: see processor_filter.c.
 */
#include <string.h>

#include "engine/coherence/processor_filter.h"
#include "engine/filter/stride_run.h"

/* --- loops --- */

static struct ms_filter_loop *make_loop(const struct ms_coherence_exit *exit,
					struct ms_coherence_processor *processor)
{
	struct ms_filter_loop *loop =
		ms_filter_make_loop(&processor->arena, exit->words - 1, exit->period);

	for (uint32_t i = 0; i < loop->period; i++)
		loop->writes |= (uint32_t)(exit->ref_states[i].kind != MS_WIRE_READ) << i;
	loop->binding_epoch = UINT64_MAX;
	return loop;
}

static struct ms_filter_loop *loop_of(const struct ms_coherence_exit *exit,
				      struct ms_coherence_processor *processor)
{
	size_t number = (size_t)(exit - processor->exits.at);

	if (processor->loops.n <= number) {
		ms_vec_reserve(&processor->loops, processor->exits.n - processor->loops.n);
		processor->loops.n = processor->exits.n;
	}
	if (processor->loops.at[number] == NULL)
		processor->loops.at[number] = make_loop(exit, processor);
	return processor->loops.at[number];
}

static bool is_like(const struct ms_coherence_ref_state *a, const struct ms_coherence_ref_state *b)
{
	return a->range == b->range && a->cell == b->cell && a->kind == b->kind &&
	       a->reach == b->reach;
}

/* The ranges of the reference states change when references are bound; the addresses of a range,
 * whenever the program reports a change. */
static void update_loop(struct ms_filter_loop *loop,
			const struct ms_coherence_ref_state *ref_states, uint64_t known)
{
	if (loop->binding_epoch != known) {
		loop->binding_epoch = known;
		loop->is_strided = loop->refs % loop->period == 0;
		for (uint32_t i = loop->period; i < loop->refs && loop->is_strided; i++)
			loop->is_strided = is_like(&ref_states[i], &ref_states[i % loop->period]);
	}
	for (uint32_t i = 0; i < loop->period && loop->is_strided; i++) {
		loop->start[i] = ref_states[i].range->start;
		loop->size[i] = ref_states[i].range->size;
		loop->room[i] = ref_states[i].room;
	}
}

/* --- lines --- */

/* Returns a mask of the bytes that the iterations write from this address on, all to one line; 0
 * for loads. */
static uint64_t bytes_of(const struct ms_coherence_filter *s,
			 const struct ms_coherence_ref_state *ref_state, uint64_t address,
			 uint64_t stride, uint64_t iterations)
{
	uint64_t bytes = ms_coherence_get_written_bytes(s, ref_state, address);

	for (; bytes != 0 && stride != 0 && iterations > 1; iterations--) {
		address += stride;
		bytes |= ms_coherence_get_byte_mask(s, ref_state, address);
	}
	return bytes;
}

/* Does what filter_reference() of processor_filter.c does. */
static struct ms_coherence_pending *filter_line(const struct ms_coherence_filter *s,
						const struct ms_coherence_ref_state *ref_state,
						uint64_t address, uint64_t bytes,
						struct ms_coherence_pending *out)
{
	uint64_t line = address >> MS_FILTER_LINE_SHIFT;
	struct ms_coherence_recent_lines *r = &s->recent[line & s->set_mask];
	uint32_t k = r->line[1] == line;

	if (r->line[k] != line)
		return ms_coherence_keep_access(s, ref_state, address, bytes, out);
	r->last = k;
	return bytes == 0 ? out
			  : ms_coherence_filter_store(s, ref_state, address, bytes, r, k, out);
}

/* Returns the iteration at which some reference moves to another line. */
static uint64_t unchanged_until(struct ms_filter_stride_ref *stride_refs, uint32_t n,
				uint64_t iteration, uint64_t iterations)
{
	for (uint32_t i = 0; i < n; i++) {
		struct ms_filter_stride_ref *stride_ref = &stride_refs[i];

		if (stride_ref->next == iteration)
			stride_ref->next += ms_filter_count_iterations_on_line(
				stride_ref, stride_ref->first + stride_ref->stride * iteration);
		iterations = stride_ref->next < iterations ? stride_ref->next : iterations;
	}
	return iterations;
}

/* Filters the references in the order of iterations. */
static struct ms_coherence_pending *
filter_interleaved(const struct ms_coherence_filter *s,
		   const struct ms_coherence_ref_state *ref_states,
		   struct ms_filter_stride_ref *stride_refs, uint32_t n, uint64_t iterations,
		   struct ms_coherence_pending *out)
{
	for (uint64_t iteration = 0, next; iteration < iterations; iteration = next) {
		next = unchanged_until(stride_refs, n, iteration, iterations);
		for (uint32_t i = 0; i < n; i++) {
			const struct ms_coherence_ref_state *ref_state =
				&ref_states[stride_refs[i].number];
			uint64_t address = stride_refs[i].first + stride_refs[i].stride * iteration;

			out = filter_line(s, ref_state, address,
					  bytes_of(s, ref_state, address, stride_refs[i].stride,
						   next - iteration),
					  out);
		}
	}
	return out;
}

/* Filters all lines of one reference. */
static struct ms_coherence_pending *
filter_single_ref(const struct ms_coherence_filter *s,
		  const struct ms_coherence_ref_state *ref_state,
		  const struct ms_filter_stride_ref *stride_ref, uint64_t iterations,
		  struct ms_coherence_pending *out)
{
	uint64_t address = stride_ref->first;

	while (iterations > 0) {
		uint64_t here = ms_filter_count_iterations_on_line(stride_ref, address);

		here = here < iterations ? here : iterations;
		out = filter_line(s, ref_state, address,
				  bytes_of(s, ref_state, address, stride_ref->stride, here), out);
		address += stride_ref->stride * here;
		iterations -= here;
	}
	return out;
}

/* Filters all references of one iteration. */
static struct ms_coherence_pending *
filter_iteration(const struct ms_coherence_filter *s,
		 const struct ms_coherence_ref_state *ref_states,
		 const struct ms_filter_stride_ref *stride_refs, uint32_t n, uint64_t iteration,
		 struct ms_coherence_pending *out)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct ms_coherence_ref_state *ref_state = &ref_states[stride_refs[i].number];
		uint64_t address = stride_refs[i].first + stride_refs[i].stride * iteration;

		out = filter_line(s, ref_state, address,
				  ms_coherence_get_written_bytes(s, ref_state, address), out);
	}
	return out;
}

static struct ms_coherence_pending *filter_run(const struct ms_coherence_filter *s,
					       const struct ms_coherence_ref_state *ref_states,
					       struct ms_filter_stride_ref *stride_refs, uint32_t n,
					       uint64_t iterations,
					       struct ms_coherence_pending *out)
{
	uint8_t order[MS_FILTER_MAX_PERIOD];
	uint64_t some;

	for (; iterations > 0; iterations -= some) {
		some = ms_filter_order_stride_refs(s->shard->engine, stride_refs, n, iterations,
						   order);
		if (some == 0)
			return filter_interleaved(s, ref_states, stride_refs, n, iterations, out);
		out = filter_iteration(s, ref_states, stride_refs, n, 0, out);
		for (uint32_t i = 0; i < n; i++) {
			const struct ms_filter_stride_ref *stride_ref = &stride_refs[order[i]];

			out = filter_single_ref(s, &ref_states[stride_ref->number], stride_ref,
						some, out);
		}
		out = filter_iteration(s, ref_states, stride_refs, n, some - 1, out);
		for (uint32_t i = 0; i < n; i++)
			stride_refs[i].first += stride_refs[i].stride * some;
	}
	return out;
}

/* --- executions --- */

/* A loop with fewer words is not worth the analysis; after such a loop, the next PAUSE executions
 * are not analysed. */
enum { MIN_WORDS = 32, PAUSE = 16 };

/* Returns whether the same execution repeats, checked at some positions only. */
static bool repeats(const struct ms_coherence_exit *exit, const uint64_t *at, const uint64_t *end)
{
	uint32_t far = exit->words;

	if (end - at <= 2 * MIN_WORDS + (ptrdiff_t)exit->words + MS_FILTER_LOOP_MARGIN)
		return false;
	while (far < MIN_WORDS && at[far] == *at)
		far *= 2;
	return far >= MIN_WORDS && at[far] == *at;
}

/*
 * Filters executions from `at` on in which lines may be observed: those up to the next one with
 * such a line as a whole, this one reference by reference, and so on.
 */
static struct ms_coherence_pending *
filter_observed_run(const struct ms_coherence_filter *s, const struct ms_coherence_exit *exit,
		    const struct ms_filter_loop *loop, struct ms_filter_stride_ref *stride_refs,
		    uint32_t count, uint64_t executions, const uint64_t *at,
		    struct ms_coherence_pending *out)
{
	const uint32_t by = loop->refs / loop->period; /* iterations of an execution */

	while (executions > 0) {
		uint64_t free =
			ms_filter_count_unobserved(s->shard, stride_refs, count, executions * by) /
			by;
		struct ms_filter_stride_ref some[MS_FILTER_MAX_PERIOD];

		memcpy(some, stride_refs, count * sizeof(*some));
		if (free > 0)
			out = filter_run(s, exit->ref_states, some, count, free * by, out);
		if (free == executions)
			break;
		at += free * exit->words;
		out = ms_coherence_filter_references(s, exit->ref_states, at + 1, exit->words - 1,
						     out);
		at += exit->words;
		executions -= free + 1;
		for (uint32_t i = 0; i < count; i++)
			stride_refs[i].first += stride_refs[i].stride * (free + 1) * by;
	}
	return out;
}

uint64_t ms_coherence_process_stride_run(const struct ms_coherence_filter *s,
					 struct ms_coherence_exit *exit, const uint64_t *at,
					 const uint64_t *end, struct ms_coherence_pending **out)
{
	struct ms_coherence_processor *running = s->shard->processors->running;
	struct ms_filter_stride_ref stride_refs[MS_FILTER_MAX_PERIOD];

	if (!repeats(exit, at, end)) {
		exit->pause = PAUSE;
		return 0;
	}
	struct ms_filter_loop *loop = loop_of(exit, running);
	update_loop(loop, exit->ref_states, running->binding_epoch);
	uint64_t n = ms_filter_find_stride_run(s->shard->filter.loop_impl, loop, at, end);
	uint64_t iterations = n * (loop->refs / loop->period);
	uint32_t count = n > 0 ? ms_filter_list_stride_refs(loop, at, iterations, stride_refs) : 0;
	if (count == 0)
		return 0;
	*out = filter_observed_run(s, exit, loop, stride_refs, count, n, at, *out);
	return n;
}
