/* window_progress.c - counts the references in a window of a sampled program, from the records
 * written. */
#include "sampling/window_progress.h"

#include "runtime/config.h"
#include "runtime/thread_state.h"
#include "sampling/sampling.h"
#include "tracer/block_descriptions.h"
#include "wire/wire.h"

/* Returns the end of the record that contains `to`. */
static const uint64_t *count_words(struct ms_sampling_thread *s, const uint64_t *from,
				   const uint64_t *to)
{
	while (from < to) {
		uint32_t words = ms_wire_words_of(*from);

		if (ms_wire_kind_of(*from) == MS_WIRE_EXEC) {
			s->references += words - 1;
			s->records++;
		}
		from += words > 0 ? words : 1;
	}
	return from;
}

/*
 * The count only determines where windows end; the reader counts again. So the first words are an
 * estimate of how many of the others are head words. Walking from head to head through all of them
 * would cost a program an eighth of its time.
 */
static void count_some(struct ms_sampling_thread *s, const uint64_t *from, const uint64_t *to,
		       bool all)
{
	enum { PART = 8, LEAST_WORDS = 64 };
	uint64_t words = (uint64_t)(to - from), looked = words / PART + LEAST_WORDS;
	uint64_t references = s->references, records = s->records;

	if (all || looked >= words) {
		count_words(s, from, to);
		return;
	}
	looked = (uint64_t)(count_words(s, from, from + looked) - from);
	s->references = references + (s->references - references) * words / looked;
	s->records = records + (s->records - records) * words / looked;
}

/* With sampled sets: executions, and between them references of one word each. Predicted branches
 * are faster than waiting for the length in each head word. */
static void count_ref_blocks(struct ms_sampling_thread *s, const uint64_t *from, const uint64_t *to)
{
	const uint32_t alone = (uint32_t)ms_wire_head(MS_WIRE_EXEC, 1, 0);
	const uint32_t reference = (uint32_t)ms_wire_head(MS_WIRE_EXEC, 2, 0);
	uint64_t references = 0, records = 0;

	while (from < to) {
		uint32_t what = (uint32_t)*from;

		if (what == alone) {
			references += ms_tracer_get_exit_refs(ms_wire_arg_of(*from));
			records++;
			from++;
		} else if (what == reference) {
			from += 2;
		} else {
			uint32_t words = ms_wire_words_of(what);

			from += words > 0 ? words : 1;
		}
	}
	s->references += references;
	s->records += records;
}

/* Counts all that was written since the last call, or since the chunk began. */
void ms_sampling_count_progress(struct ms_runtime_thread *t, bool all)
{
	struct ms_sampling_thread *s = ms_sampling_get_state(t);

	if (t->stopped)
		return;
	/* Or the thread has its own lane now, as there is a second thread. */
	if (t->lane.chunk != s->chunk || s->at - t->lane.chunk_start > t->chunk_bytes) {
		s->chunk = t->lane.chunk;
		s->at = t->lane.chunk_start;
	}
	if (ms_runtime_config.set_groups != 0)
		count_ref_blocks(s, (uint64_t *)s->at, (uint64_t *)t->lane.cursor);
	else
		count_some(s, (uint64_t *)s->at, (uint64_t *)t->lane.cursor, all);
	s->at = t->lane.cursor;
}

uint64_t ms_sampling_get_chunk_limit(const struct ms_runtime_thread *t)
{
	return t->lane.chunk_start + t->chunk_bytes - MS_WIRE_RESERVE_WORDS * 8;
}

void ms_sampling_set_progress_limit(struct ms_runtime_thread *t, uint64_t length)
{
	enum { LEAST_STEP = 512 };
	uint64_t words = length / 16 + LEAST_STEP, limit = ms_sampling_get_chunk_limit(t);
	uint64_t next = words < limit / 8 ? t->lane.cursor + words * 8 : limit;

	if (!t->stopped)
		t->limit = next < limit ? next : limit;
}

void ms_sampling_begin_progress(struct ms_runtime_thread *t, uint64_t length)
{
	struct ms_sampling_thread *s = ms_sampling_get_state(t);

	s->chunk = t->lane.chunk;
	s->at = t->lane.cursor;
	s->references = s->reported = s->records = 0;
	ms_sampling_set_progress_limit(t, length);
}
