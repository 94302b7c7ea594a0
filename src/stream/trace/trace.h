/*
 * stream/trace/trace.h - a trace: the stream of one run in a file, chunk by chunk, compressed. The
 * format is docs/formats/trace.md.
 *
 * A truncated file (full disk, memspy killed) can be read up to its last complete chunk.
 */
#ifndef MS_STREAM_TRACE_TRACE_H
#define MS_STREAM_TRACE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "stream/window_sampler.h"

/* The description of the run that a trace contains. */
struct ms_trace_info {
	const char *frontend;
	const char *const *argv;                   /* NULL at the end */
	uint32_t chunk_bytes;                      /* no chunk is larger */
	const struct ms_stream_sampling *sampling; /* the sampling of the program; NULL: none */
};

/* How the program ended: values of enum ms_run_end, which the stream does not interpret. */
struct ms_trace_end {
	uint32_t end;
	int32_t exit_status;
	bool limited; /* only the beginning was stored; for readers, as the writer has the limit
			 itself */
};

struct ms_trace_writer;

/* limit: size of the file after which no chunks are stored; 0: none. */
int ms_trace_create(struct ms_trace_writer **writer, const char *path, uint64_t limit,
		    const struct ms_trace_info *info, struct ms_err *err);
/* Stores a chunk, unless the limit is reached. */
int ms_trace_add(struct ms_trace_writer *writer, const uint64_t *words, size_t n,
		 struct ms_err *err);
bool ms_trace_limited(const struct ms_trace_writer *writer);
/* Writes the index and closes the file. Always frees the writer. */
int ms_trace_finish(struct ms_trace_writer *writer, const struct ms_trace_end *end,
		    struct ms_err *err);

struct ms_trace;

int ms_trace_open(struct ms_trace **trace, const char *path, struct ms_err *err);
void ms_trace_close(struct ms_trace *trace);
const struct ms_trace_info *ms_trace_info(const struct ms_trace *trace);

/* The state of the file's structure, without the words in its chunks. */
enum ms_trace_state {
	MS_TRACE_WHOLE,
	MS_TRACE_NO_INDEX, /* the index is damaged; all chunks were found without it */
	MS_TRACE_CUT,      /* the file ends before the index */
	MS_TRACE_BROKEN,   /* neither a chunk nor the index follows the last chunk */
};
enum ms_trace_state ms_trace_state(const struct ms_trace *trace);
/* Returns false if the trace does not have the program's end. */
bool ms_trace_ended(const struct ms_trace *trace, struct ms_trace_end *end);
/* Fails if there is no chunk, or if what follows a chunk cannot be found. */
int ms_trace_follow(const struct ms_trace *trace, struct ms_err *err);
uint64_t ms_trace_chunks(const struct ms_trace *trace);
uint64_t ms_trace_words(const struct ms_trace *trace);
/* Decompresses chunk k into words, which has room for chunk_bytes; *n is the number of words. */
int ms_trace_read(struct ms_trace *trace, uint64_t k, uint64_t *words, size_t *n,
		  struct ms_err *err);

/* The version of the compression library. */
const char *ms_trace_library(void);

#endif
