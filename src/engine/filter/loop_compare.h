/*
 * engine/filter/loop_compare.h - compares the executions of a loop, for the implementations of the
 * architectures.
 */
#ifndef MS_ENGINE_FILTER_LOOP_COMPARE_H
#define MS_ENGINE_FILTER_LOOP_COMPARE_H

#include "engine/filter/loop_filter.h"

/* Result of comparing one execution; a bit for each reference. */
struct ms_filter_comparison {
	uint64_t changed;  /* not on the line of the iteration before ... */
	uint64_t again;    /* ... but on the line of the reference before it */
	uint32_t mismatch; /* not 0: see struct ms_filter_iterations */
};

/*
 * The first iteration is compared with the words at `before`. For the first reference, `again` can
 * be missing.
 */
typedef struct ms_filter_comparison (*ms_filter_compare_fn)(const struct ms_filter_loop *loop,
							    const uint64_t *addresses,
							    const uint64_t *before);

/*
 * All references of iterations that have changed. After an incomplete iteration, some bits beyond
 * it are set, too.
 */
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

/* A reference to the line of the reference before it never changes any state. */
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

/* loop_filter.c: for any processor. */
enum { MS_FILTER_SCALAR_WORDS_AHEAD = 1024 };
struct ms_filter_iterations ms_filter_compare_loop_scalar(const struct ms_filter_loop *loop,
							  const uint64_t *at, const uint64_t *end,
							  bool joined);

#endif
