/*
 * engine/filter/loop_filter.h - loops, turn by turn.
 *
 * A turn is a sequence of references that comes again and again: a block that is left by the same
 * exit over and over, or what stands several times in one block, as the front-end follows a loop
 * for some turns before it ends a block. A turn whose lines are those of the turn before changes
 * nothing in a level that gives up the least recently used line: all of them are there, and have
 * the order of use that they had. That holds wherever they lie, as long as the turn has no more
 * references than a set has lines. So turns are compared with the one before them, many references
 * at once, and only turns that differ are met, reference by reference, as the sieve meets them.
 */
#ifndef MS_ENGINE_FILTER_LOOP_FILTER_H
#define MS_ENGINE_FILTER_LOOP_FILTER_H

#include "engine/engine_priv.h"

/* So many references has a turn at most, and an execution: each has a bit. */
enum { MS_FILTER_MAX_PERIOD = 8, MS_FILTER_MAX_LOOP_REFS = 64 };

/* So many words before and behind an execution may be read. */
enum { MS_FILTER_LOOP_MARGIN = 8 };

/* Lines of the first level have so many bits: others are rare, and a constant is faster. */
enum { MS_FILTER_LINE_SHIFT = 6, MS_FILTER_LINE_BYTES = 1 << MS_FILTER_LINE_SHIFT };

/* What is known of an exit whose executions are made of turns. */
struct ms_filter_loop {
	uint32_t refs;
	uint32_t period;        /* references of a turn */
	uint32_t iterations;    /* whole ones of an execution */
	uint64_t first;         /* the bits of an execution's first turn ... */
	uint64_t rest;          /* ... and of its last one, if that is not a whole one */
	uint64_t starts;        /* bits of struct ms_filter_iterations: the first of each turn */
	uint32_t failures;      /* times, one behind the other, that comparing did not pay */
	uint64_t binding_epoch; /* the shard's, when these were learnt: */
	/* By reference, what its address must be like for its data to be known, and its line the
	 * only one. */
	uint64_t *start;
	uint64_t *size;
	uint64_t *room;
	/* Turns that go on by the same strides: see stride_run.h. */
	bool is_strided;             /* all turns of an execution have the same to remember */
	uint32_t writes;             /* by reference of a turn, where who writes matters: a bit */
	uint32_t stride_failures;    /* times, one behind the other, that it did not pay */
	uint32_t stride_pause;       /* times that it is not to be tried ... */
	uint32_t next_pause;         /* ... and how many will be the next ones */
	uint64_t *iteration_strides; /* by reference, how far it is from the turn before */
	uint64_t *execution_strides; /* by word, how far it is from the execution before */
	uint32_t
		inverse_stride[MS_FILTER_MAX_PERIOD]; /* by reference of a turn: see stride_run.c */
	/* By bit of struct ms_filter_iterations: how many words behind the first execution's head
	 * it stands, and which reference it is. */
	uint8_t word[MS_FILTER_MAX_LOOP_REFS];
	uint8_t ref_index[MS_FILTER_MAX_LOOP_REFS];
};

/* Some executions. */
struct ms_filter_iterations {
	uint64_t n;
	uint64_t kept;     /* a bit for each reference that is to be met ... */
	uint64_t changed;  /* ... and, of these, for each that is on another line than before */
	uint32_t mismatch; /* not 0: there are addresses that are not as the loop says */
};

/* Whether one of n words is not as far from that before it as `by` says. So many words before and
 * behind all of them may be read as MS_FILTER_LOOP_MARGIN says. */
typedef bool (*ms_filter_differ_fn)(const uint64_t *now, const uint64_t *before, const uint64_t *by,
				    uint32_t n);

/* One way to do it: compares executions from `at` on, which are like the first one. joined: what
 * stands before that one is a turn, and was compared, too. */
struct ms_filter_loop_impl {
	bool (*is_supported)(void); /* on this processor */
	struct ms_filter_iterations (*compare)(const struct ms_filter_loop *loop,
					       const uint64_t *at, const uint64_t *end,
					       bool joined);
	/* How many executions from `at` on go on by the loop's strides: see stride_run.h. */
	uint64_t (*find_run)(const struct ms_filter_loop *loop, const uint64_t *at,
			     const uint64_t *end);
	ms_filter_differ_fn differ;
	uint32_t words_ahead; /* so far ahead a sieve is to ask for the stream */
};

/* The fastest first; the last one always works. */
extern const struct ms_filter_loop_impl ms_filter_loop_impls[];
const struct ms_filter_loop_impl *ms_filter_choose_loop_impl(void);

/* How many references a turn of each exit of the block has; 0: turns do not suit it. */
void ms_filter_find_loop_periods(const struct ms_engine_shard *shard,
				 const struct ms_engine_block *block, struct ms_filter_exit *exits);

