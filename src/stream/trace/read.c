/* stream/trace/read.c - reads a trace; every value of the file is checked before its use. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "base/arena.h"
#include "base/vec.h"
#include "stream/trace/trace.h"
#include "stream/trace/trace_priv.h"
#include "wire/wire.h"

/* Far more than the writer uses; a ring of such chunks still fits into any address space. */
enum { MOST_CHUNK_BYTES = 16 << 20 };

struct ms_trace {
	struct ms_arena arena;
	const char *path;
	const uint8_t *bytes;
	uint64_t size;
	struct ms_trace_info info;
	struct ms_stream_sampling sampling; /* the target of info.sampling */
	enum ms_trace_state state;
	uint64_t found; /* end of the consecutive chunks from the start */
	bool ended;     /* `end` is valid */
	struct ms_trace_end end;
	uint64_t words;
	MS_VEC(uint64_t) chunks;
	ZSTD_DCtx *decompressor;
};

/* A trace is read from its end and at offsets, so it must be a file. */
static int fail_no_file(const char *name, struct ms_err *err)
{
	return ms_fail(err, MS_EFORMAT,
		       "%s: not a regular file; traces of memspy are read at offsets, which "
		       "pipes do not support. Write the trace to a file first",
		       name);
}

static int map_file(struct ms_trace *t, struct ms_err *err)
{
	if (strcmp(t->path, "-") == 0)
		return fail_no_file("standard input", err);
	int fd = open(t->path, O_RDONLY | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return ms_fail(err, errno == ENOENT ? MS_ENOENT : MS_EIO,
			       "%s: cannot be opened: %s", t->path, strerror(errno));
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		return S_ISFIFO(st.st_mode)
			       ? fail_no_file(t->path, err)
			       : ms_fail(err, MS_EFORMAT, "%s: not a regular file", t->path);
	}
	t->size = (uint64_t)st.st_size;
	if (t->size < sizeof(struct ms_trace_head)) {
		close(fd);
		return ms_fail(err, MS_EFORMAT,
			       "%s: %" PRIu64 " bytes, too short for a memspy trace (written by "
			       "memspy run --trace)",
			       t->path, t->size);
	}
	void *bytes = mmap(NULL, t->size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (bytes == MAP_FAILED)
		return ms_fail_errno(err, "%s: cannot be mapped", t->path);
	t->bytes = bytes;
	return MS_OK;
}

static int read_texts(struct ms_trace *t, const struct ms_trace_head *head, struct ms_err *err)
{
	const char *at = (const char *)t->bytes + head->head_bytes;
	const char *end = at + head->text_bytes;
	const char **argv = ms_arena_take(&t->arena, ((size_t)head->texts + 1) * sizeof(*argv));

	for (uint32_t i = 0; i < head->texts; i++) {
		const char *nul = memchr(at, '\0', (size_t)(end - at));

		if (nul == NULL)
			return ms_fail(err, MS_EFORMAT, "%s: the program's arguments are cut short",
				       t->path);
		if (i == 0)
			t->info.frontend = at;
		else
			argv[i - 1] = at;
		at = nul + 1;
	}
	t->info.argv = argv;
	return MS_OK;
}

static bool is_sound(const struct ms_trace_sampling *s)
{
	return s->ratio > 0 && s->ratio <= 1 && s->window >= 1 && s->window <= UINT64_C(1) << 60 &&
	       s->set_every >= 1 && (s->set_every & (s->set_every - 1)) == 0 &&
	       (s->set_mask & (s->set_mask + 1)) == 0 && s->set_every - 1 <= s->set_mask &&
	       s->set_shift < 64 && s->head <= UINT64_C(1) << 60 && s->wanted >= 0 &&
	       s->wanted <= 1;
}

static int read_sampling(struct ms_trace *t, const struct ms_trace_head *head, struct ms_err *err)
{
	struct ms_trace_sampling s;

	if (head->head_bytes < sizeof(*head) + sizeof(s))
		return MS_OK;
	memcpy(&s, t->bytes + sizeof(*head), sizeof(s));
	if (!is_sound(&s))
		return ms_fail(err, MS_EFORMAT,
			       "%s: its header is damaged: sampled %g of it, one of %" PRIu64
			       " sets",
			       t->path, s.ratio, s.set_every);
	t->sampling = (struct ms_stream_sampling){
		.ratio = s.ratio,
		.window = s.window,
		.seed = s.seed,
		.sets = { s.set_shift, s.set_mask, s.set_every },
		.head = s.head,
		.wanted = s.wanted,
	};
	t->info.sampling = &t->sampling;
	return MS_OK;
}

static int read_head(struct ms_trace *t, struct ms_err *err)
{
	struct ms_trace_head head;

	memcpy(&head, t->bytes, sizeof(head));
	if (head.magic != MS_TRACE_MAGIC)
		return ms_fail(
			err, MS_EFORMAT,
			"%s: not a memspy trace (other formats: memspy replay --format NAME)",
			t->path);
	if (head.version < MS_TRACE_OLDEST || head.version > MS_TRACE_NEWEST ||
	    head.wire_version < MS_WIRE_OLDEST || head.wire_version > MS_WIRE_NEWEST)
		return ms_fail(err, MS_EFORMAT,
			       "%s: version %u.%u, this memspy reads %d.%d to %d.%d", t->path,
			       head.version, head.wire_version, MS_TRACE_OLDEST, MS_WIRE_OLDEST,
			       MS_TRACE_NEWEST, MS_WIRE_NEWEST);
	if (head.head_bytes < sizeof(head) || head.texts < 1 || head.texts > head.text_bytes ||
	    (uint64_t)head.head_bytes + head.text_bytes > t->size ||
	    head.chunk_bytes < MS_WIRE_MIN_CHUNK || head.chunk_bytes > MOST_CHUNK_BYTES)
		return ms_fail(err, MS_EFORMAT, "%s: its header is damaged", t->path);
	t->info.chunk_bytes = head.chunk_bytes;
	MS_TRY(read_sampling(t, &head, err));
	return read_texts(t, &head, err);
}

/* Reads the header of the chunk at `at`, if it is plausible. */
static bool chunk_at(const struct ms_trace *t, uint64_t at, struct ms_trace_chunk *chunk)
{
	if (at > t->size || t->size - at < sizeof(*chunk))
		return false;
	memcpy(chunk, t->bytes + at, sizeof(*chunk));
	return chunk->magic == MS_TRACE_CHUNK && chunk->words <= t->info.chunk_bytes / 8 &&
	       chunk->bytes <= t->size - at - sizeof(*chunk);
}

/* Finds consecutive chunks from the start. */
static void find_chunks(struct ms_trace *t)
{
	struct ms_trace_head head;
	struct ms_trace_chunk chunk;

	memcpy(&head, t->bytes, sizeof(head));
	for (t->found = (uint64_t)head.head_bytes + head.text_bytes; chunk_at(t, t->found, &chunk);
	     t->found += sizeof(chunk) + chunk.bytes) {
		*ms_vec_add(&t->chunks) = t->found;
		t->words += chunk.words;
	}
}

/* Returns the index's offset in the tail; 0: there is no tail. */
static uint64_t index_by_tail(const struct ms_trace *t)
{
	struct ms_trace_tail tail;

	memcpy(&tail, t->bytes + t->size - sizeof(tail), sizeof(tail));
	return tail.magic == MS_TRACE_MAGIC ? tail.index_at : 0;
}

static bool index_at(const struct ms_trace *t, uint64_t at, struct ms_trace_index *index)
{
	if (at > t->size || t->size - at < sizeof(*index))
		return false;
	memcpy(index, t->bytes + at, sizeof(*index));
	return index->magic == MS_TRACE_INDEX && index->end <= MS_TRACE_MOST_END;
}

static void take_end(struct ms_trace *t, const struct ms_trace_index *index)
{
	t->end = (struct ms_trace_end){ index->end, index->exit_status, index->limited != 0 };
	t->ended = true;
}

static uint64_t nth_offset(const struct ms_trace *t, uint64_t index, uint64_t i)
{
	uint64_t offset;

	memcpy(&offset, t->bytes + index + sizeof(struct ms_trace_index) + i * 8, sizeof(offset));
	return offset;
}

/* Uses the chunks of the index, present or not; returns false if the index is damaged. */
static bool believe_index(struct ms_trace *t)
{
	const size_t around = sizeof(struct ms_trace_index) + sizeof(struct ms_trace_tail);
	uint64_t at = index_by_tail(t);
	struct ms_trace_index index;

	if (at == 0 || !index_at(t, at, &index) || t->size - at < around ||
	    index.chunks != (t->size - at - around) / 8)
		return false;
	/* A chunk that is listed repeatedly would make a short file endless. */
	for (uint64_t i = 1; i < index.chunks; i++)
		if (nth_offset(t, at, i) <= nth_offset(t, at, i - 1))
			return false;
	t->chunks.n = 0;
	for (uint64_t i = 0; i < index.chunks; i++)
		*ms_vec_add(&t->chunks) = nth_offset(t, at, i);
	t->words = index.words;
	take_end(t, &index);
	return true;
}

/* Returns whether the index after the last chunk lists all chunks, and the tail points to it. */
static bool names_all(const struct ms_trace *t)
{
	if (index_by_tail(t) != t->found ||
	    t->size - t->found !=
		    sizeof(struct ms_trace_index) + t->chunks.n * 8 + sizeof(struct ms_trace_tail))
		return false;
	for (uint64_t i = 0; i < t->chunks.n; i++)
		if (nth_offset(t, t->found, i) != t->chunks.at[i])
			return false;
	return true;
}

/* Reads what follows the chunks. */
static enum ms_trace_state read_end(struct ms_trace *t)
{
	struct ms_trace_chunk next = { 0 };
	struct ms_trace_index index;
	uint64_t left = t->size - t->found;

	if (index_at(t, t->found, &index) && index.chunks == t->chunks.n &&
	    index.words == t->words) {
		take_end(t, &index);
		return names_all(t) ? MS_TRACE_WHOLE : MS_TRACE_NO_INDEX;
	}
	memcpy(&next, t->bytes + t->found, left < sizeof(next) ? left : sizeof(next));
	if (next.magic == MS_TRACE_INDEX || index_by_tail(t) == t->found)
		return MS_TRACE_NO_INDEX;
	if (believe_index(t))
		return MS_TRACE_WHOLE; /* except for a chunk whose error is reported when it is read
					*/
	if (left < sizeof(next) ||
	    (next.magic == MS_TRACE_CHUNK && next.words <= t->info.chunk_bytes / 8))
		return MS_TRACE_CUT;
	return MS_TRACE_BROKEN;
}

int ms_trace_open(struct ms_trace **trace, const char *path, struct ms_err *err)
{
	struct ms_trace *t = ms_alloc(sizeof(*t));
	int code;

	*trace = NULL;
	t->path = ms_arena_strdup(&t->arena, path);
	code = map_file(t, err);
	if (code == MS_OK)
		code = read_head(t, err);
	if (code != MS_OK) {
		ms_trace_close(t);
		return code;
	}
	find_chunks(t);
	t->state = read_end(t);
	t->decompressor = ZSTD_createDCtx();
	*trace = t;
	return MS_OK;
}

void ms_trace_close(struct ms_trace *t)
{
	if (t == NULL)
		return;
	if (t->bytes != NULL)
		munmap((void *)t->bytes, t->size);
	ZSTD_freeDCtx(t->decompressor);
	ms_vec_free(&t->chunks);
	ms_arena_free(&t->arena);
	ms_free(t);
}

const struct ms_trace_info *ms_trace_info(const struct ms_trace *trace)
{
	return &trace->info;
}

enum ms_trace_state ms_trace_state(const struct ms_trace *trace)
{
	return trace->state;
}

bool ms_trace_ended(const struct ms_trace *trace, struct ms_trace_end *end)
{
	*end = trace->end;
	return trace->ended;
}

int ms_trace_follow(const struct ms_trace *t, struct ms_err *err)
{
	const char *why = "there is none, and its index is damaged";

	if (t->state == MS_TRACE_BROKEN)
		return ms_fail(err, MS_EFORMAT,
			       "%s: chunk %zu (at byte %" PRIu64
			       ") is damaged: found neither a chunk nor the index",
			       t->path, t->chunks.n, t->found);
	if (t->chunks.n > 0 || (t->state == MS_TRACE_WHOLE && !t->end.limited))
		return MS_OK;
	if (t->state == MS_TRACE_CUT)
		why = "the trace was cut short before its end";
	else if (t->end.limited)
		why = "--trace-limit had no room for it";
	return ms_fail(err, MS_EFORMAT, "%s: found no whole chunk, expected at least one: %s",
		       t->path, why);
}

uint64_t ms_trace_chunks(const struct ms_trace *trace)
{
	return trace->chunks.n;
}

uint64_t ms_trace_words(const struct ms_trace *trace)
{
	return trace->words;
}

int ms_trace_read(struct ms_trace *t, uint64_t k, uint64_t *words, size_t *n, struct ms_err *err)
{
	struct ms_trace_chunk chunk;

	if (k >= t->chunks.n || !chunk_at(t, t->chunks.at[k], &chunk))
		return ms_fail(err, MS_EFORMAT, "%s: chunk %" PRIu64 " is not where the index says",
			       t->path, k);
	size_t bytes = ZSTD_decompressDCtx(t->decompressor, words, t->info.chunk_bytes,
					   t->bytes + t->chunks.at[k] + sizeof(chunk), chunk.bytes);
	if (ZSTD_isError(bytes) || bytes != (size_t)chunk.words * 8 ||
	    ms_trace_checksum(words, chunk.words) != chunk.check)
		return ms_fail(err, MS_EFORMAT,
			       "%s: chunk %" PRIu64 " (at byte %" PRIu64 ") is damaged", t->path, k,
			       t->chunks.at[k]);
	*n = chunk.words;
	return MS_OK;
}
