/*
 * stream/wire_stamped.h - blocks of a program with several threads, told by each in memory of its
 * own, and put in order by memspy.
 *
 * Where threads are not traced, nothing but blocks comes and goes, and what matters of their order
 * is that of the same memory: a block that one thread frees may be another's the next moment. So
 * each is told with a stamp. That of a block that goes is taken before it is freed, and that of
 * one that comes after it was given: whatever came before, by the allocator's or the program's own
 * doing, has a lower stamp, and has been written before, too. A chunk of the lane has the stamp of
 * the moment when it was handed over.
 *
 * Behind the chunks of each lane stands a ring of struct ms_wire_stamped: the writer counts
 * lane.stamped up, the reader lane.stamped_taken. Lane 0 and traces have none of this: there they
 * are MS_WIRE_PACKED.
 *
 * Freestanding, as wire.h is.
 */
#ifndef MS_STREAM_WIRE_STAMPED_H
#define MS_STREAM_WIRE_STAMPED_H

#include "stream/wire.h"

enum ms_wire_stamps {
	MS_WIRE_STAMPS_NONE,    /* blocks are told by chunks of the lane only */
	MS_WIRE_STAMPS_COUNTER, /* the processors' counter, which is the same on all of them */
	MS_WIRE_STAMPS_COUNTED, /* ms_wire_stream.stamp is counted up */
};

/*
 * The word is as in MS_WIRE_PACKED, but where the block lies is told from address 0 on: the lower
 * 32 bits, in units of 16 bytes, there, and the others in the stamp's lowest.
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

/* Whether it can be told so. */
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

/* How much earlier than `now` a stamp is, of which the highest bits are lost; negative: later. */
static inline int64_t ms_wire_stamp_age(uint64_t stamp, uint64_t now)
{
	return (int64_t)((now - stamp) << MS_WIRE_STAMP_AT) >> MS_WIRE_STAMP_AT;
}

MS_WIRE_ASSERT(sizeof(struct ms_wire_stamped) == 16);
MS_WIRE_ASSERT(MS_WIRE_STAMPED_BITS == 48);

#endif
