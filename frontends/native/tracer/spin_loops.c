/*
 * spin_loops.c - finds spin loops in windows, where addresses are recorded: the same reads
 * over and over, and no write. A loop is known by the pcs at which its thread has been found in it.
 * Between windows no addresses are recorded; there, a thread that comes to C at such a pc waits.
 *
 * Limit: a loop that computes from the same constants in memory, and keeps its result in registers,
 * looks the same. The range of a run's references has both, with such loops and without.
 */
#include "tracer/spin_loops.h"

#include "runtime/lanes.h"
#include "runtime/locks.h"
#include "runtime/thread_state.h"
#include "tracer/block_descriptions.h"
#include "tracer/tracer.h"
#include "wire/wire.h"

enum {
	MAX_LOOP_WORDS = 64, /* words of one iteration ... */
	REPEATED = 256,      /* ... and words in which the thread did nothing else */
	MOST_LOOPS = 64,
};

static struct {
	uint32_t n;
	struct spin_loop {
		uint64_t pc;
		uint64_t skipped; /* references */
	} loop[MOST_LOOPS];
} spin_loops;

bool ms_tracer_is_repeating(const uint64_t *from, const uint64_t *to)
{
	if (to - from < REPEATED + MAX_LOOP_WORDS)
		return false;
	for (uint64_t round = 1; round <= MAX_LOOP_WORDS; round++) {
		const uint64_t *at = to;

		while (at > to - REPEATED && at[-1] == *(at - 1 - round))
			at--;
		if (at == to - REPEATED)
			return true;
	}
	return false;
}

bool ms_tracer_is_spin_loop(const uint64_t *from, const uint64_t *to)
{
	const uint64_t *at = from;

	if (!ms_tracer_is_repeating(from, to))
		return false;
	while (at < to) {
		uint32_t words = ms_wire_words_of(*at);

		if (at >= to - REPEATED && (ms_wire_kind_of(*at) != MS_WIRE_EXEC ||
					    ms_tracer_does_exit_write(ms_wire_arg_of(*at))))
			return false;
		at += words > 0 ? words : 1;
	}
	return true;
}

static struct spin_loop *find_loop(const struct ms_runtime_thread *t)
{
	uint64_t pc = ms_tracer_get_pc(t);
	uint32_t n = __atomic_load_n(&spin_loops.n, __ATOMIC_ACQUIRE);

	for (uint32_t i = 0; i < n; i++)
		if (spin_loops.loop[i].pc == pc)
			return &spin_loops.loop[i];
	return NULL;
}

void ms_tracer_add_spin_loop(const struct ms_runtime_thread *t)
{
	ms_runtime_lock(MS_RUNTIME_LOCK_SAMPLING);
	if (find_loop(t) == NULL && spin_loops.n < MOST_LOOPS) {
		spin_loops.loop[spin_loops.n].pc = ms_tracer_get_pc(t);
		__atomic_store_n(&spin_loops.n, spin_loops.n + 1, __ATOMIC_RELEASE);
	}
	ms_runtime_unlock(MS_RUNTIME_LOCK_SAMPLING);
}

bool ms_tracer_have_spin_loops(void)
{
	return __atomic_load_n(&spin_loops.n, __ATOMIC_RELAXED) != 0;
}

bool ms_tracer_is_in_spin_loop(const struct ms_runtime_thread *t)
{
	return find_loop(t) != NULL;
}

void ms_tracer_skip_spin_refs(const struct ms_runtime_thread *t, uint64_t references)
{
	struct spin_loop *loop = find_loop(t);

	if (loop != NULL)
		__atomic_fetch_add(&loop->skipped, references, __ATOMIC_RELAXED);
}

void ms_tracer_report_spin_loops(struct ms_runtime_thread *t)
{
	for (uint32_t i = 0; i < spin_loops.n; i++) {
		struct spin_loop *loop = &spin_loops.loop[i];
		const uint64_t words[] = { loop->pc, __atomic_exchange_n(&loop->skipped, 0,
									 __ATOMIC_RELAXED) };

		ms_runtime_write_event(t, MS_WIRE_SPIN_LOOP, 0, words, 2, NULL, 0);
	}
}

void ms_tracer_forget_spin_loops(void)
{
	spin_loops.n = 0;
}
