/*
 * bench/engine.c - the engine alone: how fast it takes references that were recorded.
 *
 *    engine [--rounds N] [--workers N] [--feeders N] [--from ring|memory] [--processors N]
 *           [--misses-only 1] [--line-rate N] --head | NAME=TRACE
 *
 * A trace is read and decompressed once, into memory, and everything that is no reference (modules,
 * blocks, call paths) is bound once, by the collector's own code. Then, round after round, a new
 * engine reads the whole of it: with one worker, two, ..., by the collector's own workers. Timed is
 * from their start until the last is done; nanoseconds a reference are the workers' processor time,
 * which a busy machine does not change so much. In halves is one worker as memspy has it on
 * machines of two and three processors: one thread filters, another simulates. A trace of
 * a sampled program has windows, or some sets, and the engine takes them as such. Several
 * processors have a first level each, and share the last one.
 *
 * The words come from where --from says:
 *
 *    ring    as in a live run: through a ring of the size that live runs have. Feeders, a thread
 *            each, copy recorded chunks into it, as a front-end writes them. What they cost is not
 *            the engine's; where they are its limit, a star says so.
 *    memory  the recorded words are the ring. No front-end could write so much ahead: it shows what
 *            the host's memory adds.
 *
 * --line-rate: see ms_engine_select_lines(); 4294967295: no lines are observed.
 *
 * Leaves out: what a front-end does, the binder, and naming.
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
#include "feed.h"
#include "stream/writer.h"

enum { MOST_WORKERS = 64, IN_HALVES = 0 /* as a number of workers: one, by two threads */ };

/* Feeders that wait less than this of their time are what the workers wait for. */
#define STARVED 0.05

/* What is asked for. */
struct wish {
	unsigned rounds;
	unsigned workers; /* at most */
	unsigned feeders; /* 0: as many as there are workers, and processors for them */
	unsigned processors;
	bool from_memory;
	bool misses_only;
	unsigned line_rate;
};

struct bench {
	struct wish wish;
	struct ms_stream_ring recorded; /* all of the stream */
	struct ms_machine machine;
	const struct ms_machine *machines[1];
	struct ms_launch_cpus cpus;         /* any thread anywhere */
	struct ms_stream_sampling sampling; /* of the trace; ratio 0: everything is in it */
	struct ms_collect_state collector;  /* its ring, its binder, and what events came to */
};

struct figures {
	double seconds;
	double processor_seconds; /* of all workers together */
	bool starved;             /* the feeders hardly ever waited */
	uint64_t references;
	uint64_t misses;
	struct ms_engine_footprint footprint;
};

static MS_NORETURN void die(const char *name, const struct ms_err *err)
{
	fprintf(stderr, "engine: %s: %s\n", name, err->text);
	exit(1);
}

