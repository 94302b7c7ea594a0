/*
 * yield_loops.c - threads that wait for others and call sched_yield meanwhile.
 *
 * Between two such calls a waiting thread does the same over and over. When the records of a few
 * iterations are equal, word by word, it is treated as spinning: it does not count as busy, the
 * last iteration is taken back unless it takes lines away from others, and it continues when
 * another thread has changed something that it read or wrote. Its registers are not compared,
 * because such loops count their iterations or read the clock. So it may be about to give up, and
 * others may wait for that: after a while, which grows with each iteration, it checks again.
 */
#include "yield_loops.h"

#include "pub_tool_libcbase.h"

#include "spin_detection.h"
#include "thread_lifetimes.h"
#include "time_slices.h"

enum {
	COSTS = 1000,         /* instructions of virtual time: limits how often threads can yield */
	ROUNDS = 2,           /* that are equal to the previous one */
	LONGEST = 64 * COSTS, /* without another check */
};

/* Only reads and writes of addresses that others may change. */
static Bool is_plain(const ULong *from, const ULong *to)
{
	for (const ULong *at = from; at < to; at += ms_wire_words_of(*at))
		if (ms_wire_kind_of(*at) != MS_WIRE_EXEC)
			return False;
	return True;
}

/* Skips a switch record, with which a time slice in the lane may begin. */
static const ULong *after_switch(const ULong *from, const ULong *to)
{
	while (from < to && ms_wire_kind_of(*from) == MS_WIRE_SWITCH)
		from += ms_wire_words_of(*from);
	return from;
}

static Bool is_same(const struct ms_vg_yield_state *y, const ULong *from, UInt words)
{
	return y->words == words && VG_(memcmp)(y->round, from, words * sizeof(*from)) == 0;
}

/* How often its iterations have been equal; *from, *to: the last one. */
static UInt count_equal_rounds(struct ms_vg_yield_state *y, const ULong **from, const ULong **to)
{
	Bool whole = ms_vg_spin_slice_records(from, to) && y->slices == 1;

	y->slices = 0;
	*from = after_switch(*from, *to);
	if (!whole || *to - *from > MS_VG_YIELD_WORDS || *from == *to || !is_plain(*from, *to)) {
		y->words = 0;
		y->rounds = 0;
		return 0;
	}
	UInt words = *to - *from;
	if (is_same(y, *from, words)) {
		y->rounds++;
	} else {
		y->rounds = 0;
		y->patience = COSTS;
	}
	y->words = words;
	VG_(memcpy)(y->round, *from, words * sizeof(**from));
	return y->rounds;
}

/* Iterations that take lines away from others are kept. */
static void take_back(ThreadId tid, const ULong *from, const ULong *to)
{
	ULong spun = 0;

	if (ms_vg_spin_writes(tid, from, to))
		return;
	for (const ULong *at = from; at < to; at += ms_wire_words_of(*at))
		spun += ms_vg_spin_instructions(at);
	ms_vg_slice_take_back((ULong *)from, spun);
	ms_vg_spin_forget();
}

void ms_vg_yield(ThreadId tid)
{
	struct ms_vg_thread *me = &ms_vg_threads[tid];
	struct ms_vg_yield_state *y = &me->yielding;
	const ULong *from, *to;

	ms_vg_slice_count();
	Bool waits = count_equal_rounds(y, &from, &to) >= ROUNDS;
	if (waits) {
		ms_vg_spin_note_all(me, from, to); /* as many as there is room for */
		take_back(tid, from, to);
	}
	if (!ms_vg_slice_give_way(me, COSTS) || !waits)
		return;
	me->spins = True;
	me->spins_until = me->time + y->patience;
	y->patience = y->patience < LONGEST ? y->patience * 2 : LONGEST;
}
