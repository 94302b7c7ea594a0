/*
 * counted.c - the counted start of a sampled program: between windows, translated code counts
 * references and how often each exit of a block is taken.
 *
 * A program of a few dozen million references has few windows, and their estimate depends on which
 * code they happen to contain. The counts give each site's exact share of all references
 * (src/estimate/site_factors.c), so that windows only have to determine hits and misses. After the
 * counted start, which may be the whole program (gap.c), it runs natively. Each thread has its own
 * counters, after its struct ms_thread, so that counters need no lock and share no cache line.
 * Counts of an ended thread stay there, whichever thread uses the memory next.
 */
#include "counted.h"

#include "runtime/clock.h"
#include "runtime/config.h"
#include "runtime/lanes.h"
#include "runtime/thread_state.h"
#include "runtime/threads.h"
#include "sys.h"
#include "tracer.h"
#include "tracer/block_descriptions.h"
#include "wire/wire.h"

/* Counters by exit; the last one is for all further exits. Only pages that are used take memory. */
enum { EXITS = 1 << 20 };

uint64_t ms_counted_bytes(void)
{
	return ms_config.counted != 0 ? EXITS * sizeof(uint64_t) : 0;
}

uint64_t ms_counted_at(uint32_t exit)
{
	uint32_t place = exit < EXITS - 1 ? exit : EXITS - 1;

	return sizeof(struct ms_thread) + place * sizeof(uint64_t);
}

void ms_counted_again(struct ms_thread *t)
{
	enum { DONT_NEED = 4 }; /* as in <sys/mman.h>: zeroes the memory */

	if (ms_counted_bytes() != 0)
		ms_sys(__NR_madvise, (long)t + (long)ms_counted_at(0), (long)ms_counted_bytes(),
		       DONT_NEED, 0, 0, 0);
}

/* C is called again when so many references are counted, or the scratch memory is full. */
void ms_counted_step(struct ms_thread *t)
{
	uint64_t counted = ms_lane_aside_words(t), until = t->sampled.until;
	uint64_t next = t->lane.cursor + (until > counted ? until - counted : 0) * 8;
	uint64_t limit = ms_lane_aside_limit(t);

	t->limit = next < limit ? next : limit;
}

void ms_counted_until(struct ms_thread *t, uint64_t references)
{
	t->sampled.until = t->sampled.taken + references;
	ms_counted_step(t);
}

bool ms_counted_begin(struct ms_thread *t, uint64_t references)
{
	if (!ms_lane_aside(t, true))
		return false;
	t->sampled.code = MS_CODE_TALLIES;
	t->sampled.taken = 0;
	ms_counted_until(t, references);
	return true;
}

uint64_t ms_counted_more(struct ms_thread *t)
{
	uint64_t counted = t->aside ? ms_lane_aside_words(t) : t->sampled.taken;
	uint64_t more = counted > t->sampled.taken ? counted - t->sampled.taken : 0;

	t->sampled.taken += more;
	return more;
}

void ms_counted_end(struct ms_thread *t)
{
	ms_lane_aside(t, false);
	t->sampled.code = MS_CODE_RECORDS;
	t->sampled.left = ms_timer_cpu();
	t->sampled.native = 0;
}

/* Sums and clears the counters of all threads: the program continues if an exec fails, and nothing
 * may be counted twice. */
static uint64_t take_left_by(uint32_t exit)
{
	uint64_t n = 0;

	for (struct ms_thread *t = ms_thread_next(NULL); t != NULL; t = ms_thread_next(t)) {
		uint64_t *counted = (uint64_t *)((uint8_t *)t + ms_counted_at(exit));

		n += *counted;
		if (*counted != 0)
			*counted = 0;
	}
	return n;
}

void ms_counted_tell(struct ms_thread *t)
{
	for (uint32_t i = 0; i < EXITS - 1 && i < ms_block_exits(); i++) {
		uint64_t n = take_left_by(i);

		if (n != 0)
			ms_lane_event(t, MS_WIRE_LEFT_OUT, i, &n, 1, NULL, 0);
	}
}
