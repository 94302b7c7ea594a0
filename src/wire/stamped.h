/*
 * wire/stamped.h - heap blocks of a program with several threads: each thread writes to
 * memory of its own, and memspy restores the order.
 *
 * Without tracing, threads report heap blocks only. Their order matters for the same memory: a
 * block that one thread frees may be allocated by another immediately. So each report has a stamp.
 * The stamp of a free is taken before the block is freed, and that of an allocation after it has
 * returned. Whatever happened before, by synchronisation of the allocator or of the program, has a
 * lower stamp, and was written before. A chunk of the lane has the stamp of its hand-over.
 *
 * After the chunks of each lane, there is a ring of struct ms_wire_stamped: the writer increments
 * lane.stamped, the reader lane.stamped_taken. Lane 0 and traces do not have it: they contain
 * MS_WIRE_PACKED records instead.
 *
 * Freestanding, like wire.h.
 */
#ifndef MS_WIRE_STAMPED_H
#define MS_WIRE_STAMPED_H

#include "wire/wire.h"

enum ms_wire_stamps {
	MS_WIRE_STAMPS_NONE,    /* heap blocks are reported in chunks of the lane only */
	MS_WIRE_STAMPS_COUNTER, /* the processors' counter, which is synchronised between them */
	MS_WIRE_STAMPS_COUNTED, /* ms_wire_stream.stamp is incremented */
};

/*
 * The word is as in MS_WIRE_PACKED, but its address is absolute: the lower 32 bits, in units of 16
 * bytes, are in the word, the others in the lowest bits of the stamp.
 */
struct ms_wire_stamped {
	uint64_t word;
	uint64_t stamp;
};

enum {
	MS_WIRE_STAMP_AT = 12,
	MS_WIRE_STAMPED_BITS = 32 + MS_WIRE_STAMP_AT + MS_WIRE_PACKED_UNIT, /* of an address */
};

static inline struct ms_wire_stamped ms_wire_stamp(uint64_t word, uint64_t address, uint64_t stamp)
{
	uint64_t place = address >> MS_WIRE_PACKED_UNIT;
	struct ms_wire_stamped s = { word | (place & UINT32_MAX),
				     stamp << MS_WIRE_STAMP_AT | place >> 32 };

	return s;
}

/* Returns whether the address can be represented. */
static inline int ms_wire_can_stamp(uint64_t address)
{
	const uint64_t unit = (UINT64_C(1) << MS_WIRE_PACKED_UNIT) - 1;

	return (address & unit) == 0 && address >> MS_WIRE_STAMPED_BITS == 0;
}

static inline uint64_t ms_wire_stamped_address(const struct ms_wire_stamped *s)
{
	uint64_t high = s->stamp & ((UINT64_C(1) << MS_WIRE_STAMP_AT) - 1);

	return (high << 32 | (s->word & UINT32_MAX)) << MS_WIRE_PACKED_UNIT;
}

/* Returns how much earlier than `now` a stamp is, whose highest bits are missing;
 * negative: later. */
static inline int64_t ms_wire_stamp_age(uint64_t stamp, uint64_t now)
{
	return (int64_t)((now - stamp) << MS_WIRE_STAMP_AT) >> MS_WIRE_STAMP_AT;
}

MS_WIRE_ASSERT(sizeof(struct ms_wire_stamped) == 16);
MS_WIRE_ASSERT(MS_WIRE_STAMPED_BITS == 48);

#endif
