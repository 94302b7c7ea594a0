/*
 * bench/engine.c - the engine alone: how fast it takes references that already lie in memory.
 *
 *    engine [--rounds N] [--workers N] [--processors N] [--misses-only 1] --head | NAME=TRACE
 *
 * A trace is read and decompressed once, into a ring that is large enough for all of it, and
 * everything that is no reference (modules, blocks, call paths) is bound once, by the collector's
 * own code. Then, round after round, a new engine reads the whole of it: with one worker, two, ...,
 * by the collector's own workers. Timed is from their start until the last is done; nanoseconds a
 * reference are processor time, which a busy machine does not change so much. Several processors
 * have a first level each, and share the last one.
 *
 * Leaves out: the writer (the words come from memory, not from a cache that a writer just filled),
 * the binder, and naming.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "collect/collect_priv.h"
#include "stream/writer.h"

enum { MOST_WORKERS = 64 };

struct bench {
	struct ms_machine machine;
	const struct ms_machine *machines[1];
	struct ms_cpus cpus;        /* any thread anywhere */
	struct collector collector; /* its ring, its binder, and what events came to */
};

struct figures {
	double seconds;
	double processor_seconds; /* of all workers together */
	uint64_t references;
	uint64_t misses;
	struct ms_engine_footprint footprint;
};

static MS_NORETURN void die(const char *name, const struct ms_err *err)
{
	fprintf(stderr, "engine: %s: %s\n", name, err->text);
	exit(1);
}

/* --- the trace --- */

static uint32_t power_of_two_from(uint64_t n)
{
	uint32_t power = 2;

	while (power < n)
		power *= 2;
	return power;
}

/* Pages of 2 MiB where there are some: the words are walked through, and are not what is measured.
 */
static int open_ring(struct ms_ring *ring, const struct ms_trace *trace, struct ms_err *err)
{
	uint32_t chunks = power_of_two_from(ms_trace_chunks(trace) + 1);

	MS_TRY(ms_ring_open(ring, ms_trace_info(trace)->chunk_bytes, chunks, 1, err));
	madvise(ring->base, ring->stream->bytes, MADV_HUGEPAGE);
	return MS_OK;
}

static int load(struct ms_ring *ring, const char *path, struct ms_err *err)
{
	struct ms_trace *trace = NULL;
	size_t n;

	MS_TRY(ms_trace_open(&trace, path, err));
	int code = open_ring(ring, trace, err);
	for (uint64_t k = 0; k < ms_trace_chunks(trace) && code == MS_OK; k++) {
		code = ms_trace_read(trace, k, ms_ring_room(ring), &n, err);
		if (code == MS_OK)
			ms_ring_publish(ring, n);
	}
	ms_trace_close(trace);
	return code;
}

/* --- a round --- */

static double processor_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* All chunks are there again. */
static void rewind_ring(struct ms_ring *ring, unsigned workers)
{
	ring->consumers = workers;
	ring->lane->freed = 0;
	ring->ended = 1;
	for (uint32_t i = 0; i < ring->stream->chunk_count; i++)
		ring->left[i] = workers;
}

static int read_all(struct collector *c, struct figures *f, struct ms_err *err)
{
	double started = ms_collector_now(), processor = processor_now();
	int code = ms_workers_start(c, err);

	ms_workers_join(c);
	f->seconds = ms_collector_now() - started;
	f->processor_seconds = processor_now() - processor;
	if (code == MS_OK && c->failure.code != MS_OK) {
		*err = c->failure;
		code = (int)err->code;
	}
	return code;
}

static int round_of(struct bench *b, unsigned workers, struct figures *f, struct ms_err *err)
{
	struct collector *c = &b->collector;
	struct ms_engine_progress progress;

	c->workers = workers;
	c->started = 0;
	ms_collector_open_engines(c);
	rewind_ring(&c->ring, workers);
	int code = read_all(c, f, err);

	for (unsigned i = 0; i < workers; i++)
		ms_shard_tell(ms_engine_shard(c->engines[0], i));
	ms_engine_progress(c->engines[0], &progress);
	f->references = progress.references;
	f->misses = progress.misses;
	ms_engine_footprint(c->engines[0], &f->footprint);
	ms_collector_close_engines(c);
	return code;
}

/* --- a row --- */

static unsigned next_workers(unsigned workers, unsigned most)
{
	return workers == most ? most + 1 : workers * 2 > most ? most : workers * 2;
}

static void print_head(unsigned most)
{
	printf("%-12s %8s %7s %7s %9s %9s %9s  million references/s by workers\n", "", "million",
	       "L1", "ns a", "lines", "records", "engine");
	printf("%-12s %8s %7s %7s %9s %9s %9s ", "stream", "refs", "miss%", "ref", "touched",
	       "bytes/ln", "bytes/ln");
	for (unsigned n = 1; n <= most; n = next_workers(n, most))
		printf(" %12u", n);
	putchar('\n');
}

