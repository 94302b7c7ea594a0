/*
 * bench/engine.c - the engine alone: how fast it takes references that already lie in memory.
 *
 *    engine [--rounds N] [--workers N] --head | NAME=TRACE
 *
 * A trace is read and decompressed once, and everything that is no reference (modules, blocks, call
 * paths) is bound once, by the collector's own code. Then, round after round, a new engine is fed
 * the whole of it: by one worker, by two, ... each a thread that walks every chunk, as in
 * collect/worker.c. Timed is the walk: from when all workers have started until the last is done;
 * nanoseconds a reference are processor time, which a busy machine does not change so much.
 *
 * Leaves out: the ring (the words come from memory, not from a cache that a writer just filled),
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

enum { MOST_WORKERS = 64 };

struct chunk {
	const uint64_t *words;
	size_t n;
	unsigned left; /* workers that still read it, in this round */
};

struct bench {
	struct ms_machine machine;
	struct collector collector; /* its binder, and what events came to */
	MS_VEC(struct chunk) chunks;
	pthread_barrier_t start;
	unsigned workers;
};

struct figures {
	double seconds;
	double processor_seconds; /* of the worker that took most */
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

/* Pages of 2 MiB where there are some: the words are walked through, and are not what is measured.
 */
static uint64_t *words_of(uint64_t n)
{
	uint64_t *words = ms_pages_alloc(n * sizeof(*words));

	madvise(words, n * sizeof(*words), MADV_HUGEPAGE);
	return words;
}

static int load(struct bench *b, const char *path, struct ms_err *err)
{
	struct ms_trace *trace = NULL;

	MS_TRY(ms_trace_open(&trace, path, err));
	/* The last chunk is decompressed in place too, and may ask for the room of a whole one. */
	uint64_t *words = words_of(ms_trace_words(trace) + ms_trace_info(trace)->chunk_bytes / 8);
	int code = MS_OK;
	for (uint64_t k = 0; k < ms_trace_chunks(trace) && code == MS_OK; k++) {
		struct chunk *chunk = ms_vec_add(&b->chunks);

		code = ms_trace_read(trace, k, words, &chunk->n, err);
		chunk->words = words;
		words += chunk->n;
	}
	ms_trace_close(trace);
	return code;
}

/* --- a round --- */

static int walk_chunk(struct worker *w, const struct chunk *chunk, unsigned slot,
		      struct ms_err *err)
{
	size_t at = 0;

