/* stream/trace/trace_priv.h - the parts of a trace file, shared by its writer and its reader. */
#ifndef MS_STREAM_TRACE_TRACE_PRIV_H
#define MS_STREAM_TRACE_TRACE_PRIV_H

#include <assert.h>
#include <stdint.h>

#define MS_TRACE_MAGIC UINT64_C(0x65636172746d736d) /* the bytes "msmtrace" */
#define MS_TRACE_CHUNK UINT32_C(0x4b4e4843)         /* "CHNK" */
#define MS_TRACE_INDEX UINT32_C(0x58444e49)         /* "INDX" */

enum { MS_TRACE_MOST_END = 3 }; /* of enum ms_run_end */

enum ms_trace_version {
	MS_TRACE_FIRST = 1,

	MS_TRACE_OLDEST = MS_TRACE_FIRST,
	MS_TRACE_NEWEST = MS_TRACE_FIRST,
};

/* At the start; followed by text_bytes of texts, each with a final NUL: front-end,
 * then arguments. */
struct ms_trace_head {
	uint64_t magic;
	uint32_t version;
	uint32_t head_bytes;
	uint32_t chunk_bytes;
	uint32_t wire_version;
	uint32_t text_bytes;
	uint32_t texts;
};

/* In the trace of a sampled program, between the head and its texts: the fields of struct
 * ms_stream_sampling. */
struct ms_trace_sampling {
	double ratio;
	uint64_t window;
	uint64_t seed;
	uint64_t set_mask;
	uint64_t set_every;
	uint32_t set_shift;
	uint32_t pad;
	uint64_t head;
	double wanted;
};

/* Before each chunk's compressed words. */
struct ms_trace_chunk {
	uint32_t magic;
	uint32_t words;
	uint32_t bytes; /* compressed */
	uint32_t check; /* of the words: see ms_trace_checksum() */
};

/* After the last chunk, followed by the offset of each chunk, then the tail. */
struct ms_trace_index {
	uint32_t magic;
	uint32_t end;
	int32_t exit_status;
	uint32_t limited; /* 1: chunks after a size limit are missing */
	uint64_t chunks;
	uint64_t words;
};

/* The file's last bytes. */
struct ms_trace_tail {
	uint64_t index_at;
	uint64_t magic;
};

static_assert(sizeof(struct ms_trace_head) == 32, "trace layout");
static_assert(sizeof(struct ms_trace_sampling) == 64, "trace layout");
static_assert(sizeof(struct ms_trace_chunk) == 16, "trace layout");
static_assert(sizeof(struct ms_trace_index) == 32, "trace layout");
static_assert(sizeof(struct ms_trace_tail) == 16, "trace layout");

uint32_t ms_trace_checksum(const uint64_t *words, size_t n);

#endif
