/*
 * stream/check.h - whether a stream keeps its rules, and where it breaks them.
 *
 * Checked: a trace file's parts (docs/formats/trace.md), each chunk's checksum, and every record of
 * stream/wire.h: its kind, its length, its numbers, and that what it names has been described
 * before. Behind a chunk that cannot be read, or the rest of one that cannot be followed, numbers
 * are not known any more: records are then checked one by one, but not against what was lost.
 */
#ifndef MS_STREAM_CHECK_H
#define MS_STREAM_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"
#include "stream/wire.h"

#define MS_CHECK_NOWHERE UINT64_MAX

struct ms_check_problem {
	uint64_t chunk; /* MS_CHECK_NOWHERE: of the file as a whole */
	uint64_t word; /* of the record's head in the chunk; MS_CHECK_NOWHERE: of the whole chunk */
	const char *text;
};

struct ms_check_result {
	uint64_t chunks;
	uint64_t words;
	uint64_t records[MS_WIRE_KINDS];
	uint64_t references;
	uint64_t not_made;      /* conditional references that did not happen */
	uint64_t instructions;  /* executed */
	uint64_t exits;         /* described */
	uint64_t unknown_frees; /* of addresses where nothing was allocated: no problem, but told */
	uint64_t over_live;     /* allocations where something was, not freed: likewise */
	bool limited;           /* of a file: a limit kept out what came later; likewise */
	uint64_t problems;      /* all of them ... */
	MS_VEC(struct ms_check_problem) first; /* ... and the first few */
};

struct ms_check;

/* most: how many problems are kept; all are counted. */
struct ms_check *ms_check_open(size_t most);
void ms_check_close(struct ms_check *check);
/* Valid until close. */
const struct ms_check_result *ms_check_result(const struct ms_check *check);
/* Records of a kind, as in "12 allocations", and as a key: "allocations". */
const char *ms_check_kind_name(unsigned kind);
const char *ms_check_kind_key(unsigned kind);

/* The next chunk of a stream. */
void ms_check_chunk(struct ms_check *check, const uint64_t *words, size_t n);
/* A whole file. Fails only when it cannot be read at all, or has no header; else see the result. */
int ms_check_trace(struct ms_check *check, const char *path, struct ms_err *err);

#endif
