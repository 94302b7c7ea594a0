/* stream/check/trace_file.c - checks the parts of a trace file, in the order of the file. */
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "stream/check/check_priv.h"
#include "stream/trace/trace.h"
#include "stream/trace/trace_priv.h"

struct layout {
	struct ms_check *check;
	const char *path;
	int fd;
	uint64_t size;
	uint32_t chunk_bytes;
	uint64_t words;          /* of all chunks so far */
	MS_VEC(uint64_t) chunks; /* offset of each */
};

#define FILE_PROBLEM(l, ...) \
	ms_check_problem((l)->check, MS_CHECK_NOWHERE, MS_CHECK_NOWHERE, __VA_ARGS__)

/* Returns false if the file is too short. */
static bool read_at(const struct layout *l, uint64_t at, void *into, size_t n)
{
	return at <= l->size && l->size - at >= n && pread(l->fd, into, n, (off_t)at) == (ssize_t)n;
}

/* Returns whether there is a chunk; *at moves past it. */
static bool next_chunk(struct layout *l, uint64_t *at)
{
	struct ms_trace_chunk chunk;

	if (!read_at(l, *at, &chunk, sizeof(chunk)) || chunk.magic != MS_TRACE_CHUNK)
		return false;
	if (chunk.words == 0 || chunk.words > l->chunk_bytes / 8)
		ms_check_problem(l->check, l->chunks.n, MS_CHECK_NOWHERE,
				 "at byte %" PRIu64 ": %u words, expected 1 to %u", *at,
				 chunk.words, l->chunk_bytes / 8);
	if (chunk.bytes > l->size - *at - sizeof(chunk)) {
		ms_check_problem(l->check, l->chunks.n, MS_CHECK_NOWHERE,
				 "at byte %" PRIu64 ": %u bytes, and only %" PRIu64 " are left",
				 *at, chunk.bytes, l->size - *at - sizeof(chunk));
		*at = l->size;
		return false;
	}
	*ms_vec_add(&l->chunks) = *at;
	l->words += chunk.words;
	*at += sizeof(chunk) + chunk.bytes;
	return true;
}

static void check_offsets(struct layout *l, uint64_t at, uint64_t n)
{
	for (uint64_t i = 0; i < n && i < l->chunks.n; i++) {
		uint64_t offset = 0;

		if (!read_at(l, at + i * 8, &offset, sizeof(offset)))
			break;
		if (offset != l->chunks.at[i])
			ms_check_problem(l->check, i, MS_CHECK_NOWHERE,
					 "the index says that it is at byte %" PRIu64
					 ", it is at %" PRIu64,
					 offset, l->chunks.at[i]);
	}
}

static void check_tail(struct layout *l, uint64_t index_at, uint64_t at)
{
	struct ms_trace_tail tail;

	if (!read_at(l, at, &tail, sizeof(tail))) {
		FILE_PROBLEM(l, "the index at byte %" PRIu64 " is cut short", index_at);
		return;
	}
	if (tail.magic != MS_TRACE_MAGIC)
		FILE_PROBLEM(l, "at byte %" PRIu64 ": found no tail that ends a trace", at);
	else if (tail.index_at != index_at)
		FILE_PROBLEM(l,
			     "at byte %" PRIu64 ": the tail points to %" PRIu64
			     ", expected the index, at %" PRIu64,
			     at, tail.index_at, index_at);
	uint64_t end = at + sizeof(tail);
	if (end != l->size)
		FILE_PROBLEM(l, "%" PRIu64 " byte%s after the end, at byte %" PRIu64, l->size - end,
			     l->size - end == 1 ? "" : "s", end);
}

static void check_index(struct layout *l, uint64_t at)
{
	struct ms_trace_index index;

	if (!read_at(l, at, &index, sizeof(index))) {
		FILE_PROBLEM(l,
			     "the file ends at byte %" PRIu64 ", after %zu chunk%s and without an "
			     "index: it was cut short",
			     l->size, l->chunks.n, l->chunks.n == 1 ? "" : "s");
		return;
	}
	if (index.magic != MS_TRACE_INDEX) {
		FILE_PROBLEM(l,
			     "at byte %" PRIu64
			     ", after %zu chunk%s: found 0x%08x, expected a chunk "
			     "or the index",
			     at, l->chunks.n, l->chunks.n == 1 ? "" : "s", index.magic);
		return;
	}
	if (index.chunks != l->chunks.n || index.words != l->words)
		FILE_PROBLEM(l,
			     "the index says %" PRIu64 " chunk%s of %" PRIu64
			     " words, there are %zu of %" PRIu64,
			     index.chunks, index.chunks == 1 ? "" : "s", index.words, l->chunks.n,
			     l->words);
	l->check->result.limited = index.limited != 0;
	if (index.end > MS_TRACE_MOST_END)
		FILE_PROBLEM(l, "the index says that the program ended as %u, expected 0 to %d",
			     index.end, MS_TRACE_MOST_END);
	if (index.chunks > l->size / 8)
		return;
	check_offsets(l, at + sizeof(index), index.chunks);
	check_tail(l, at, at + sizeof(index) + index.chunks * 8);
}

static int check_layout(struct ms_check *check, const char *path, struct ms_err *err)
{
	struct layout l = { .check = check, .path = path };
	struct ms_trace_head head;
	struct stat st;

	l.fd = open(path, O_RDONLY | O_CLOEXEC);
	if (l.fd < 0 || fstat(l.fd, &st) != 0) {
		int code = ms_fail_errno(err, "%s: cannot be opened", path);

		if (l.fd >= 0)
			close(l.fd);
		return code;
	}
	l.size = (uint64_t)st.st_size;
	if (read_at(&l, 0, &head, sizeof(head))) {
		uint64_t at = (uint64_t)head.head_bytes + head.text_bytes;

		l.chunk_bytes = head.chunk_bytes;
		while (next_chunk(&l, &at))
			;
		check_index(&l, at);
	}
	ms_vec_free(&l.chunks);
	close(l.fd);
	return MS_OK;
}

static void check_chunks(struct ms_check *check, struct ms_trace *trace)
{
	uint64_t *words = ms_alloc(ms_trace_info(trace)->chunk_bytes);

	for (uint64_t k = 0; k < ms_trace_chunks(trace); k++) {
		struct ms_err err;
		size_t n = 0;

		if (ms_trace_read(trace, k, words, &n, &err) == MS_OK) {
			ms_check_chunk(check, words, n);
			continue;
		}
		ms_check_problem(
			check, k, MS_CHECK_NOWHERE,
			"its words cannot be read: it is damaged, or not where the index says");
		check->lost = true;
		check->chunk++;
		check->result.chunks++;
	}
	ms_free(words);
}

int ms_check_trace(struct ms_check *check, const char *path, struct ms_err *err)
{
	struct ms_trace *trace;

	MS_TRY(ms_trace_open(&trace, path, err));
	int code = check_layout(check, path, err);
	if (code == MS_OK)
		check_chunks(check, trace);
	ms_trace_close(trace);
	return code;
}
