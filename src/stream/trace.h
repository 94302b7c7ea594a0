/*
 * stream/trace.h - a trace: the stream of one run kept in a file, chunk by chunk, compressed. The
 * format is docs/formats/trace.md.
 *
 * A file that was cut short (the disk was full, memspy was killed) can be read up to there.
 */
#ifndef MS_STREAM_TRACE_H
#define MS_STREAM_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "stream/sampler.h"

/* What a trace says about the run that it came from. */
struct ms_trace_info {
	const char *frontend;
	const char *const *argv;            /* NULL at the end */
	uint32_t chunk_bytes;               /* no chunk is larger */
	const struct ms_sampling *sampling; /* how the program was sampled; NULL: it was not */
};

/* How the program ended: values of enum ms_run_end, as far as the stream is concerned just numbers.
 */
struct ms_trace_end {
	uint32_t end;
	int32_t exit_status;
	bool limited; /* only the beginning was kept; who reads a trace is told, the writer knows */
};

struct ms_trace_writer;

/* limit: bytes of the file after which nothing more is kept; 0: none. */
int ms_trace_create(struct ms_trace_writer **writer, const char *path, uint64_t limit,
		    const struct ms_trace_info *info, struct ms_err *err);
/* Keeps a chunk, unless the limit is reached. */
int ms_trace_add(struct ms_trace_writer *writer, const uint64_t *words, size_t n,
		 struct ms_err *err);
bool ms_trace_limited(const struct ms_trace_writer *writer);
/* Writes the index and closes; also frees the writer, whatever happens. */
int ms_trace_finish(struct ms_trace_writer *writer, const struct ms_trace_end *end,
		    struct ms_err *err);

struct ms_trace;

int ms_trace_open(struct ms_trace **trace, const char *path, struct ms_err *err);
void ms_trace_close(struct ms_trace *trace);
const struct ms_trace_info *ms_trace_info(const struct ms_trace *trace);

/* What its parts say, without the words in them. */
enum ms_trace_state {
	MS_TRACE_WHOLE,
	MS_TRACE_NO_INDEX, /* the index is damaged; all chunks are there, and were found without */
	MS_TRACE_CUT,      /* the file ends before the index */
	MS_TRACE_BROKEN,   /* neither a chunk nor the index follows the last chunk that was found */
};
enum ms_trace_state ms_trace_state(const struct ms_trace *trace);
/* False: nothing says how the program ended. */
bool ms_trace_ended(const struct ms_trace *trace, struct ms_trace_end *end);
/* Fails where there is no chunk at all, or what follows one cannot be found. */
int ms_trace_follow(const struct ms_trace *trace, struct ms_err *err);
uint64_t ms_trace_chunks(const struct ms_trace *trace);
uint64_t ms_trace_words(const struct ms_trace *trace);
/* Decompresses chunk k into words, which has room for chunk_bytes; *n is how many there are. */
int ms_trace_read(struct ms_trace *trace, uint64_t k, uint64_t *words, size_t *n,
		  struct ms_err *err);

/* Version of the library that compresses them. */
const char *ms_trace_library(void);

#endif
