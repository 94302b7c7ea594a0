/*
 * counted.c - the head of a sampled program: between windows it runs in translated code that counts
 * references, and how often each exit of a block was taken.
 *
 * A program of a few dozen million references has few windows, which differ by the code that they
 * meet. With these counts each site's part of all references is known (collect/counted.c), and
 * windows tell only what came of them. Longer programs have windows enough: behind the head they
 * run natively. Each thread counts for itself, behind its struct ms_thread, so that counts need no
 * lock and share no line; those of threads that have ended stay there, whoever uses it next.
 */
#include "counted.h"

#include "runtime.h"
#include "sys.h"

/* By exit; the last one: of all that have no place. Programs touch what they need of it. */
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
	enum { DONT_NEED = 4 }; /* as in <sys/mman.h>: zeroes, again */

	if (ms_counted_bytes() != 0)
		ms_sys(__NR_madvise, (long)t + (long)ms_counted_at(0), (long)ms_counted_bytes(),
		       DONT_NEED, 0, 0, 0);
}

/* C comes back when so many references are counted, or there is no room for more. */
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

/* By all threads; each once: it may go on, where a program that was to be executed was not. */
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
