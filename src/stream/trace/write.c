/* stream/trace/write.c - writes a stream to a trace. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "base/mem.h"
#include "base/private_file.h"
#include "base/text.h"
#include "base/vec.h"
#include "stream/trace/trace.h"
#include "stream/trace/trace_priv.h"
#include "wire/wire.h"

/* Fast enough for a program under Valgrind; higher levels are not. */
enum { LEVEL = 1 };

struct ms_trace_writer {
	FILE *file;
	char *path;
	uint64_t limit;
	uint64_t at; /* bytes written */
	uint64_t words;
	bool limited;
	ZSTD_CCtx *compressor;
	void *buffer;
	size_t room;
	MS_VEC(uint64_t) chunks; /* offset of each */
};

uint32_t ms_trace_checksum(const uint64_t *words, size_t n)
{
	uint64_t h = n;

	for (size_t i = 0; i < n; i++)
		h = (h ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15);
	return (uint32_t)(h >> 32);
}

static int put(struct ms_trace_writer *w, const void *bytes, size_t n, struct ms_err *err)
{
	if (n > 0 && fwrite(bytes, n, 1, w->file) != 1)
		return ms_fail_errno(err, "%s: cannot write the trace", w->path);
	w->at += n;
	return MS_OK;
}

static int put_sampling(struct ms_trace_writer *w, const struct ms_stream_sampling *s,
			struct ms_err *err)
{
	const struct ms_trace_sampling sampling = {
		.ratio = s->ratio,
		.window = s->window,
		.seed = s->seed,
		.set_mask = s->sets.mask,
		.set_every = s->sets.every,
		.set_shift = s->sets.shift,
		.head = s->head,
		.wanted = s->wanted,
	};

	return put(w, &sampling, sizeof(sampling), err);
}

static int put_head(struct ms_trace_writer *w, const struct ms_trace_info *info, struct ms_err *err)
{
	struct ms_text texts = MS_TEXT_INIT;
	struct ms_trace_head head = {
		.magic = MS_TRACE_MAGIC,
		.version = MS_TRACE_NEWEST,
		.head_bytes =
			(uint32_t)(sizeof(head) +
				   (info->sampling != NULL ? sizeof(struct ms_trace_sampling) : 0)),
		.chunk_bytes = info->chunk_bytes,
		.wire_version = MS_WIRE_NEWEST,
		.texts = 1,
	};

	ms_text_add_n(&texts, info->frontend, strlen(info->frontend) + 1);
	for (const char *const *arg = info->argv; *arg != NULL; arg++, head.texts++)
		ms_text_add_n(&texts, *arg, strlen(*arg) + 1);
	head.text_bytes = (uint32_t)texts.n;
	int code = put(w, &head, sizeof(head), err);
	if (code == MS_OK && info->sampling != NULL)
		code = put_sampling(w, info->sampling, err);
	if (code == MS_OK)
		code = put(w, texts.at, texts.n, err);
	ms_text_free(&texts);
	return code;
}

static void free_writer(struct ms_trace_writer *w)
{
	ZSTD_freeCCtx(w->compressor);
	ms_free(w->buffer);
	ms_free(w->path);
	ms_vec_free(&w->chunks);
	ms_free(w);
}

int ms_trace_create(struct ms_trace_writer **writer, const char *path, uint64_t limit,
		    const struct ms_trace_info *info, struct ms_err *err)
{
	FILE *file = ms_private_fopen(path);

	*writer = NULL;
	if (file == NULL)
		return ms_fail_errno(err, "%s: cannot make the trace", path);

	struct ms_trace_writer *w = ms_alloc(sizeof(*w));
	w->file = file;
	w->path = ms_strdup(path);
	w->limit = limit;
	w->compressor = ZSTD_createCCtx();
	w->room = ZSTD_compressBound(info->chunk_bytes);
	w->buffer = ms_alloc(w->room);
	int code = put_head(w, info, err);
	if (code != MS_OK) {
		fclose(file);
		free_writer(w);
		return code;
	}
	*writer = w;
	return MS_OK;
}

int ms_trace_add(struct ms_trace_writer *w, const uint64_t *words, size_t n, struct ms_err *err)
{
	if (w->limited || n == 0)
		return MS_OK;

	size_t bytes = ZSTD_compressCCtx(w->compressor, w->buffer, w->room, words,
					 n * sizeof(*words), LEVEL);
	if (ZSTD_isError(bytes))
		return ms_fail(err, MS_EBUG, "%s: cannot compress: %s", w->path,
			       ZSTD_getErrorName(bytes));
	struct ms_trace_chunk chunk = { MS_TRACE_CHUNK, (uint32_t)n, (uint32_t)bytes,
					ms_trace_checksum(words, n) };
	if (w->limit != 0 && w->at + sizeof(chunk) + bytes > w->limit) {
		w->limited = true;
		return MS_OK;
	}
	*ms_vec_add(&w->chunks) = w->at;
	MS_TRY(put(w, &chunk, sizeof(chunk), err));
	MS_TRY(put(w, w->buffer, bytes, err));
	w->words += n;
	return MS_OK;
}

bool ms_trace_limited(const struct ms_trace_writer *writer)
{
	return writer->limited;
}

static int put_index(struct ms_trace_writer *w, const struct ms_trace_end *end, struct ms_err *err)
{
	struct ms_trace_tail tail = { w->at, MS_TRACE_MAGIC };
	struct ms_trace_index index = { MS_TRACE_INDEX, end->end,    end->exit_status,
					w->limited,     w->chunks.n, w->words };

	MS_TRY(put(w, &index, sizeof(index), err));
	MS_TRY(put(w, w->chunks.at, w->chunks.n * sizeof(*w->chunks.at), err));
	return put(w, &tail, sizeof(tail), err);
}

int ms_trace_finish(struct ms_trace_writer *w, const struct ms_trace_end *end, struct ms_err *err)
{
	int code = put_index(w, end, err);

	if (fclose(w->file) != 0 && code == MS_OK)
		code = ms_fail_errno(err, "%s: cannot write the trace", w->path);
	free_writer(w);
	return code;
}

const char *ms_trace_library(void)
{
	return ZSTD_versionString();
}
