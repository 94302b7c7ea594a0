/*
 * bench/again.c - memspy that replays a trace as if the program had gone on for much longer.
 *
 *    MEMSPY_AGAIN=MILLIONS again replay ... TRACE
 *
 * It is memspy, but for the two functions by which a replay reads its trace (the linker's --wrap):
 * a stretch from the middle of the trace, in which there are executions and nothing else, comes as
 * often as makes so many millions of references, between the chunks before and after it. The
 * stretch is decompressed once; all that is done with its words is done each time.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "stream/trace/trace.h"
#include "wire/wire.h"

enum { LEAST_CHUNKS = 32, MOST_CHUNKS = 256 };

static struct {
	const struct ms_trace *trace; /* NULL: not looked at so far */
	uint64_t first, chunks;       /* the stretch; no chunk: the trace is read as it is */
	uint64_t times;               /* it comes once more so often */
	size_t room;                  /* words of a chunk */
	uint64_t *words;              /* of all its chunks, `room` each */
	size_t *lengths;
	uint64_t references, all_words; /* in it */
} again;

uint64_t __real_ms_trace_chunks(const struct ms_trace *trace);
int __real_ms_trace_read(struct ms_trace *trace, uint64_t k, uint64_t *words, size_t *n,
			 struct ms_err *err);
uint64_t __wrap_ms_trace_chunks(const struct ms_trace *trace);
int __wrap_ms_trace_read(struct ms_trace *trace, uint64_t k, uint64_t *words, size_t *n,
			 struct ms_err *err);

static void give_up(const char *why)
{
	fprintf(stderr, "again: %s\n", why);
	exit(1);
}

/* References of a chunk; 0: there is something else in it. */
static uint64_t references_of(const uint64_t *words, size_t n)
{
	uint64_t references = 0;

	for (size_t at = 0; at < n; at += ms_wire_words_of(words[at])) {
		if (ms_wire_kind_of(words[at]) != MS_WIRE_EXEC || ms_wire_words_of(words[at]) == 0)
			return 0;
		references += ms_wire_words_of(words[at]) - 1;
	}
	return references;
}

/* Takes chunk k into the stretch. */
static bool take(struct ms_trace *trace, uint64_t k)
{
	uint64_t *words = again.words + again.chunks * again.room;
	struct ms_err err;
	size_t n;

	if (__real_ms_trace_read(trace, k, words, &n, &err) != MS_OK)
		give_up(err.text);
	uint64_t references = references_of(words, n);
	if (references == 0)
		return false;
	again.lengths[again.chunks++] = n;
	again.references += references;
	again.all_words += n;
	return true;
}

/* The whole trace is taken to have as many references a word as the stretch has. */
static void find_stretch(struct ms_trace *trace, double wanted)
{
	uint64_t chunks = __real_ms_trace_chunks(trace), end = chunks;

	again.room = ms_trace_info(trace)->chunk_bytes / 8;
	again.words = ms_alloc(MOST_CHUNKS * again.room * sizeof(*again.words));
	again.lengths = ms_alloc(MOST_CHUNKS * sizeof(*again.lengths));
	again.first = chunks / 2;
	if (end > again.first + MOST_CHUNKS)
		end = again.first + MOST_CHUNKS;
	for (uint64_t k = again.first; k < end && take(trace, k); k++)
		;
	if (again.chunks < LEAST_CHUNKS)
		give_up("the middle of the trace has more than executions in it");
	double once =
		(double)ms_trace_words(trace) * (double)again.references / (double)again.all_words;
	again.times = wanted > once ? (uint64_t)((wanted - once) / (double)again.references) : 0;
}

static void look_at(struct ms_trace *trace)
{
	const char *millions = getenv("MEMSPY_AGAIN");

	if (again.trace == trace)
		return;
	again.trace = trace;
	if (millions != NULL)
		find_stretch(trace, strtod(millions, NULL) * 1e6);
}

uint64_t __wrap_ms_trace_chunks(const struct ms_trace *trace)
{
	look_at((struct ms_trace *)trace);
	return __real_ms_trace_chunks(trace) + again.times * again.chunks;
}

int __wrap_ms_trace_read(struct ms_trace *trace, uint64_t k, uint64_t *words, size_t *n,
			 struct ms_err *err)
{
	uint64_t after = again.first + again.chunks * (1 + again.times);

	if (again.chunks == 0 || k < again.first)
		return __real_ms_trace_read(trace, k, words, n, err);
	if (k >= after)
		return __real_ms_trace_read(trace, k - again.times * again.chunks, words, n, err);
	uint64_t i = (k - again.first) % again.chunks;
	*n = again.lengths[i];
	memcpy(words, again.words + i * again.room, *n * sizeof(*words));
	return MS_OK;
}
