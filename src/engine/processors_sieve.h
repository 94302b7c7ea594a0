/*
 * engine/processors_sieve.h - what the hot loop for several processors (processors_sift.c) and its
 * loops that go on by the same strides (processors_march.c) do with a line; and what other sieves
 * are told of it (processors_tell.c).
 */
#ifndef MS_ENGINE_PROCESSORS_SIEVE_H
#define MS_ENGINE_PROCESSORS_SIEVE_H

#include "engine/engine_priv.h"
#include "engine/loop.h"

/* Words of the stream are asked for so far ahead: nearer than by sieve.c, as they are met more
 * slowly here. */
enum { MS_OWN_WORDS_AHEAD = 384 };

/* What the hot loop knows of its shard. */
struct sieve {
	const struct sieve *copy; /* for what is seldom: who is given none stays in registers */
	struct ms_shard *shard;
	struct met_batch *batch;
	struct met *kept; /* of the batch */
	struct recent *recent;
	uint64_t set_mask;
	uint64_t kept_before;
	uint32_t shift;
	bool filters; /* else all is kept */
	bool pairs;   /* the most recent line but one is known too */
	bool direct;  /* it filters; a set is found by a mask, and lines have at most 64 bytes */
};

/* Over all batches: see struct recent. */
MS_INLINE uint64_t ms_own_number(const struct sieve *s, const struct met *kept)
{
	return s->kept_before + (uint64_t)(kept - s->kept);
}

/* Which of the two is the more recent, if that is to be told. The line is there, so nobody will be
 * asked whose it is. */
MS_INLINE struct met *ms_own_keep_order(const struct sieve *s, struct recent *r, struct met *out)
{
	if (MS_LIKELY(r->last == r->told))
		return out;
	r->told = r->last;
	*out = (struct met){ .address = r->line[r->last] << s->shift, .object = UINT64_MAX };
	return out + 1;
}

/* A line that is neither of the two, and is kept. */
MS_INLINE void ms_own_meet_third(const struct sieve *s, struct recent *r, uint64_t line,
				 uint64_t stored)
{
	uint32_t k = r->last ^ s->pairs;

	r->line[k] = line;
	r->stored[k] = stored;
	r->last = r->told = k;
}

MS_INLINE uint64_t ms_own_bytes(const struct sieve *s, const struct own_slot *slot,
				uint64_t address)
{
	return UINT64_MAX >> (63 - slot->reach) << (address & ((UINT64_C(1) << s->shift) - 1));
}

/* The same; 0: it only reads. */
MS_INLINE uint64_t ms_own_written(const struct sieve *s, const struct own_slot *slot,
				  uint64_t address)
{
	return slot->kind != MS_WIRE_READ ? ms_own_bytes(s, slot, address) : 0;
}

/* To line k of its set's two; bytes: those that are written. */
MS_INLINE struct met *ms_own_store(const struct sieve *s, const struct own_slot *slot,
				   uint64_t address, uint64_t bytes, struct recent *r, uint32_t k,
				   struct met *out)
{
	if (MS_LIKELY(r->stored[k] >= s->kept_before)) {
		s->kept[r->stored[k] - s->kept_before].written |= bytes;
		return out;
	}
	r->stored[k] = ms_own_number(s, out);
	r->told = k;
	*out = (struct met){ address | MS_MET_WRITES, slot->cell, slot->place->start, bytes };
	return out + 1;
}

/* Executions, until one is broken or there is something else; where that is. */
const uint64_t *ms_own_sift(const struct sieve *s, const uint64_t *at, const uint64_t *end);
/* References whose data was not known. */
void ms_own_bind(struct ms_shard *shard, struct met_batch *batch);

/* A line that is neither of its set's two; bytes: as above, or 0. */
struct met *ms_own_keep(const struct sieve *s, const struct own_slot *slot, uint64_t address,
			uint64_t bytes, struct met *out);

/* processors_tell.c: the turn of the running agent ends, which kept what stands in the batch from
 * p->kept on. */
void ms_own_tell(const struct ms_shard *shard, const struct met_batch *batch);

/*
 * processors_march.c: executions from `at` on that go on by the same strides, and that the exit,
 * which has a period, suits; returns how many. They are counted by who asks.
 */
uint64_t ms_own_march(const struct sieve *s, struct own_exit *exit, const uint64_t *at,
		      const uint64_t *end, struct met **out);

#endif