	while (at < chunk->n) {
		at += ms_shard_feed(w->shards[0], chunk->words + at, chunk->n - at, slot);
		if (at == chunk->n)
			break;
		MS_TRY(ms_collect_event(w, chunk->words + at, chunk->n - at, err));
		at += ms_wire_words_of(chunk->words[at]);
	}
	return MS_OK;
}

struct job {
	struct bench *bench;
	struct worker worker;
	struct ms_shard *shard;
	double processor_seconds;
	struct ms_err err;
};

static double processor_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void *walk(void *arg)
{
	struct job *job = arg;
	struct bench *b = job->bench;

	pthread_barrier_wait(&b->start);
	double started = processor_now();
	for (size_t k = 0; k < b->chunks.n && job->err.code == MS_OK; k++) {
		walk_chunk(&job->worker, &b->chunks.at[k], (unsigned)k, &job->err);
		if (__atomic_sub_fetch(&b->chunks.at[k].left, 1, __ATOMIC_ACQ_REL) == 0)
			ms_engine_settle(b->collector.engines[0], (unsigned)k);
	}
	job->processor_seconds = processor_now() - started;
	return NULL;
}

static void start(struct bench *b, struct job *jobs)
{
	pthread_barrier_init(&b->start, NULL, b->workers + 1);
	for (size_t k = 0; k < b->chunks.n; k++)
		b->chunks.at[k].left = b->workers;
	for (unsigned i = 0; i < b->workers; i++) {
		struct job *job = &jobs[i];

		*job = (struct job){ .bench = b,
				     .shard = ms_engine_shard(b->collector.engines[0], i) };
		job->worker = (struct worker){ .collector = &b->collector,
					       .number = i,
					       .shards = &job->shard };
		if (pthread_create(&job->worker.thread, NULL, walk, job) != 0) {
			fputs("engine: cannot start a thread\n", stderr);
			exit(1);
		}
	}
}

static int finish(struct bench *b, struct job *jobs, double *processor_seconds, struct ms_err *err)
{
	*processor_seconds = 0;
	for (unsigned i = 0; i < b->workers; i++) {
		pthread_join(jobs[i].worker.thread, NULL);
		ms_vec_free(&jobs[i].worker.allocating);
		if (jobs[i].processor_seconds > *processor_seconds)
			*processor_seconds = jobs[i].processor_seconds;
		if (jobs[i].err.code != MS_OK)
			*err = jobs[i].err;
	}
	pthread_barrier_destroy(&b->start);
	return err->code;
}

static int round_of(struct bench *b, unsigned workers, struct figures *f, struct ms_err *err)
{
	const struct ms_engine_data special = { MS_BOUND_UNMAPPED, MS_BOUND_FREED };
	struct ms_engine_progress progress;
	struct job jobs[MOST_WORKERS];
	struct ms_engine *engine =
		ms_engine_open(&b->machine, workers, (unsigned)b->chunks.n, &special);

	b->workers = workers;
	b->collector.engines = &engine;
	start(b, jobs);
	double started = ms_collector_now();
	pthread_barrier_wait(&b->start);
	int code = finish(b, jobs, &f->processor_seconds, err);
	f->seconds = ms_collector_now() - started;

	ms_shard_tell(ms_engine_shard(engine, 0));
	ms_engine_progress(engine, &progress);
	f->references = progress.references;
	f->misses = progress.misses;
	ms_engine_footprint(engine, &f->footprint);
	ms_engine_close(engine);
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

static void measure(struct bench *b, const char *name, unsigned rounds, unsigned most)
{
	struct ms_err err = { MS_OK, "" };
	double alone = 0;

	for (unsigned workers = 1; workers <= most; workers = next_workers(workers, most)) {
		struct figures f, best = { 0 };

		for (unsigned round = 0; round < rounds; round++) {
			if (round_of(b, workers, &f, &err) != MS_OK)
				die(name, &err);
			if (round == 0 || f.seconds < best.seconds)
				best = f;
		}
		if (workers == 1) {
			print_first(name, &best);
			alone = best.seconds;
		}
		printf(" %5.0f (%.2fx)", (double)best.references / best.seconds / 1e6,
		       alone / best.seconds);
		fflush(stdout);
	}
	putchar('\n');
}

/*
 * All events are kept, and a collector of several workers looks there before it asks the binder: so
 * the first walk binds, and every other one finds it done.
 */
static void open_collector(struct bench *b)
{
	uint64_t words = 0;

	for (size_t k = 0; k < b->chunks.n; k++)
		words += b->chunks.at[k].n;
	b->collector = (struct collector){
		.machine_count = 1, .workers = 2, .binder = ms_binder_open(), .event_room = words
	};
	b->collector.events = ms_pages_alloc(words * sizeof(*b->collector.events));
	pthread_mutex_init(&b->collector.lock, NULL);
}

/* The memory goes back with the process: each trace is measured in one of its own. */
static void bench_trace(const char *name, const char *path, unsigned rounds, unsigned most)
{
	static struct bench b;
	struct ms_err err = { MS_OK, "" };
	struct figures bound;

	ms_machine_start(&b.machine);
	if (ms_machine_set_level(&b.machine, "l1", "32K,8,64", &err) != MS_OK ||
	    ms_machine_set_level(&b.machine, "ll", "8M,16,64", &err) != MS_OK ||
	    load(&b, path, &err) != MS_OK)
		die(path, &err);
	open_collector(&b);
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
	unsigned rounds = 3, most = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
	int i = 1;

	for (; i + 1 < argc && argv[i][0] == '-'; i += 2) {
		unsigned value = (unsigned)strtoul(argv[i + 1], NULL, 10);

		if (strcmp(argv[i], "--rounds") == 0 && value > 0)
			rounds = value;
		else if (strcmp(argv[i], "--workers") == 0 && value > 0)
			most = value;
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
		fputs("Usage: engine [--rounds N] [--workers N] --head | NAME=TRACE\n", stderr);
		return 2;
	}
	char *path = strchr(argv[i], '=');
	*path++ = '\0';
	bench_trace(argv[i], path, rounds, most);
	return 0;
}
