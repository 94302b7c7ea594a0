/*
 * engine/bank.h - one cache of a machine that is not plain, or that has several processors.
 *
 * Ways have fixed numbers. What a hit needs stands side by side: the order of use, a byte of each
 * line's hash, the lines. The order of at most 16 ways is a word where the least
 * recently used line leaves; all else is a policy's (policy.h). Zeros are an empty bank, so of a
 * large one only the sets that were used exist in memory.
 */
#ifndef MS_ENGINE_BANK_H
#define MS_ENGINE_BANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/cache.h"
#include "engine/policy.h"
#include "engine/prefetch.h"
#include "machine/machine.h"

struct nest;
struct window_bank;

struct bank_set {
	uint64_t order; /* 4 bits a way, the most recent lowest, empty ones last; xor MS_BANK_ORDER
			 */
	uint64_t quiet; /* a bit a way of the first 64: see coherence.c ... */
	uint64_t owned; /* ... and stretch.c */
	uint64_t at[];  /* hashes, eight a word; then the lines, each plus 1; 0: empty */
};

#define MS_BANK_ORDER UINT64_C(0xfedcba9876543210)

/* A way of a set. */
struct seat {
	uint64_t set;
	uint32_t way; /* MS_BANK_NOWHERE: there is none */
};

#define MS_BANK_NOWHERE UINT32_MAX

struct bank {
	unsigned char *sets; /* struct bank_set */
	size_t stride;       /* bytes of a set */
	uint64_t set_count;
	uint64_t mask; /* set_count - 1 where that is a power of two; else 0 */
	uint32_t ways;
	uint32_t hash_words;
	uint64_t exists; /* of the last word of hashes: the bytes that have a way */
	uint32_t up;     /* see cache.h */
	bool through;
	bool around;
	bool inclusive;
	bool exclusive;
	bool prefetches;
	struct nest *nest; /* it is one of, where its lines have their records ... */
	unsigned word;     /* ... and which word of them is about this bank */
	uint64_t *states;  /* by set, state_words each: the policy's */
	size_t state_words;
	const struct policy *policy; /* NULL: the order */
	struct streams streams;
	struct window_bank *windows; /* windows_processors.c; NULL: all is seen */
};

/* number: of its level, from 0; instance: of the level's caches. */
void ms_bank_open(struct bank *bank, const struct ms_machine *machine, unsigned number,
		  uint64_t instance);
void ms_bank_close(struct bank *bank);
size_t ms_bank_bytes(const struct bank *bank);

void ms_bank_use_policy(const struct bank *bank, struct seat seat);
/* The way that a policy gives away: the first empty one, or, when all are full, a victim's. */
uint32_t ms_bank_room_policy(const struct bank *bank, uint64_t set);

enum { MS_BANK_NARROW = 16 }; /* ways whose order fits into a word */

#define MS_EACH_BYTE   UINT64_C(0x0101010101010101)
#define MS_EACH_NIBBLE UINT64_C(0x1111111111111111)

/* A bit for each part of the word (`ones`: its lowest bits) that is zero, and seldom for others. */
MS_INLINE uint64_t ms_zeros_of(uint64_t word, uint64_t ones, unsigned bits)
{
	return (word - ones) & ~word & ones << (bits - 1);
}

/* In a word of 4-bit way numbers, the most recent lowest, a way becomes the most recent one. */
MS_INLINE uint64_t ms_order_to_front(uint64_t order, uint64_t way)
{
	uint64_t here = ms_zeros_of(order ^ way * MS_EACH_NIBBLE, MS_EACH_NIBBLE, 4);
	/* The lowest mark is true; marks stand at the highest bit of their four. */
	uint64_t upto = here ^ (here - 1);

	return (order & ~upto) | ((order << 4) & upto & ~UINT64_C(15)) | way;
}

/* And the least recent of so many. */
MS_INLINE uint64_t ms_order_to_back(uint64_t order, uint64_t way, uint32_t ways)
{
	uint64_t here = ms_zeros_of(order ^ way * MS_EACH_NIBBLE, MS_EACH_NIBBLE, 4);
	uint64_t before = (here ^ (here - 1)) >> 4, used = UINT64_MAX >> (64 - 4 * ways);

	return (order & (before | ~used)) | ((order & used) >> 4 & ~before) | way << 4 * (ways - 1);
}

MS_INLINE uint64_t ms_bank_set_of(const struct bank *bank, uint64_t line)
{
	return bank->mask != 0 ? line & bank->mask : line % bank->set_count;
}

MS_INLINE struct bank_set *ms_bank_at(const struct bank *bank, uint64_t set)
{
	return (struct bank_set *)(void *)(bank->sets + set * bank->stride);
}

MS_INLINE uint64_t ms_bank_line(const struct bank *bank, struct seat seat)
{
	return ms_bank_at(bank, seat.set)->at[bank->hash_words + seat.way] - 1;
}

MS_INLINE uint64_t ms_bank_hash(uint64_t line)
{
	return (line + 1) * UINT64_C(0x9e3779b97f4a7c15) >> 56;
}

/* The line will be asked for soon. */
MS_INLINE void ms_bank_expect(const struct bank *bank, uint64_t line)
{
	uint64_t set = ms_bank_set_of(bank, line);
	const unsigned char *at = bank->sets + set * bank->stride;

	for (size_t i = 0; i < bank->stride; i += 64)
		__builtin_prefetch(at + i);
}

