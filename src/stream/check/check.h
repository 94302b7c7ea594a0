/*
 * stream/check/check.h - checks whether a stream follows its rules, and reports where it does not.
 *
 * Checked are the parts of a trace file (docs/formats/trace.md), the checksum of each chunk, and
 * every record of wire/wire.h: its kind, its length, its numbers, and that everything it refers
 * to was described before. After a chunk that cannot be read, or a malformed record, the numbers
 * are unknown. Later records are then checked one by one, but not against what was lost.
 */
#ifndef MS_STREAM_CHECK_CHECK_H
#define MS_STREAM_CHECK_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"
#include "wire/wire.h"

#define MS_CHECK_NOWHERE UINT64_MAX

struct ms_check_problem {
	uint64_t chunk; /* MS_CHECK_NOWHERE: the whole file */
	uint64_t word;  /* of the record's head in the chunk; MS_CHECK_NOWHERE: the whole chunk */
	const char *text;
};

struct ms_check_result {
	uint64_t chunks;
	uint64_t words;
	uint64_t records[MS_WIRE_KINDS];
	uint64_t references;
	uint64_t not_made;      /* conditional references that were not executed */
	uint64_t instructions;  /* executed */
	uint64_t exits;         /* described */
	uint64_t unknown_frees; /* frees of addresses without an allocation: not a problem, but
				   reported */
	uint64_t over_live;     /* allocations at an address that was not freed: likewise */
	bool limited;           /* of a file: records after a size limit are missing; likewise */
	uint64_t problems;      /* number of all problems */
	MS_VEC(struct ms_check_problem) first; /* the first few of them */
};

struct ms_check;

/* most: number of problems that are stored; all are counted. */
struct ms_check *ms_check_open(size_t most);
void ms_check_close(struct ms_check *check);
/* Valid until close. */
const struct ms_check_result *ms_check_result(const struct ms_check *check);
/* The kind of records in plural, as in "12 allocations", and as a key: "allocations". */
const char *ms_check_kind_name(unsigned kind);
const char *ms_check_kind_key(unsigned kind);

/* Checks the next chunk of a stream. */
void ms_check_chunk(struct ms_check *check, const uint64_t *words, size_t n);
/* Checks a whole file. Fails only if it cannot be read at all, or has no header; see
 * the result. */
int ms_check_trace(struct ms_check *check, const char *path, struct ms_err *err);

#endif
