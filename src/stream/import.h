/*
 * stream/import.h - foreign traces (docs/formats/import.md) as a stream: blocks are described when
 * they are first met, then executed, chunk by chunk.
 *
 * A block is one instruction with its references; the same instruction with another list of sizes
 * and kinds is another block. There are no modules. Memory is mapped in windows as it is touched,
 * so that it has at least its address for a name.
 */
#ifndef MS_STREAM_IMPORT_H
#define MS_STREAM_IMPORT_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct ms_import;

/* The formats in order; NULL behind the last. */
const char *ms_import_name(size_t i);

/*
 * path "-" is standard input. What gzip, xz or zstd has compressed is read through them. format
 * NULL: whichever the beginning looks like; *import stays NULL when that is a trace of memspy's
 * own.
 */
int ms_import_open(struct ms_import **import, const char *path, const char *format,
		   struct ms_err *err);
void ms_import_close(struct ms_import *import);
const char *ms_import_format(const struct ms_import *import);
/* Fills a chunk with room for so many words, at least MS_WIRE_MIN_CHUNK / 8; *n == 0: the end. */
int ms_import_read(struct ms_import *import, uint64_t *words, size_t room, size_t *n,
		   struct ms_err *err);

#endif
