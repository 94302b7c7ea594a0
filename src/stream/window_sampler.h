/*
 * stream/window_sampler.h - removes from a complete stream what a sampling front-end would not have
 * traced.
 *
 * The stream is divided into periods, each with one window, so that no phase is missed. The length
 * of a window, from 0.5 to 1.5 times the mean, and its position in the period are random, so that
 * windows do not resonate with the program's loops. A window begins and ends between two
 * executions. All events are kept.
 *
 * A stream with windows of its own, from a front-end that sampled the program, is not changed.
 *
 * Sets: lines of memory form groups that no cache level mixes. Of `every` neighbouring groups, one
 * is kept, drawn at random. A reference to another group becomes one that was not executed.
 */
#ifndef MS_STREAM_WINDOW_SAMPLER_H
#define MS_STREAM_WINDOW_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ms_stream_sampler_sets {
	uint32_t shift; /* number of address bits below the group's number */
	uint64_t mask;  /* of the group's number, after the shift */
	uint64_t every; /* 1: all groups are kept */
};

struct ms_stream_sampling {
	double ratio; /* share of the references that are in windows; 1: one window without end */
	uint64_t window;
	uint32_t halved; /* how often the first windows are halved, if references are counted
			    between windows */
	uint64_t seed;
	struct ms_stream_sampler_sets sets;
	/* Windows whose lengths and distances change during the run (collect/window_plan.h): */
	uint64_t
		head; /* references at the start that are a window of their own; 0: there is none */
	double wanted; /* wanted precision of miss rates; 0: unspecified */
};

/* Returns whether the plan of windows changes during the run. */
static inline bool ms_stream_sampling_is_planned(const struct ms_stream_sampling *sampling)
{
	return sampling->head != 0 || sampling->wanted > 0;
}

/* Whether only windows of the program are simulated; sampling NULL: all of it is. */
static inline bool ms_stream_sampling_has_windows(const struct ms_stream_sampling *sampling)
{
	return sampling != NULL && sampling->ratio < 1;
}
/* Whether sampled sets are simulated during the whole run. Then a miss is multiplied by the ratio
 * of all sets to sampled sets, independently of the number of simulated references. */
static inline bool ms_stream_sampling_is_by_sets(const struct ms_stream_sampling *sampling)
{
	return sampling->ratio >= 1 && sampling->sets.every > 1;
}

struct ms_stream_sampler;

struct ms_stream_sampler *ms_stream_sampler_open(const struct ms_stream_sampling *sampling);
/* A sampler that omits nothing and marks what it would omit: the phases "window" and "between"
 * replace the program's own. It does not mark sets. */
struct ms_stream_sampler *ms_stream_sampler_open_marks(const struct ms_stream_sampling *sampling);
void ms_stream_sampler_close(struct ms_stream_sampler *sampler);
/* Returns the largest number of words that a chunk of n words can become. */
size_t ms_stream_sampler_room(size_t n);
/* Copies what is kept; returns the number of words. Copies malformed records unchanged. */
size_t ms_stream_sampler_filter(struct ms_stream_sampler *sampler, const uint64_t *words, size_t n,
				uint64_t *into);
/* Returns whether the plan of windows must be decided anew; pass the result (ms_wire_pace()) to
 * ms_stream_sampler_set_plan(). */
bool ms_stream_sampler_needs_plan(const struct ms_stream_sampler *sampler);
/* Returns the number of words that were not processed because of that. Pass them again
 * afterwards. */
size_t ms_stream_sampler_pending_words(const struct ms_stream_sampler *sampler);
void ms_stream_sampler_set_plan(struct ms_stream_sampler *sampler, uint64_t pace);
/* The stream has ended. A last, empty window reports what came after the others. */
size_t ms_stream_sampler_finish(struct ms_stream_sampler *sampler, uint64_t *into);
/* Then writes the numbers of executions outside of windows, as many as fit, until it returns 0. */
size_t ms_stream_sampler_write_skipped(struct ms_stream_sampler *sampler, uint64_t *into,
				       size_t room);

/* The first returns whether the address is in a kept group; the second, whether a reference to it
 * is kept, because its first or its last byte is. */
bool ms_stream_sampler_keeps(const struct ms_stream_sampling *sampling, uint64_t address);
bool ms_stream_sampler_keeps_any(const struct ms_stream_sampling *sampling, uint64_t address,
				 uint16_t size);

#endif
