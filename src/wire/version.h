/*
 * wire/version.h - the version of the wire format, and its limits.
 *
 * Freestanding, like wire.h, which includes it.
 */
#ifndef MS_WIRE_VERSION_H
#define MS_WIRE_VERSION_H

#include <stddef.h>
#include <stdint.h>

#define MS_WIRE_MAGIC UINT64_C(0x01007970736d656d) /* the bytes "memspy" 0 1 */

enum ms_wire_version {
	MS_WIRE_FIRST = 1,
	MS_WIRE_PROGRAM_TELLS = 2,  /* private allocators, names, phases, counting on and off */
	MS_WIRE_PARALLEL = 3,       /* waits, spinning, affinity, memory policies */
	MS_WIRE_SAMPLED = 4,        /* windows */
	MS_WIRE_HARDWARE = 5,       /* time stamps and samples of the real machine */
	MS_WIRE_STRATA = 6,         /* strata: windows whose density changes */
	MS_WIRE_THINNED = 7,        /* sampled allocations */
	MS_WIRE_COUNTED = 8,        /* executions between windows, by exit */
	MS_WIRE_UNTRACED_TIME = 9,  /* untraced time, with its reasons */
	MS_WIRE_PARTS_COUNTED = 10, /* between windows, a part of the references is counted */
	MS_WIRE_HEAP_PACKED = 11,   /* allocations in one word each */
	MS_WIRE_GAPS_TIMED = 12,    /* precision of the time between windows */
	MS_WIRE_SPIN_LOOPS = 13,    /* spin loops, which are counted in part only */
	MS_WIRE_OPERANDS = 14,      /* registers that instructions read and write */
	MS_WIRE_UNWOUND = 15,       /* calls that have not returned, where a window begins */

	MS_WIRE_OLDEST = MS_WIRE_FIRST,
	MS_WIRE_NEWEST = MS_WIRE_UNWOUND,
};

enum {
	MS_WIRE_READER_AT = 2048, /* see ms_wire_has_reader() */
	MS_WIRE_LANES_AT = 4096,
	/* A writer starts no record with less room than this before the end of its chunk. */
	MS_WIRE_RESERVE_WORDS = 1024,
	/* So a block may have this many references (its head word needs one more) ... */
	MS_WIRE_MAX_REFS = 500,
	/* ... and a text in an event this many bytes. */
	MS_WIRE_MAX_TEXT = 4096,
	MS_WIRE_MAX_PATH = 256,
	MS_WIRE_MAX_NAME = 255, /* bytes of a name that the program gives */
	MS_WIRE_MIN_CHUNK = 2 * MS_WIRE_RESERVE_WORDS * 8,
};

#if defined(__cplusplus)
#define MS_WIRE_ASSERT(x) static_assert(x, "wire layout")
#else
#define MS_WIRE_ASSERT(x) _Static_assert(x, "wire layout")
#endif

#endif
