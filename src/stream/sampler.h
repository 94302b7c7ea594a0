/*
 * stream/sampler.h - leaves out of a whole stream what a sampling front-end would not have seen.
 *
 * The stream is divided into periods, and each has one window, so that none of its phases is left
 * out. How long a window is, from half of the mean to one and a half of it, and where in its period
 * it lies is drawn, so that they never beat with the program. A window begins and ends between two
 * executions. Events all stay.
 *
 * A stream that has windows of its own, of a front-end that has sampled the program, stays as it
 * is.
 *
 * Sets: the memory's lines fall into groups that no cache level mixes; of each `every` neighbouring
 * groups one is kept, drawn too. A reference to another group becomes one that did not happen.
 */
#ifndef MS_STREAM_SAMPLER_H
#define MS_STREAM_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ms_sampler_sets {
	uint32_t shift; /* address bits below a group's number ... */
	uint64_t mask;  /* ... which is as long as this */
	uint64_t every; /* 1: all are kept */
};

struct ms_sampling {
	double ratio; /* of the references, those in windows; 1: one window that never ends */
	uint64_t window;
	uint32_t halved; /* times, the first windows, where references are counted between them */
	uint64_t seed;
	struct ms_sampler_sets sets;
	/* Windows whose lengths and distances are told on the way (collect/pace.h), for these: */
	uint64_t
		head; /* references at the start that are a window of their own; 0: there is none */
	double wanted; /* how far the miss rates may be off; 0: nobody said */
};

/* Whether how windows lie is changed on the way. */
static inline bool ms_sampling_is_paced(const struct ms_sampling *sampling)
{
	return sampling->head != 0 || sampling->wanted > 0;
}

struct ms_sampler;

struct ms_sampler *ms_sampler_open(const struct ms_sampling *sampling);
/* One that leaves nothing out, and tells what it would have: the phases "window" and "between" take
 * the place of the program's own. Sets it does not tell. */
struct ms_sampler *ms_sampler_open_marks(const struct ms_sampling *sampling);
void ms_sampler_close(struct ms_sampler *sampler);
/* How many words a chunk of n can become. */
size_t ms_sampler_room(size_t n);
/* Copies what stays; returns how many words that are. What it cannot read it copies as it is. */
size_t ms_sampler_take(struct ms_sampler *sampler, const uint64_t *words, size_t n, uint64_t *into);
/* Whether it has come to where how windows lie is decided anew; and what was, ms_wire_pace(). */
bool ms_sampler_asks(const struct ms_sampler *sampler);
/* So many words it has not taken yet for that: they come again, when it was told. */
size_t ms_sampler_rest(const struct ms_sampler *sampler);
void ms_sampler_pace(struct ms_sampler *sampler, uint64_t pace);
/* The stream has ended: a last window, in which nothing happens, tells what came behind the others.
 */
size_t ms_sampler_end(struct ms_sampler *sampler, uint64_t *into);
/* Then how often blocks were executed in no window: as much as there is room for, until it is 0. */
size_t ms_sampler_left_out(struct ms_sampler *sampler, uint64_t *into, size_t room);

/* Whether this address is on a line that is seen; and whether references to it are kept, as their
 * first or their last one is. */
bool ms_sampler_keeps(const struct ms_sampling *sampling, uint64_t address);
bool ms_sampler_keeps_any(const struct ms_sampling *sampling, uint64_t address, uint16_t size);

#endif