/* The first way of the set that holds the line; MS_LINE_NONE: that is empty. */
MS_INLINE uint32_t ms_bank_way(const struct bank *bank, const struct bank_set *at, uint64_t line)
{
	uint64_t hashes = ms_bank_hash(line) * MS_EACH_BYTE;

	for (uint32_t i = 0; i < bank->hash_words; i++) {
		uint64_t same = ms_zeros_of(at->at[i] ^ hashes, MS_EACH_BYTE, 8);

		if (i + 1 == bank->hash_words)
			same &= bank->exists;
		for (; same != 0; same &= same - 1) {
			uint32_t way = i * 8 + ((uint32_t)__builtin_ctzll(same) >> 3);

			if (MS_LIKELY(at->at[bank->hash_words + way] == line + 1))
				return way;
		}
	}
	return MS_BANK_NOWHERE;
}

MS_INLINE struct seat ms_bank_find(const struct bank *bank, uint64_t line)
{
	uint64_t set = ms_bank_set_of(bank, line);

	return (struct seat){ set, ms_bank_way(bank, ms_bank_at(bank, set), line) };
}

/* The same of a line that is likely to be the most recent one of its set. */
MS_INLINE struct seat ms_bank_find_first(const struct bank *bank, uint64_t line)
{
	uint64_t set = ms_bank_set_of(bank, line);
	const struct bank_set *at = ms_bank_at(bank, set);
	uint32_t way = (uint32_t)((at->order ^ MS_BANK_ORDER) & 15);

	if (MS_LIKELY(bank->policy == NULL && at->at[bank->hash_words + way] == line + 1))
		return (struct seat){ set, way };
	return (struct seat){ set, ms_bank_way(bank, at, line) };
}

/* Whether the way is its set's most recent one, so that to use it changes nothing; of a policy that
 * is not known. */
MS_INLINE bool ms_bank_is_first(const struct bank *bank, struct seat seat)
{
	uint64_t order = ms_bank_at(bank, seat.set)->order ^ MS_BANK_ORDER;

	return bank->policy == NULL && (order & 15) == seat.way;
}

/* Whether the line is its set's most recent one but one, as most are that are not the most recent:
 * then it is found, and used, at once. Not where a policy decides who leaves. */
MS_INLINE bool ms_bank_is_second(const struct bank *bank, const struct bank_set *at, uint64_t line,
				 uint32_t *way)
{
	*way = (uint32_t)((at->order ^ MS_BANK_ORDER) >> 4 & 15);
	return bank->policy == NULL && bank->ways > 1 &&
	       at->at[bank->hash_words + *way] == line + 1;
}

MS_INLINE void ms_bank_use_second(struct bank_set *at)
{
	uint64_t order = at->order ^ MS_BANK_ORDER;

	at->order =
		((order & ~UINT64_C(255)) | (order & 15) << 4 | (order >> 4 & 15)) ^ MS_BANK_ORDER;
}

/* The way was referenced, or filled. */
MS_INLINE void ms_bank_use(const struct bank *bank, struct seat seat)
{
	struct bank_set *at = ms_bank_at(bank, seat.set);

	if (MS_LIKELY(bank->policy == NULL))
		at->order = ms_order_to_front(at->order ^ MS_BANK_ORDER, seat.way) ^ MS_BANK_ORDER;
	else
		ms_bank_use_policy(bank, seat);
}

/* The way for a line that is to come: an empty one, or that of the line that has to leave. */
MS_INLINE struct seat ms_bank_room(const struct bank *bank, uint64_t set)
{
	uint64_t order = ms_bank_at(bank, set)->order ^ MS_BANK_ORDER;

	if (MS_LIKELY(bank->policy == NULL))
		return (struct seat){ set, order >> (bank->ways - 1) * 4 & 15 };
	return (struct seat){ set, ms_bank_room_policy(bank, set) };
}

/* MS_LINE_NONE: nothing any more. */
MS_INLINE void ms_bank_set_line(const struct bank *bank, struct seat seat, uint64_t line)
{
	struct bank_set *at = ms_bank_at(bank, seat.set);
	uint64_t others = seat.way < 64 ? ~(UINT64_C(1) << seat.way) : UINT64_MAX;

	((uint8_t *)at->at)[seat.way] = (uint8_t)ms_bank_hash(line);
	at->at[bank->hash_words + seat.way] = line + 1;
	at->quiet &= others;
	at->owned &= others;
}

MS_INLINE void ms_bank_empty(const struct bank *bank, struct seat seat)
{
	struct bank_set *at = ms_bank_at(bank, seat.set);

	ms_bank_set_line(bank, seat, MS_LINE_NONE);
	if (bank->policy == NULL)
		at->order = ms_order_to_back(at->order ^ MS_BANK_ORDER, seat.way, bank->ways) ^
			    MS_BANK_ORDER;
}

/* The line comes into the way. */
MS_INLINE void ms_bank_put(const struct bank *bank, struct seat seat, uint64_t line)
{
	ms_bank_set_line(bank, seat, line);
	ms_bank_use(bank, seat);
}

#endif
