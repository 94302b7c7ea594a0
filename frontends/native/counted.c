/*
 * counted.c - the head of a sampled program: between windows it runs in translated code that counts
 * references, and how often each exit of a block was taken.
 *
 * A program of a few dozen million references has few windows, which differ by the code that they
 * meet. With these counts each site's part of all references is known (collect/counted.c), and
 * windows tell only what came of them. Longer programs have windows enough: behind the head they
 * run natively. Only one thread is counted, so that counts need no lock and share no line.
 */
#include "counted.h"

#include "runtime.h"
#include "sys.h"

static uint64_t *left_out; /* by exit; the last one: of all that have no place */

bool ms_counted_start(void)
{
	enum { DONT_NEED = 4 }; /* as in <sys/mman.h>: zeroes, again */

	if (left_out != NULL) /* of a forked child's parent */
		ms_sys(__NR_madvise, (long)left_out, MS_WIRE_EXITS * sizeof(*left_out), DONT_NEED,
		       0, 0, 0);
	else
		left_out = ms_tracer_near(MS_WIRE_EXITS * sizeof(*left_out));
	return left_out != NULL;
}

uint64_t *ms_counted_exit(uint32_t exit)
{
	return &left_out[exit < MS_WIRE_EXITS - 1 ? exit : MS_WIRE_EXITS - 1];
}

/* C comes back when so many references are counted, or there is no room for more. */
void ms_counted_step(struct ms_thread *t)
{
	uint64_t counted = ms_lane_aside_words(t), until = t->sampled.until;
	uint64_t next = t->lane.cursor + (until > counted ? until - counted : 0) * 8;
	uint64_t limit = ms_lane_aside_limit(t);

	t->limit = next < limit ? next : limit;
}

bool ms_counted_begin(struct ms_thread *t, uint64_t references)
{
	if (!ms_lane_aside(t, true))
		return false;
	t->sampled.code = MS_CODE_TALLIES;
	t->sampled.taken = 0;
	t->sampled.until = references;
	ms_counted_step(t);
	return true;
}

uint64_t ms_counted_more(struct ms_thread *t)
{
	uint64_t counted = t->aside ? ms_lane_aside_words(t) : t->sampled.taken;
	uint64_t more = counted - t->sampled.taken;

	t->sampled.taken = counted;
	return more;
}

void ms_counted_end(struct ms_thread *t)
{
	ms_lane_aside(t, false);
	t->sampled.code = MS_CODE_RECORDS;
	t->sampled.left = ms_timer_cpu();
	t->sampled.native = 0;
}

/* Each once: it may go on, where a program that was to be executed was not. */
void ms_counted_tell(struct ms_thread *t)
{
	for (uint32_t i = 0; i < MS_WIRE_EXITS - 1 && i < ms_block_exits(); i++)
		if (left_out[i] != 0) {
			ms_lane_event(t, MS_WIRE_LEFT_OUT, i, &left_out[i], 1, NULL, 0);
			left_out[i] = 0;
		}
}
