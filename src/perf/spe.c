/*
 * perf/spe.c - packets of Arm's statistical profiling extension, out of the AUX area (Arm
 * Architecture Reference Manual, chapter "Statistical Profiling Extension Sample Record
 * Specification"). A record is a sequence of packets that ends with an end packet or a time stamp.
 */
#include <string.h>

#include "perf/perf_priv.h"

enum {
	PADDING = 0x00,
	END = 0x01,
	TIMESTAMP = 0x71,
	/* The bits of a header byte under a mask. */
	MASK_SIZED = 0xcf, /* two bits in between hold the size */
	EVENTS = 0x42,
	SOURCE = 0x43,
	MASK_FOUR = 0xfc,
	EXTENDED = 0x20,
	CONTEXT = 0x64,
	OPERATION = 0x48,
	MASK_EIGHT = 0xf8,
	ADDRESS = 0xb0,
	COUNTER = 0x98,
};

enum { AT_PC = 0, AT_DATA = 2 };
enum { TOTAL_LATENCY = 0 };
enum { CLASS_MEMORY = 1 };
enum { EVENT_L1_REFILL = 3, EVENT_LLC_ACCESS = 8, EVENT_LLC_MISS = 9, EVENT_REMOTE = 10 };

/* The encoding of Neoverse cores; the architecture does not define it. */
static uint32_t source_answer(uint64_t source)
{
	switch (source) {
	case 0x0:
		return MS_ANSWER_L1;
	case 0x8:
		return MS_ANSWER_L2;
	case 0x9: /* another core */
	case 0xa: /* the cluster's */
	case 0xc: /* another cluster */
		return MS_ANSWER_PEER;
	case 0xb: /* the system's cache */
		return MS_ANSWER_L3;
	case 0xd:
		return MS_ANSWER_REMOTE_PEER;
	case 0xe:
		return MS_ANSWER_LOCAL;
	default:
		return MS_ANSWER_UNKNOWN;
	}
}

static uint32_t event_answer(uint64_t events)
{
#define HAS(event) ((events >> (event)&1) != 0)
	if (HAS(EVENT_LLC_MISS))
		return HAS(EVENT_REMOTE) ? MS_ANSWER_REMOTE : MS_ANSWER_LOCAL;
	if (HAS(EVENT_REMOTE))
		return MS_ANSWER_REMOTE_PEER;
	if (HAS(EVENT_LLC_ACCESS))
		return MS_ANSWER_L3;
	return HAS(EVENT_L1_REFILL) ? MS_ANSWER_L2 : MS_ANSWER_L1;
#undef HAS
}

static uint64_t little(const uint8_t *at, size_t n)
{
	uint64_t value = 0;

	memcpy(&value, at, n);
	return value;
}

/* Bits 63 to 56 hold a tag, or the exception level; the highest remaining bit is sign-extended. */
static uint64_t address_of(uint64_t payload)
{
	return (uint64_t)((int64_t)(payload << 8) >> 8);
}

static void take_address(struct ms_perf_spe_reader *r, unsigned index, uint64_t payload)
{
	if (index == AT_PC)
		r->sample.ip = address_of(payload);
	else if (index == AT_DATA)
		r->sample.address = address_of(payload);
}

static void take_operation(struct ms_perf_spe_reader *r, unsigned class, uint64_t payload)
{
	r->sample.skipped = class != CLASS_MEMORY;
	r->sample.kind = (payload & 1) != 0 ? MS_SITE_WRITE : MS_SITE_READ;
}

/* head: of the packet, or its second byte if it is extended; index: with its upper bits. */
static void take(struct ms_perf_spe_reader *r, uint8_t head, unsigned index, uint64_t payload)
{
	if ((head & MASK_SIZED) == EVENTS) {
		r->events = payload;
		r->has_events = true;
	} else if ((head & MASK_SIZED) == SOURCE) {
		r->sample.answer = (uint8_t)source_answer(payload);
		r->has_source = true;
	} else if ((head & MASK_FOUR) == OPERATION) {
		take_operation(r, head & 3, payload);
	} else if ((head & MASK_EIGHT) == ADDRESS) {
		take_address(r, index, payload);
	} else if ((head & MASK_EIGHT) == COUNTER && index == TOTAL_LATENCY) {
		r->sample.latency = payload;
	} else if (head == TIMESTAMP) {
		r->sample.time = payload;
		r->has_time = true;
	}
	r->any = true;
}

static bool is_known(uint8_t head)
{
	return (head & MASK_SIZED) == EVENTS || (head & MASK_SIZED) == SOURCE ||
	       (head & MASK_FOUR) == OPERATION || (head & MASK_FOUR) == CONTEXT ||
	       (head & MASK_EIGHT) == ADDRESS || (head & MASK_EIGHT) == COUNTER ||
	       head == TIMESTAMP;
}

/* An extended header whose second byte is 0 pads to a multiple of a power of two. */
static size_t alignment(uint8_t head, size_t offset)
{
	size_t to = (size_t)1 << ((head & 0xf) + 1);

	return to - (offset & (to - 1));
}

static void begin(struct ms_perf_spe_reader *r)
{
	uint64_t broken = r->broken;

	*r = (struct ms_perf_spe_reader){ .broken = broken };
	r->sample.skipped = true; /* until it is known to be a load or store */
	r->sample.kind = MS_SITE_ACCESS;
}

static bool finish(struct ms_perf_spe_reader *r)
{
	if (!r->has_source && r->has_events)
		r->sample.answer = (uint8_t)event_answer(r->events);
	bool whole = r->any;

	r->any = false; /* the next packet begins another record */
	return whole;
}

size_t ms_perf_spe_packet(struct ms_perf_spe_reader *r, const uint8_t *at, size_t n, size_t offset,
			  bool *done)
{
	size_t head_bytes = 1;
	uint8_t head = n > 0 ? at[0] : PADDING;
	unsigned upper = 0;

	*done = false;
	if (n == 0 || head == PADDING)
		return n > 0;
	if (!r->any)
		begin(r);
	if (head == END) {
		*done = finish(r);
		return 1;
	}
	if ((head & MASK_FOUR) == EXTENDED) {
		if (n < 2)
			return 0;
		if (at[1] == 0) {
			size_t skip = alignment(head, offset);
			return skip <= n ? skip : 0;
		}
		upper = (head & 3u) << 3;
		head = at[1];
		head_bytes = 2;
	}
	if (!is_known(head)) {
		r->broken++;
		return 1;
	}
	size_t payload = (size_t)1 << (head >> 4 & 3);
	if (n < head_bytes + payload)
		return 0;
	take(r, head, upper | (head & 7), little(at + head_bytes, payload));
	if (head == TIMESTAMP)
		*done = finish(r);
	return head_bytes + payload;
}