static unsigned processor_count(void)
{
	return (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
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
static int open_ring(struct ms_stream_ring *ring, const struct ms_trace *trace, struct ms_err *err)
{
	uint32_t chunks = power_of_two_from(ms_trace_chunks(trace) + 1);

	MS_TRY(ms_stream_ring_open(ring, ms_trace_info(trace)->chunk_bytes, chunks, 1, err));
	madvise(ring->base, ring->stream->bytes, MADV_HUGEPAGE);
	return MS_OK;
}

static int load(struct ms_stream_ring *ring, struct ms_stream_sampling *sampling, const char *path,
		struct ms_err *err)
{
	struct ms_trace *trace = NULL;
	size_t n;

	MS_TRY(ms_trace_open(&trace, path, err));
	int code = open_ring(ring, trace, err);
	if (ms_trace_info(trace)->sampling != NULL)
		*sampling = *ms_trace_info(trace)->sampling;
	for (uint64_t k = 0; k < ms_trace_chunks(trace) && code == MS_OK; k++) {
		code = ms_trace_read(trace, k, ms_stream_ring_room(ring), &n, err);
		if (code == MS_OK)
			ms_stream_ring_publish(ring, n);
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
static void rewind_ring(struct ms_stream_ring *ring, unsigned workers)
{
	ring->consumers = workers;
	ring->lane->freed = 0;
	ring->ended = 1;
	for (uint32_t i = 0; i < ring->stream->chunk_count; i++)
		ring->left[i] = workers;
}

/* What workers read: the recorded stream itself, or a ring like that of a live run. */
static int open_round(struct bench *b, unsigned workers, struct ms_err *err)
{
	struct ms_collect_state *c = &b->collector;

	c->pool.halved = workers == IN_HALVES;
	workers += c->pool.halved;
	c->pool.count = workers;
	c->pool.started = 0;
	c->pool.pipeline = (struct ms_collect_pipeline){ 0 };
	if (b->wish.from_memory) {
		rewind_ring(&b->recorded, workers);
		c->ring = b->recorded;
	} else {
		MS_TRY(ms_stream_ring_open(&c->ring, b->recorded.stream->chunk_bytes, 0, workers,
					   err));
	}
	ms_collect_open_engines(c);
	return MS_OK;
}

static void close_round(struct bench *b)
{
	ms_collect_close_engines(&b->collector);
	if (!b->wish.from_memory)
		ms_stream_ring_close(&b->collector.ring);
}

static unsigned feeders_for(const struct bench *b)
{
	unsigned workers = b->collector.pool.count, processors = processor_count(), most = 4;

	if (b->wish.feeders != 0)
		return b->wish.feeders;
	if (processors <= workers)
		return 1;
	most = most < workers ? most : workers;
	return most < processors - workers ? most : processors - workers;
}

/* The ring is written while it is read; what that takes is not the workers'. */
static int read_fed(struct bench *b, struct figures *f, struct ms_err *err)
{
	struct feed feed;
	double started = ms_seconds_now();

	MS_TRY(feed_start(&feed, &b->recorded, &b->collector.ring, feeders_for(b), err));
	int code = ms_collect_start_workers(&b->collector, err);
	feed_join(&feed);
	double fed = ms_seconds_now() - started;
	ms_collect_join_workers(&b->collector);
	f->processor_seconds -= feed.processor_seconds;
	f->starved = feed.waited < STARVED * fed;
	return code;
}

static int read_memory(struct bench *b, struct ms_err *err)
{
	int code = ms_collect_start_workers(&b->collector, err);

	ms_collect_join_workers(&b->collector);
	return code;
}

static int read_all(struct bench *b, struct figures *f, struct ms_err *err)
{
	const struct ms_collect_state *c = &b->collector;
	double started = ms_seconds_now(), processor = processor_now();

	*f = (struct figures){ 0 };
	int code = b->wish.from_memory ? read_memory(b, err) : read_fed(b, f, err);
	f->seconds = ms_seconds_now() - started;
	f->processor_seconds += processor_now() - processor;
	if (code == MS_OK && c->pool.failure.code != MS_OK) {
		*err = c->pool.failure;
		code = (int)err->code;
	}
	return code;
}

static int round_of(struct bench *b, unsigned workers, struct figures *f, struct ms_err *err)
{
	struct ms_collect_state *c = &b->collector;
	struct ms_engine_progress progress;

	MS_TRY(open_round(b, workers, err));
	int code = read_all(b, f, err);

	for (unsigned i = 0; i < c->pool.count; i++)
		ms_engine_update_progress(ms_engine_get_shard(c->sim.engines[0], i));
	ms_engine_read_progress(c->sim.engines[0], &progress);
	f->references = progress.references;
	f->misses = progress.misses;
	ms_engine_measure_footprint(c->sim.engines[0], &f->footprint);
	close_round(b);
	return code;
}

/* --- a row --- */

/* 1, in halves, 2, 4 ... */
static unsigned next_workers(unsigned workers, unsigned most)
{
	if (workers == 1)
		return IN_HALVES;
	if (workers == IN_HALVES)
		return most > 1 ? 2 : most + 1;
	return workers == most ? most + 1 : workers * 2 > most ? most : workers * 2;
}

static void print_head(unsigned most)
{
	printf("%-12s %-6s %8s %7s %7s %9s %9s %9s  million references/s by workers\n", "", "words",
	       "million", "L1", "ns a", "lines", "records", "engine");
	printf("%-12s %-6s %8s %7s %7s %9s %9s %9s ", "stream", "from", "refs", "miss%", "ref",
	       "touched", "bytes/ln", "bytes/ln");
	for (unsigned n = 1; n <= most; n = next_workers(n, most))
		if (n == IN_HALVES)
			printf(" %13s", "1, in halves");
		else
			printf(" %13u", n);
	putchar('\n');
}

/* Bytes a line are those of one worker: each further one has caches and tables of its own. */
static void print_first(const struct bench *b, const char *name, const struct figures *f)
{
	double references = (double)f->references, lines = (double)f->footprint.lines;

	printf("%-12s %-6s %8.1f %7.2f %7.2f %9.0f %9.1f %9.1f ", name,
	       b->wish.from_memory ? "memory" : "ring", references / 1e6,
	       100 * (double)f->misses / references, 1e9 * f->processor_seconds / references, lines,
	       (double)f->footprint.line_bytes / lines, (double)f->footprint.bytes / lines);
}

/* By turns, so that a machine whose clock changes does not favour any. */
static void measure(struct bench *b, const char *name)
{
	const unsigned most = b->wish.workers;
	struct ms_err err = { MS_OK, "" };
	struct figures best[MOST_WORKERS + 1] = { { 0 } };

	for (unsigned round = 0; round < b->wish.rounds; round++)
		for (unsigned n = 1; n <= most; n = next_workers(n, most)) {
			struct figures f;

			if (n == IN_HALVES && b->collector.setup.sampling != NULL)
				continue; /* what is simulated decides where windows are */
			if (round_of(b, n, &f, &err) != MS_OK)
				die(name, &err);
			double least = round == 0 || f.processor_seconds < best[n].processor_seconds
					       ? f.processor_seconds
					       : best[n].processor_seconds;
			if (round == 0 || f.seconds < best[n].seconds)
				best[n] = f;
			best[n].processor_seconds = least;
		}
	print_first(b, name, &best[1]);
	for (unsigned n = 1; n <= most; n = next_workers(n, most))
		if (best[n].references == 0)
			printf(" %13s", "-");
		else
			printf(" %5.0f (%.2fx)%c",
			       (double)best[n].references / best[n].seconds / 1e6,
			       best[1].seconds / best[n].seconds, best[n].starved ? '*' : ' ');
	putchar('\n');
}

/* All events are kept: the first round binds them, and every other one finds it done. */
static void open_collector(struct bench *b)
{
	struct ms_collect_state *c = &b->collector;
	uint64_t words = 0;
	const struct ms_stream_ring *ring = &b->recorded;
	const uint32_t *lengths = (const uint32_t *)(ring->base + ring->lane->words_at);

	for (uint32_t k = 0; k < ring->lane->filled; k++)
		words += lengths[k];
	b->machines[0] = &b->machine;
	c->setup.machines = b->machines;
	c->setup.machine_count = 1;
	c->setup.sampling = b->sampling.ratio > 0 ? &b->sampling : NULL;
	c->setup.cpus = &b->cpus;
	c->sim.clocks =
		ms_alloc(sizeof(*c->sim.clocks)); /* none: times of threads are not measured */
	c->binding.binder = ms_bins_open();
	ms_collect_keep_events(c, words);
	pthread_mutex_init(&c->binding.lock, NULL);
}

/* The memory goes back with the process: each trace is measured in one of its own. */
static void bench_trace(const char *name, const char *path, const struct wish *wish)
{
	static struct bench b;
	struct ms_err err = { MS_OK, "" };
	struct figures bound;

	b.wish = *wish;
	ms_machine_start(&b.machine);
	if (ms_machine_set_level(&b.machine, "l1", "32K,8,64", &err) != MS_OK ||
	    ms_machine_set_level(&b.machine, "ll", "8M,16,64", &err) != MS_OK ||
	    ms_machine_set_processors(&b.machine, wish->processors, &err) != MS_OK ||
	    load(&b.recorded, &b.sampling, path, &err) != MS_OK)
		die(path, &err);
	open_collector(&b);
	b.collector.setup.misses_only = wish->misses_only;
	b.collector.setup.line_rate = wish->line_rate;
	if (round_of(&b, 1, &bound, &err) != MS_OK)
		die(path, &err);
	if (bound.references == 0 || bound.footprint.lines == 0) {
		fprintf(stderr, "engine: %s: a trace without references\n", path);
		exit(1);
	}
	measure(&b, name);
}

static bool take_option(struct wish *wish, const char *name, const char *text)
{
	unsigned value = (unsigned)strtoul(text, NULL, 10);

	if (strcmp(name, "--rounds") == 0)
		return (wish->rounds = value) > 0;
	if (strcmp(name, "--workers") == 0)
		return (wish->workers = value) > 0;
	if (strcmp(name, "--feeders") == 0)
		return (wish->feeders = value) > 0 && value <= MS_MOST_FEEDERS;
	if (strcmp(name, "--processors") == 0)
		return (wish->processors = value) > 0;
	if (strcmp(name, "--misses-only") == 0) {
		wish->misses_only = value != 0;
		return true;
	}
	if (strcmp(name, "--line-rate") == 0) {
		wish->line_rate = value;
		return true;
	}
	if (strcmp(name, "--from") != 0)
		return false;
	wish->from_memory = strcmp(text, "memory") == 0;
	return wish->from_memory || strcmp(text, "ring") == 0;
}

int main(int argc, char **argv)
{
	struct wish wish = { .rounds = 3, .workers = processor_count(), .processors = 1 };
	int i = 1;

	while (i + 1 < argc && argv[i][0] == '-' && take_option(&wish, argv[i], argv[i + 1]))
		i += 2;
	if (wish.workers > MOST_WORKERS)
		wish.workers = MOST_WORKERS;
	if (i + 1 == argc && strcmp(argv[i], "--head") == 0) {
		print_head(wish.workers);
		return 0;
	}
	if (i + 1 != argc || strchr(argv[i], '=') == NULL) {
		fputs("Usage: engine [--rounds N] [--workers N] [--feeders N] [--from "
		      "ring|memory]\n"
		      "              [--processors N] [--misses-only 1] --head | NAME=TRACE\n",
		      stderr);
		return 2;
	}
	char *path = strchr(argv[i], '=');
	*path++ = '\0';
	bench_trace(argv[i], path, &wish);
	return 0;
}
