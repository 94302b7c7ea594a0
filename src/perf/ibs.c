/*
 * perf/ibs.c - decodes an operation of AMD's instruction based sampling: the registers that the
 * kernel provides as raw data (processor programming references, MSRC001_1033 and up).
 */
#include <string.h>

#include "perf/perf_priv.h"

/* Registers after the word of capabilities, eight bytes each. */
enum { OP_CTL, OP_RIP, OP_DATA, OP_DATA2, OP_DATA3, DC_LINEAR, DC_PHYSICAL, REGISTERS };

enum { CAPS_BYTES = 4, CAP_ZEN4 = 1u << 11 };

#define BIT(word, n)       (((word) >> (n)) & 1)
#define BITS(word, hi, lo) (((word) >> (lo)) & ((UINT64_C(1) << ((hi) - (lo) + 1)) - 1))

/* MSRC001_1037 */
#define LOADS(d3)        BIT(d3, 0)
#define STORES(d3)       BIT(d3, 1)
#define L1_MISSED(d3)    BIT(d3, 7)
#define UNCACHED(d3)     BIT(d3, 14)
#define HAS_ADDRESS(d3)  BIT(d3, 17)
#define L2_MISSED(d3)    BIT(d3, 20)
#define WIDTH(d3)        BITS(d3, 25, 22)
#define MISS_LATENCY(d3) BITS(d3, 47, 32)

/* MSRC001_1036 */
#define SOURCE(d2)      BITS(d2, 2, 0)
#define SOURCE_ZEN4(d2) (BITS(d2, 7, 6) << 3 | BITS(d2, 2, 0))
#define REMOTE_NODE(d2) BIT(d2, 4)
#define RIP_INVALID(d)  BIT(d, 38)

static uint32_t old_source(uint64_t d2)
{
	switch (SOURCE(d2)) {
	case 2:
		return REMOTE_NODE(d2) ? MS_ANSWER_REMOTE_PEER : MS_ANSWER_L3;
	case 3:
		return REMOTE_NODE(d2) ? MS_ANSWER_REMOTE : MS_ANSWER_LOCAL;
	case 4:
		return MS_ANSWER_REMOTE_PEER;
	case 7:
		return MS_ANSWER_OTHER;
	default:
		return MS_ANSWER_UNKNOWN;
	}
}

static uint32_t zen4_source(uint64_t d2)
{
	switch (SOURCE_ZEN4(d2)) {
	case 1:
		return MS_ANSWER_L3;
	case 2:
		return MS_ANSWER_PEER;
	case 3:
	case 6: /* slower memory of the same kind */
	case 8: /* beyond a link */
	case 12:
		return REMOTE_NODE(d2) ? MS_ANSWER_REMOTE : MS_ANSWER_LOCAL;
	case 5:
		return MS_ANSWER_REMOTE_PEER;
	case 7:
		return MS_ANSWER_OTHER;
	default:
		return MS_ANSWER_UNKNOWN;
	}
}

static uint32_t answer_of(uint32_t caps, uint64_t d2, uint64_t d3)
{
	if (UNCACHED(d3))
		return MS_ANSWER_OTHER;
	if (!L1_MISSED(d3))
		return MS_ANSWER_L1;
	if (!L2_MISSED(d3))
		return MS_ANSWER_L2;
	return (caps & CAP_ZEN4) != 0 ? zen4_source(d2) : old_source(d2);
}

bool ms_perf_ibs_read(const void *raw, size_t n, struct ms_perf_sample *sample)
{
	uint64_t r[REGISTERS];
	uint32_t caps;

	if (n < CAPS_BYTES + sizeof(r))
		return false;
	memcpy(&caps, raw, sizeof(caps));
	memcpy(r, (const char *)raw + CAPS_BYTES, sizeof(r));
	uint64_t d3 = r[OP_DATA3];
	bool loads = LOADS(d3) != 0, stores = STORES(d3) != 0;

	if (!RIP_INVALID(r[OP_DATA]))
		sample->ip = r[OP_RIP];
	sample->skipped = !loads && !stores;
	sample->kind = loads && stores ? MS_SITE_MODIFY : stores ? MS_SITE_WRITE : MS_SITE_READ;
	sample->address = HAS_ADDRESS(d3) ? r[DC_LINEAR] : 0;
	sample->size = WIDTH(d3) > 0 && WIDTH(d3) <= 7 ? (uint8_t)(1u << (WIDTH(d3) - 1)) : 0;
	sample->answer = (uint8_t)answer_of(caps, r[OP_DATA2], d3);
	/* Only for loads that missed; the latency of a hit is not recorded. */
	sample->latency = loads && L1_MISSED(d3) ? MISS_LATENCY(d3) : 0;
	return true;
}