/* Bytes a line are those of one worker: each further one has caches and tables of its own. */
static void print_first(const char *name, const struct figures *f)
{
	double references = (double)f->references, lines = (double)f->footprint.lines;

	printf("%-12s %8.1f %7.2f %7.2f %9.0f %9.1f %9.1f ", name, references / 1e6,
	       100 * (double)f->misses / references, 1e9 * f->processor_seconds / references, lines,
	       (double)f->footprint.line_bytes / lines, (double)f->footprint.bytes / lines);
}

/* By turns, so that a machine whose clock changes does not favour any. */
static void measure(struct bench *b, const char *name, unsigned rounds, unsigned most)
{
	struct ms_err err = { MS_OK, "" };
	struct figures best[MOST_WORKERS + 1] = { { 0 } };

	for (unsigned round = 0; round < rounds; round++)
		for (unsigned n = 1; n <= most; n = next_workers(n, most)) {
			struct figures f;

			if (round_of(b, n, &f, &err) != MS_OK)
				die(name, &err);
			if (round == 0 || f.seconds < best[n].seconds)
				best[n] = f;
		}
	print_first(name, &best[1]);
	for (unsigned n = 1; n <= most; n = next_workers(n, most))
		printf(" %5.0f (%.2fx)", (double)best[n].references / best[n].seconds / 1e6,
		       best[1].seconds / best[n].seconds);
	putchar('\n');
}

/* All events are kept: the first round binds them, and every other one finds it done. */
static void open_collector(struct bench *b)
{
	struct collector *c = &b->collector;
	uint64_t words = 0;
	const uint32_t *lengths = (const uint32_t *)(c->ring.base + c->ring.lane->words_at);

	for (uint32_t k = 0; k < c->ring.lane->filled; k++)
		words += lengths[k];
	b->machines[0] = &b->machine;
	c->machines = b->machines;
	c->machine_count = 1;
	c->cpus = &b->cpus;
	c->clocks = ms_alloc(sizeof(*c->clocks)); /* none: times of threads are not measured */
	c->binder = ms_binder_open();
	ms_collector_keep_events(c, words);
	pthread_mutex_init(&c->lock, NULL);
}

/* The memory goes back with the process: each trace is measured in one of its own. */
static void bench_trace(const char *name, const char *path, unsigned rounds, unsigned most,
			uint32_t processors, bool misses_only)
{
	static struct bench b;
	struct ms_err err = { MS_OK, "" };
	struct figures bound;

	ms_machine_start(&b.machine);
	if (ms_machine_set_level(&b.machine, "l1", "32K,8,64", &err) != MS_OK ||
	    ms_machine_set_level(&b.machine, "ll", "8M,16,64", &err) != MS_OK ||
	    ms_machine_set_processors(&b.machine, processors, &err) != MS_OK ||
	    load(&b.collector.ring, path, &err) != MS_OK)
		die(path, &err);
	open_collector(&b);
	b.collector.misses_only = misses_only;
	if (round_of(&b, 1, &bound, &err) != MS_OK)
		die(path, &err);
	if (bound.references == 0 || bound.footprint.lines == 0) {
		fprintf(stderr, "engine: %s: a trace without references\n", path);
		exit(1);
	}
	measure(&b, name, rounds, most);
}

int main(int argc, char **argv)
{
	unsigned rounds = 3, most = (unsigned)sysconf(_SC_NPROCESSORS_ONLN), processors = 1;
	bool misses_only = false;
	int i = 1;

	for (; i + 1 < argc && argv[i][0] == '-'; i += 2) {
		unsigned value = (unsigned)strtoul(argv[i + 1], NULL, 10);

		if (strcmp(argv[i], "--rounds") == 0 && value > 0)
			rounds = value;
		else if (strcmp(argv[i], "--workers") == 0 && value > 0)
			most = value;
		else if (strcmp(argv[i], "--processors") == 0 && value > 0)
			processors = value;
		else if (strcmp(argv[i], "--misses-only") == 0)
			misses_only = value != 0;
		else
			i = argc;
	}
	if (most > MOST_WORKERS)
		most = MOST_WORKERS;
	if (i + 1 == argc && strcmp(argv[i], "--head") == 0) {
		print_head(most);
		return 0;
	}
	if (i + 1 != argc || strchr(argv[i], '=') == NULL) {
		fputs("Usage: engine [--rounds N] [--workers N] [--processors N] "
		      "[--misses-only 1] --head | NAME=TRACE\n",
		      stderr);
		return 2;
	}
	char *path = strchr(argv[i], '=');
	*path++ = '\0';
	bench_trace(argv[i], path, rounds, most, processors, misses_only);
	return 0;
}
