/*
 * counted_start.c - the counted start of a sampled program: between windows, translated code counts
 * references and how often each exit of a block is taken.
 *
 * A program of a few dozen million references has few windows, and their estimate depends on which
 * code they happen to contain. The counts give each site's exact share of all references
 * (src/estimate/site_factors.c), so that windows only have to determine hits and misses. After the
 * counted start, which may be the whole program (between_windows.c), it runs natively. Each thread
 * has its own counters (tracer/exit_counters.h). Counts of an ended thread stay there, whichever
 * thread uses the memory next.
 */
#include "sampling/counted_start.h"

#include "raw_syscall.h"
#include "runtime/clock.h"
#include "runtime/config.h"
#include "runtime/lanes.h"
#include "runtime/thread_state.h"
#include "runtime/threads.h"
#include "sampling/sampling.h"
#include "tracer/block_descriptions.h"
#include "tracer/exit_counters.h"
#include "tracer/tracer.h"
#include "wire/wire.h"

void ms_sampling_clear_exit_counters(struct ms_runtime_thread *t)
{
	enum { DONT_NEED = 4 }; /* as in <sys/mman.h>: zeroes the memory */

	if (ms_tracer_get_exit_counter_bytes() != 0)
		ms_runtime_syscall(__NR_madvise,
				   (long)t + (long)ms_tracer_get_exit_counter_offset(0),
				   (long)ms_tracer_get_exit_counter_bytes(), DONT_NEED, 0, 0, 0);
}

/* C is called again when so many references are counted, or the scratch memory is full. */
void ms_sampling_set_count_limit(struct ms_runtime_thread *t)
{
	uint64_t counted = ms_runtime_count_scratch_words(t),
		 until = ms_sampling_get_state(t)->count_target;
	uint64_t next = t->lane.cursor + (until > counted ? until - counted : 0) * 8;
	uint64_t limit = ms_runtime_get_scratch_limit(t);

	t->limit = next < limit ? next : limit;
}

void ms_sampling_count_until(struct ms_runtime_thread *t, uint64_t references)
{
	struct ms_sampling_thread *s = ms_sampling_get_state(t);

	s->count_target = s->taken + references;
	ms_sampling_set_count_limit(t);
}

bool ms_sampling_begin_counting(struct ms_runtime_thread *t, uint64_t references)
{
	if (!ms_runtime_use_scratch_lane(t, true))
		return false;
	t->sampled.code = MS_TRACER_CODE_COUNTS_EXITS;
	ms_sampling_get_state(t)->taken = 0;
	ms_sampling_count_until(t, references);
	return true;
}

uint64_t ms_sampling_read_new_count(const struct ms_runtime_thread *t)
{
	const struct ms_sampling_thread *s = ms_sampling_get_state(t);
	uint64_t counted = t->uses_scratch ? ms_runtime_count_scratch_words(t) : s->taken;

	return counted > s->taken ? counted - s->taken : 0;
}

uint64_t ms_sampling_take_new_count(struct ms_runtime_thread *t)
{
	uint64_t more = ms_sampling_read_new_count(t);

	ms_sampling_get_state(t)->taken += more;
	return more;
}

void ms_sampling_end_counting(struct ms_runtime_thread *t)
{
	struct ms_sampling_thread *s = ms_sampling_get_state(t);

	ms_runtime_use_scratch_lane(t, false);
	t->sampled.code = MS_TRACER_CODE_RECORDS;
	s->native_since = ms_runtime_read_cpu_clock();
	s->native_time = 0;
}

/* Sums and clears the counters of all threads: the program continues if an exec fails, and nothing
 * may be counted twice. */
static uint64_t take_exit_count(uint32_t exit)
{
	uint64_t n = 0;

	for (struct ms_runtime_thread *t = ms_runtime_get_next_thread(NULL); t != NULL;
	     t = ms_runtime_get_next_thread(t)) {
		uint64_t *counted =
			(uint64_t *)((uint8_t *)t + ms_tracer_get_exit_counter_offset(exit));

		n += *counted;
		if (*counted != 0)
			*counted = 0;
	}
	return n;
}

void ms_sampling_report_exit_counters(struct ms_runtime_thread *t)
{
	for (uint32_t i = 0; i < MS_TRACER_EXIT_COUNTERS - 1 && i < ms_tracer_count_exits(); i++) {
		uint64_t n = take_exit_count(i);

		if (n != 0)
			ms_runtime_write_event(t, MS_WIRE_LEFT_OUT, i, &n, 1, NULL, 0);
	}
}
