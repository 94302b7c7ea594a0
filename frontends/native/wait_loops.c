/*
 * wait_loops.c - finds loops that wait in windows, where addresses are recorded: the same reads
 * over and over, and no write. A loop is known by the pcs at which its thread has been found in it.
 * Between windows no addresses are recorded; there, a thread that comes to C at such a pc waits.
 *
 * Limit: a loop that computes from the same constants in memory, and keeps its result in registers,
 * looks the same. The range of a run's references has both, with such loops and without.
 */
#include "wait_loops.h"

#include "runtime/lanes.h"
#include "runtime/locks.h"
#include "runtime/thread_state.h"
#include "tracer.h"
#include "tracer/block_descriptions.h"
#include "wire/wire.h"

enum {
	LONGEST_ROUND = 64, /* words of one iteration ... */
	REPEATED = 256,     /* ... and words in which the thread did nothing else */
	MOST_LOOPS = 64,
};

static struct {
	uint32_t n;
	struct loop {
		uint64_t pc;
		uint64_t skipped; /* references */
	} loop[MOST_LOOPS];
} found;

bool ms_wait_loop_repeats(const uint64_t *from, const uint64_t *to)
{
	if (to - from < REPEATED + LONGEST_ROUND)
		return false;
	for (uint64_t round = 1; round <= LONGEST_ROUND; round++) {
		const uint64_t *at = to;

		while (at > to - REPEATED && at[-1] == *(at - 1 - round))
			at--;
		if (at == to - REPEATED)
			return true;
	}
	return false;
}

bool ms_wait_loop_is(const uint64_t *from, const uint64_t *to)
{
	const uint64_t *at = from;

	if (!ms_wait_loop_repeats(from, to))
		return false;
	while (at < to) {
		uint32_t words = ms_wire_words_of(*at);

		if (at >= to - REPEATED && (ms_wire_kind_of(*at) != MS_WIRE_EXEC ||
					    ms_block_exit_writes(ms_wire_arg_of(*at))))
			return false;
		at += words > 0 ? words : 1;
	}
	return true;
}

static struct loop *loop_of(const struct ms_thread *t)
{
	uint64_t pc = ms_tracer_pc(t);
	uint32_t n = __atomic_load_n(&found.n, __ATOMIC_ACQUIRE);

	for (uint32_t i = 0; i < n; i++)
		if (found.loop[i].pc == pc)
			return &found.loop[i];
	return NULL;
}

void ms_wait_loop_found(const struct ms_thread *t)
{
	ms_lock(MS_LOCK_SAMPLE);
	if (loop_of(t) == NULL && found.n < MOST_LOOPS) {
		found.loop[found.n].pc = ms_tracer_pc(t);
		__atomic_store_n(&found.n, found.n + 1, __ATOMIC_RELEASE);
	}
	ms_unlock(MS_LOCK_SAMPLE);
}

bool ms_wait_loops_exist(void)
{
	return __atomic_load_n(&found.n, __ATOMIC_RELAXED) != 0;
}

bool ms_wait_loop_holds(const struct ms_thread *t)
{
	return loop_of(t) != NULL;
}

void ms_wait_loop_skip(const struct ms_thread *t, uint64_t references)
{
	struct loop *loop = loop_of(t);

	if (loop != NULL)
		__atomic_fetch_add(&loop->skipped, references, __ATOMIC_RELAXED);
}

void ms_wait_loops_report(struct ms_thread *t)
{
	for (uint32_t i = 0; i < found.n; i++) {
		struct loop *loop = &found.loop[i];
		const uint64_t words[] = { loop->pc, __atomic_exchange_n(&loop->skipped, 0,
									 __ATOMIC_RELAXED) };

		ms_lane_event(t, MS_WIRE_WAIT_LOOP, 0, words, 2, NULL, 0);
	}
}

void ms_wait_loops_restart(void)
{
	found.n = 0;
}
