/*
 * engine/general.h - machines that are not plain: other replacement than LRU, writing through or
 * around, inclusive and exclusive levels, prefetchers. docs/formats/machine.md has the rules.
 *
 * A plain machine never comes here; a shard's `general` is NULL then.
 */
#ifndef MS_ENGINE_GENERAL_H
#define MS_ENGINE_GENERAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/policy.h"
#include "engine/prefetch.h"
#include "machine/machine.h"

struct ms_shard;
struct doubts;

/* A line in its place, which it keeps until it leaves. */
struct general_way {
	uint64_t line;
	uint32_t *record; /* see lines.h; NULL: empty */
};

struct general_level {
	struct general_way *ways; /* of a set side by side */
	uint64_t *states;         /* likewise, state_words a set: the policy's */
	const struct policy *policy;
	size_t state_words;
	uint64_t sets;
	uint32_t associativity;
	uint32_t up; /* see cache.h */
	bool through;
	bool around;
	bool inclusive;
	bool exclusive;
	bool prefetches;
	struct streams streams;
};

struct general {
	unsigned levels;
	bool repeats_are_hits; /* of the first level: see sieve.c */
	uint32_t *old; /* scratch of one access, by level: what a missed line's record said */
	bool *covered; /* ... and whether the prefetcher would have been there before */
	struct general_level level[];
};

bool ms_general_is_needed(const struct ms_machine *machine);
/* A prefetcher must see every miss, in order. */
bool ms_general_is_one_piece(const struct ms_machine *machine);
struct general *ms_general_open(const struct ms_machine *machine);
void ms_general_close(struct general *general);

/* What ms_shard_settle() is for plain machines. */
void ms_general_settle(struct ms_shard *shard, unsigned slot, const struct doubts *share);

#endif
