/* tests/unit/stream/writer.h - the writer's end of a ring, as frontends/valgrind/lane.c has it. */
#ifndef MS_UNIT_STREAM_WRITER_H
#define MS_UNIT_STREAM_WRITER_H

#include <linux/futex.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/compiler.h"
#include "wire/wire.h"

struct writer {
	uint8_t *base;
	struct ms_wire_stream *stream;
	struct ms_wire_lane *lane;
	uint64_t *limit;
	uint64_t next;  /* what the next word will be */
	uint32_t slept; /* how often it waited for room */
	bool detached;
};

static struct ms_wire_index *index_of(struct writer *w, uint32_t k)
{
	return (struct ms_wire_index *)(w->base + w->lane->index_at) + k % w->stream->chunk_count;
}

MS_UNUSED static void use_chunk(struct writer *w, uint32_t k)
{
	uint64_t *start =
		(uint64_t *)(w->base + w->stream->chunks_at +
			     (uint64_t)(k % w->stream->chunk_count) * w->stream->chunk_bytes);

	index_of(w, k)->count = 0;
	w->lane->chunk_start = (uintptr_t)start;
	w->lane->cursor = (uintptr_t)start;
	w->lane->chunk = k;
	w->limit = start + w->stream->chunk_bytes / 8 - MS_WIRE_RESERVE_WORDS;
}

MS_UNUSED static void writer_open(struct writer *w, int fd)
{
	struct ms_wire_stream head;

	if (pread(fd, &head, sizeof(head), 0) != sizeof(head) || head.magic != MS_WIRE_MAGIC)
		abort();
	*w = (struct writer){ .base = mmap(NULL, head.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
					   0) };
	if (w->base == MAP_FAILED)
		abort();
	w->stream = (struct ms_wire_stream *)w->base;
	w->lane = (struct ms_wire_lane *)(w->base + MS_WIRE_LANES_AT);
	w->stream->writer_pid = (uint32_t)getpid();
	use_chunk(w, w->lane->filled);
}

MS_UNUSED static void writer_close(struct writer *w)
{
	munmap(w->base, w->stream->bytes);
}

MS_UNUSED static void publish(struct writer *w)
{
	uint32_t *lengths = (uint32_t *)(w->base + w->lane->words_at);
	uint32_t filled = w->lane->filled;

	lengths[filled % w->stream->chunk_count] =
		(uint32_t)((w->lane->cursor - w->lane->chunk_start) / 8);
	__atomic_store_n(&w->lane->filled, filled + 1, __ATOMIC_SEQ_CST);
	if (__atomic_exchange_n(&w->lane->reader_sleeps, 0, __ATOMIC_SEQ_CST)) {
		__atomic_add_fetch(&w->lane->reader_bell, 1, __ATOMIC_SEQ_CST);
		syscall(SYS_futex, &w->lane->reader_bell, FUTEX_WAKE, 0x7fffffff, NULL, NULL, 0);
	}
}

MS_UNUSED static void wait_for_room(struct writer *w)
{
	for (;;) {
		uint32_t freed = __atomic_load_n(&w->lane->freed, __ATOMIC_SEQ_CST);

		if (w->lane->filled - freed < w->stream->chunk_count)
			return;
		if (__atomic_load_n(&w->lane->closed, __ATOMIC_SEQ_CST)) {
			w->detached = true;
			return;
		}
		w->slept++;
		__atomic_store_n(&w->lane->writer_sleeps, 1, __ATOMIC_SEQ_CST);
		if (__atomic_load_n(&w->lane->freed, __ATOMIC_SEQ_CST) == freed)
			syscall(SYS_futex, &w->lane->freed, FUTEX_WAIT, freed, NULL, NULL, 0);
		__atomic_store_n(&w->lane->writer_sleeps, 0, __ATOMIC_SEQ_CST);
	}
}

MS_UNUSED static void next_chunk(struct writer *w)
{
	if (!w->detached) {
		publish(w);
		wait_for_room(w);
	}
	use_chunk(w, w->lane->filled);
}

/* Words that count up. */
MS_UNUSED static void write_words(struct writer *w, uint64_t n)
{
	while (n-- > 0) {
		if ((uint64_t *)w->lane->cursor >= w->limit)
			next_chunk(w);
		*(uint64_t *)w->lane->cursor = w->next++;
		w->lane->cursor += 8;
	}
}

/* A record of its own, which does not cross a chunk's end. */
MS_UNUSED static void write_record(struct writer *w, const uint64_t *words, size_t n)
{
	if ((uint64_t *)w->lane->cursor >= w->limit)
		next_chunk(w);
	if (ms_wire_kind_of(words[0]) != MS_WIRE_EXEC) {
		struct ms_wire_index *index = index_of(w, w->lane->chunk);

		if (index->count < MS_WIRE_INDEXED)
			index->at[index->count] =
				(uint32_t)((w->lane->cursor - w->lane->chunk_start) / 8);
		index->count++;
	}
	memcpy((void *)w->lane->cursor, words, n * 8);
	w->lane->cursor += n * 8;
}

MS_UNUSED static void finish(struct writer *w)
{
	if (w->detached)
		return;
	w->stream->writer_done = 1;
	publish(w);
}

#endif