/* The same of one exit, with so many references; most: as a turn may have. */
uint32_t ms_filter_find_loop_period(const struct ms_engine_block *block, uint32_t refs,
				    uint32_t most);

/* What is known of a loop at first. */
struct ms_filter_loop *ms_filter_make_loop(struct ms_arena *arena, uint32_t refs, uint32_t period);

/* The stream, as far as loops take it. */
struct ms_filter_loop_cursor {
	const uint64_t *begin;
	const uint64_t *end;
	const struct ms_filter_ref_state *ref_states; /* of the turn before ... */
	uint32_t period; /* ... and its references; 0: that was not compared */
};

/* Something else follows. */
MS_INLINE void ms_filter_leave_loop(struct ms_filter_loop_cursor *cursor)
{
	cursor->period = 0;
}

/* Whether executions of the exit may be compared: many turns in one, or (again) the same again.
 * next: where the one behind this stands. */
MS_INLINE bool ms_filter_can_compare_loop(const struct ms_filter_loop_cursor *cursor,
					  struct ms_filter_exit *exit, const uint64_t *at,
					  const uint64_t *next, bool again)
{
	if (exit->period == 0 ||
	    (exit->refs < 2 * exit->period && (!again || next >= cursor->end || *next != *at)))
		return false;
	if (cursor->end - next < MS_FILTER_LOOP_MARGIN ||
	    at - cursor->begin < MS_FILTER_LOOP_MARGIN)
		return false;
	if (MS_LIKELY(exit->pause == 0))
		return true;
	exit->pause--;
	return false;
}
/* Takes some executions, at least one; returns where the rest of the stream begins. */
const uint64_t *ms_filter_process_loop(struct ms_engine_shard *shard, struct ms_filter_exit *exit,
				       struct ms_filter_loop_cursor *cursor, const uint64_t *at,
				       struct ms_filter_pending **out);

/* --- for the architectures --- */

/* What comes of one execution, a bit for each reference. */
struct ms_filter_comparison {
	uint64_t changed;  /* not on the line of the turn before ... */
	uint64_t again;    /* ... but on that of the reference before it */
	uint32_t mismatch; /* not 0: see struct ms_filter_iterations */
};

/* The first turn is compared with what stands at `before`; of the first reference it may be unknown
 * that it is on a line again. */
typedef struct ms_filter_comparison (*ms_filter_compare_fn)(const struct ms_filter_loop *loop,
							    const uint64_t *addresses,
							    const uint64_t *before);

/* All references of turns that have changed; and some behind a turn that is not a whole one. */
MS_INLINE uint64_t ms_filter_select_whole_iterations(const struct ms_filter_loop *loop,
						     uint64_t changed)
{
	uint64_t any = changed, all;

	for (uint32_t i = 1; i < loop->period; i++)
		any |= changed >> i;
	any &= loop->starts;
	all = any;
	for (uint32_t i = 1; i < loop->period; i++)
		all |= any << i;
	return all;
}

/* A reference to the line of the one before it changes nothing in any case. */
MS_INLINE struct ms_filter_iterations ms_filter_compare_loop_by(const struct ms_filter_loop *loop,
								const uint64_t *at,
								const uint64_t *end, bool joined,
								ms_filter_compare_fn compare)
{
	const uint64_t head = *at, rest = loop->rest;
	const uint32_t refs = loop->refs;
	uint64_t visited = joined ? 0 : loop->first, again = 0;
	const uint64_t *before = joined ? at - loop->period : at + 1;
	struct ms_filter_iterations iterations = { 0, 0, 0, 0 };
	uint32_t bit = 0;

	do {
		struct ms_filter_comparison one = compare(loop, at + 1, before);

		iterations.changed |= one.changed << bit;
		visited |= rest << bit;
		again |= one.again << bit;
		iterations.mismatch |= one.mismatch;
		iterations.n++;
		bit += refs;
		if (rest != 0)
			visited |= bit < MS_FILTER_MAX_LOOP_REFS ? loop->first << bit : 0;
		at += refs + 1;
		before = at - loop->period;
	} while (bit + refs <= MS_FILTER_MAX_LOOP_REFS && end - at > refs + MS_FILTER_LOOP_MARGIN &&
		 *at == head);
	uint64_t all = UINT64_MAX >> (MS_FILTER_MAX_LOOP_REFS - bit);
	iterations.kept =
		ms_filter_select_whole_iterations(loop, (iterations.changed | visited) & all) &
		all & ~again;
	return iterations;
}

/* loop.c: for any processor. */
enum { MS_FILTER_SCALAR_WORDS_AHEAD = 1024 };
struct ms_filter_iterations ms_filter_compare_loop_scalar(const struct ms_filter_loop *loop,
							  const uint64_t *at, const uint64_t *end,
							  bool joined);

#endif
