/*
 * stream/import/import.h - converts foreign traces (docs/formats/import.md) to a stream: blocks are
 * described at their first execution, chunk by chunk.
 *
 * A block is one instruction with its references; the same instruction with other sizes or kinds
 * is another block. There are no modules. Memory is mapped in windows when it is first touched, so
 * that its address can serve as a name.
 */
#ifndef MS_STREAM_IMPORT_IMPORT_H
#define MS_STREAM_IMPORT_IMPORT_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct ms_import;

/* The formats in order; NULL after the last one. */
const char *ms_import_name(size_t i);

/*
 * path "-" is standard input. Files compressed by gzip, xz or zstd are decompressed. format NULL:
 * detected from the beginning of the file; *import stays NULL if that is a trace of memspy itself.
 */
int ms_import_open(struct ms_import **import, const char *path, const char *format,
		   struct ms_err *err);
void ms_import_close(struct ms_import *import);
const char *ms_import_format(const struct ms_import *import);
/* Fills a chunk of at most `room` words, at least MS_WIRE_MIN_CHUNK / 8; *n == 0: the end. */
int ms_import_read(struct ms_import *import, uint64_t *words, size_t room, size_t *n,
		   struct ms_err *err);

#endif
