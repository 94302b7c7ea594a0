/*
 * engine/filter/loop_filter.h - filters loops by comparing iterations.
 *
 * An iteration is a sequence of references that repeats: a block that is left by the same exit
 * again and again, or a sequence that is repeated within one block, because the front-end unrolls a
 * loop for some iterations before it ends a block. An iteration that touches the lines of the
 * iteration before changes no state in an LRU level: all its lines are present, and their order of
 * use stays the same. This holds wherever the lines lie, as long as an iteration has no more
 * references than a set has ways. So iterations are compared with the iteration before them, many
 * references at a time. Only iterations that differ are filtered reference by reference, in the
 * same way as in l1_filter.c.
 */
#ifndef MS_ENGINE_FILTER_LOOP_FILTER_H
#define MS_ENGINE_FILTER_LOOP_FILTER_H

#include "engine/engine_priv.h"

/* Most references of an iteration, and of an execution: each has a bit. */
enum { MS_FILTER_MAX_PERIOD = 8, MS_FILTER_MAX_LOOP_REFS = 64 };

/* This many words before and after an execution can be read. */
enum { MS_FILTER_LOOP_MARGIN = 8 };

/*
 * Line size of the first level for which loops are compared: others are rare, and a constant is
 * faster.
 */
enum { MS_FILTER_LINE_SHIFT = 6, MS_FILTER_LINE_BYTES = 1 << MS_FILTER_LINE_SHIFT };

/* An exit whose executions consist of iterations. */
struct ms_filter_loop {
	uint32_t refs;
	uint32_t period;     /* references of an iteration */
	uint32_t iterations; /* whole iterations of an execution */
	uint64_t first;      /* bits of an execution's first iteration ... */
	uint64_t rest;       /* ... and of its last one, if that is incomplete */
	/* Bits of struct ms_filter_iterations: the first reference of each iteration. */
	uint64_t starts;
	uint32_t failures;      /* consecutive times that comparing was not worthwhile */
	uint64_t binding_epoch; /* of the shard, when the following were set: */
	/*
	 * By reference: conditions on its address under which its data is known and it touches one
	 * line only.
	 */
	uint64_t *start;
	uint64_t *size;
	uint64_t *room;
	/* Iterations with constant strides: see stride_run.h. */
	/* The ref_states of all iterations of an execution are equal. */
	bool is_strided;
	/* The last execution of the latest run was filtered reference by reference, because one of
	 * its lines is observed: the next one must not be compared with it. */
	bool ends_observed;
	/* By reference of an iteration, where coherence needs it: a bit for a write. */
	uint32_t writes;
	uint32_t stride_failures;    /* consecutive times that strides were not worthwhile */
	uint32_t stride_pause;       /* attempts to be skipped now ... */
	uint32_t next_pause;         /* ... and after the next failures */
	uint64_t *iteration_strides; /* by reference: distance from the iteration before */
	uint64_t *execution_strides; /* by word: distance from the execution before */
	uint32_t inverse_stride[MS_FILTER_MAX_PERIOD]; /* by reference of an iteration: see
							  stride_run.c */
	/*
	 * By bit of struct ms_filter_iterations: its distance in words from the head of the first
	 * execution, and the index of its reference.
	 */
	uint8_t word[MS_FILTER_MAX_LOOP_REFS];
	uint8_t ref_index[MS_FILTER_MAX_LOOP_REFS];
};

/* Result of comparing some executions. */
struct ms_filter_iterations {
	uint64_t n;
	uint64_t kept; /* a bit for each reference that must be filtered ... */
	/* ... and, of these, for each on another line than in the iteration before. */
	uint64_t changed;
	uint32_t mismatch; /* not 0: some addresses do not fulfil the loop's conditions */
};

/*
 * Whether the distance of any of n words from the word in `before` is not the one in `by`.
 * MS_FILTER_LOOP_MARGIN words before and after each array can be read.
 */
typedef bool (*ms_filter_differ_fn)(const uint64_t *now, const uint64_t *before, const uint64_t *by,
				    uint32_t n);

/*
 * One implementation. compare: compares executions from `at` on that have the head of the first
 * one. joined: the words before the first one are an iteration of this loop that was compared as
 * well.
 */
struct ms_filter_loop_impl {
	bool (*is_supported)(void); /* by this processor */
	struct ms_filter_iterations (*compare)(const struct ms_filter_loop *loop,
					       const uint64_t *at, const uint64_t *end,
					       bool joined);
	/* How many executions from `at` on continue with the loop's strides: see stride_run.h. */
	uint64_t (*find_run)(const struct ms_filter_loop *loop, const uint64_t *at,
			     const uint64_t *end);
	ms_filter_differ_fn differ;
	uint32_t words_ahead; /* prefetch distance of the filter in the stream */
};

/* The fastest first; the last one is always supported. */
extern const struct ms_filter_loop_impl ms_filter_loop_impls[];
const struct ms_filter_loop_impl *ms_filter_choose_loop_impl(void);

/*
 * Sets the number of references in an iteration, for each exit of the block; 0: its iterations
 * cannot be compared.
 */
void ms_filter_find_loop_periods(const struct ms_engine_shard *shard,
				 const struct ms_engine_block *block, struct ms_filter_exit *exits);

/* The same for one exit with `refs` references; most: the largest number allowed. */
uint32_t ms_filter_find_loop_period(const struct ms_engine_block *block, uint32_t refs,
				    uint32_t most);

/* Makes a loop without the conditions that depend on ref_states. */
struct ms_filter_loop *ms_filter_make_loop(struct ms_arena *arena, uint32_t refs, uint32_t period);

/* The part of the stream in which loops are compared. */
struct ms_filter_loop_cursor {
	const uint64_t *begin;
	const uint64_t *end;
	const struct ms_filter_ref_state *ref_states; /* of the iteration before ... */
	uint32_t period; /* ... and its number of references; 0: it was not compared */
};

/* The next execution is not part of the loop. */
MS_INLINE void ms_filter_leave_loop(struct ms_filter_loop_cursor *cursor)
{
	cursor->period = 0;
}

/*
 * Whether executions of the exit can be compared: one has several iterations, or (with again) the
 * same execution follows. next: the execution after this one.
 */
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
/* Processes at least one execution; returns the start of the rest of the stream. */
const uint64_t *ms_filter_process_loop(struct ms_engine_shard *shard, struct ms_filter_exit *exit,
				       struct ms_filter_loop_cursor *cursor, const uint64_t *at,
				       struct ms_filter_pending **out);

#endif
