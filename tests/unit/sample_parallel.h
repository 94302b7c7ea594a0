/*
 * tests/unit/sample_parallel.h - a run of four processors in two nodes, with known figures.
 *
 * Each processor counts in a counter of its own, and all four lie in one line (false sharing);
 * all take from one queue (true sharing); and add up an array that main has written, so that it
 * lies in the first node. L1 is each processor's own, two share an L2. L2 answers in 10 cycles,
 * memory in 100, the other node's in 180, another processor's cache in 60.
 */
#ifndef MS_TESTS_SAMPLE_PARALLEL_H
#define MS_TESTS_SAMPLE_PARALLEL_H

#include "unit/sample_run.h"

enum { PARALLEL_COUNTERS, PARALLEL_QUEUE, PARALLEL_ARRAY, PARALLEL_STACK };
enum { PARALLEL_COUNT, PARALLEL_TAKE, PARALLEL_SUM, PARALLEL_MAIN };
enum { PARALLEL_PROCESSORS = 4 };

static void parallel_head(struct ms_run *run)
{
	sample_head(run);
	run->tag = "shared";
	run->program = "./workers";
	run->argv.n = 0;
	SAMPLE_ADD(&run->argv, "./workers");
	run->processors = PARALLEL_PROCESSORS;
	run->nodes = 2;
	run->node_processors = 2;
	run->peer_latency = 60;
	run->remote_latency = 180;
	run->seed = 7;
	run->instructions = 20200000;
	run->levels.at[1].processors = 2;
}

static void parallel_places(struct ms_run *run)
{
	static const char m[] = "/home/u/workers", f[] = "/home/u/src/workers.c";
	static const struct {
		uint32_t code, line, each; /* instructions of each processor */
	} lines[] = {
		{ PARALLEL_COUNT, 12, 2000000 }, { PARALLEL_TAKE, 30, 600000 },
		{ PARALLEL_TAKE, 33, 400000 },   { PARALLEL_SUM, 20, 2000000 },
		{ PARALLEL_MAIN, 50, 0 },
	};

	SAMPLE_ADD(&run->codes, (struct ms_run_code){ "count", m, f, 10, 0x1100 });
	SAMPLE_ADD(&run->codes, (struct ms_run_code){ "take", m, f, 28, 0x1200 });
	SAMPLE_ADD(&run->codes, (struct ms_run_code){ "sum", m, f, 17, 0x1300 });
	SAMPLE_ADD(&run->codes, (struct ms_run_code){ "main", m, f, 45, 0x1400 });
	for (uint32_t i = 0; i < MS_COUNT(lines); i++) {
		uint64_t all = lines[i].each ? UINT64_C(4) * lines[i].each : 200000;

		SAMPLE_ADD(&run->lines, (struct ms_run_line){ .code = lines[i].code,
							      .file = f,
							      .line = lines[i].line,
							      .instructions = all });
		for (uint32_t p = 0; p < PARALLEL_PROCESSORS && lines[i].each; p++)
			SAMPLE_ADD(&run->line_times,
				   (struct ms_run_line_time){ .line = i,
							      .processor = p,
							      .instructions = lines[i].each,
							      .weighted = lines[i].each / 4.0 });
	}
	/* main is alone, and so its time counts whole. */
	SAMPLE_ADD(
		&run->line_times,
		(struct ms_run_line_time){ .line = 4, .instructions = 200000, .weighted = 200000 });
	SAMPLE_ADD(&run->sites, (struct ms_run_site){ 0, MS_SITE_MODIFY, 8, 0x1110, NULL });
	SAMPLE_ADD(&run->sites, (struct ms_run_site){ 1, MS_SITE_READ, 8, 0x1210, NULL });
	SAMPLE_ADD(&run->sites, (struct ms_run_site){ 2, MS_SITE_WRITE, 8, 0x1220, NULL });
	SAMPLE_ADD(&run->sites, (struct ms_run_site){ 3, MS_SITE_READ, 8, 0x1310, NULL });
	SAMPLE_ADD(&run->sites, (struct ms_run_site){ 4, MS_SITE_WRITE, 8, 0x1410, NULL });
	SAMPLE_ADD(&run->sites, (struct ms_run_site){ 3, MS_SITE_READ, 8, 0x1318, NULL });
}

static void parallel_data(struct ms_run *run)
{
	static const char m[] = "/home/u/workers", f[] = "/home/u/src/workers.c";

	SAMPLE_ADD(&run->data,
		   (struct ms_run_data){ .name = "counters",
					 .full_name = "counters (workers.c:5) in /home/u/workers",
					 .type = "struct counters",
					 .kind = MS_DATA_STATIC,
					 .objects = 1,
					 .bytes = 32,
					 .peak_bytes = 32,
					 .largest = 32 });
	SAMPLE_ADD(&run->data, (struct ms_run_data){ .name = "Queue.q",
						     .full_name = "main (workers.c:47) > Queue.q",
						     .type = "Queue",
						     .kind = MS_DATA_HEAP,
						     .objects = 1,
						     .bytes = 48,
						     .peak_bytes = 48,
						     .largest = 48 });
	SAMPLE_ADD(&run->data, (struct ms_run_data){ .name = "double.x",
						     .full_name = "main (workers.c:48) > double.x",
						     .type = "double",
						     .kind = MS_DATA_HEAP,
						     .objects = 1,
						     .bytes = 800000,
						     .peak_bytes = 800000,
						     .largest = 800000 });
	SAMPLE_ADD(&run->data, (struct ms_run_data){ .name = "<stack>",
						     .full_name = "<stack>",
						     .kind = MS_DATA_STACK });
	SAMPLE_ADD(&run->frames, (struct ms_run_frame){ 1, 0, "main", f, 47, m, 0x1430 });
	SAMPLE_ADD(&run->frames, (struct ms_run_frame){ 2, 0, "main", f, 48, m, 0x1440 });
}

static uint32_t parallel_cell(struct ms_run *run, uint32_t site, uint32_t data, uint32_t processor,
			      uint64_t references)
{
	SAMPLE_ADD(&run->cells, (struct ms_run_cell){ .site = site,
						      .data = data,
						      .references = references,
						      .processor = processor,
						      .upgrades = site == 2 ? 3000 : 0 });
	return (uint32_t)run->cells.n - 1;
}

/* Misses of the last cell; false: how many of the invalidated are. */
static void parallel_miss(struct ms_run *run, uint32_t level, uint64_t first, uint64_t invalidated,
			  uint64_t falsely, uint64_t peer)
{
	SAMPLE_ADD(&run->misses, (struct ms_run_miss){
					 .cell = (uint32_t)run->cells.n - 1,
					 .level = level,
					 .causes = { first, 0, invalidated },
					 .falsely = falsely,
					 .peer = peer,
					 .write_backs = level == 1 ? peer : 0,
					 .weighted = (double)(first + invalidated) / 4,
				 });
}

/*
 * counters: 20000 misses each, 5000 of them answered by the other processor of the pair, the rest
 * by the other pair: 20000 * 60 = 1200000 cycles. All falsely.
 */
static void parallel_count(struct ms_run *run)
{
	uint32_t first = (uint32_t)run->cells.n;

	for (uint32_t p = 0; p < PARALLEL_PROCESSORS; p++) {
		parallel_cell(run, 0, PARALLEL_COUNTERS, p, 400000);
		parallel_miss(run, 0, 0, 20000, 20000, 5000);
		parallel_miss(run, 1, 0, 15000, 15000, 15000);
	}
	for (uint32_t p = 0; p < PARALLEL_PROCESSORS; p++)
		for (uint32_t w = 0; w < PARALLEL_PROCESSORS; w++)
			if (w != p)
				SAMPLE_ADD(&run->sharing,
					   (struct ms_run_sharing){
						   first + p, first + w, 0x404040, p * 8, w * 8,
						   p * 8, w * 8,
						   ms_arena_printf(&run->arena, ".n[%u]", p),
						   ms_arena_printf(&run->arena, ".n[%u]", w), 0,
						   (w ^ 1) == p ? 5000 : 7500,
						   (w ^ 1) == p ? 5000 : 7500, 0 });
}

/*
 * The queue: each processor reads .head, written by the next one, 4000 misses that the other pair
 * answers (240000 cycles) and 1000 that the L2 does (10000); the writer's own upgrade costs
 * nothing.
 */
static void parallel_take(struct ms_run *run)
{
	uint32_t first = (uint32_t)run->cells.n;

	for (uint32_t p = 0; p < PARALLEL_PROCESSORS; p++) {
		parallel_cell(run, 1, PARALLEL_QUEUE, p, 100000);
		parallel_miss(run, 0, 0, 5000, 500, 0);
		parallel_miss(run, 1, 0, 4000, 400, 4000);
	}
	for (uint32_t p = 0; p < PARALLEL_PROCESSORS; p++)
		parallel_cell(run, 2, PARALLEL_QUEUE, p, 50000);
	for (uint32_t p = 0; p < PARALLEL_PROCESSORS; p++) {
		uint32_t writer = first + 4 + (p + 2) % 4;

		SAMPLE_ADD(&run->sharing,
			   (struct ms_run_sharing){ first + p, writer, 0x5000040, 8, 8, 8, 8,
						    ".head", ".head", 4500, 0, 3600, 0 });
		SAMPLE_ADD(&run->sharing,
			   (struct ms_run_sharing){ first + p, writer, 0x5000040, 8, 16, 8, 16,
						    ".head", ".tail", 0, 500, 400, 0 });
	}
}

/* The array: 100000 doubles, 12500 lines, all in the first node; each processor reads them all. */
static void parallel_sum(struct ms_run *run)
{
	for (uint32_t p = 0; p < PARALLEL_PROCESSORS; p++) {
		parallel_cell(run, 3, PARALLEL_ARRAY, p, 100000);
		parallel_miss(run, 0, 12500, 0, 0, 0);
		/* The first of a pair misses L2, the second finds it there. */
		if (p % 2 == 0) {
			parallel_miss(run, 1, 12500, 0, 0, 0);
			run->misses.at[run->misses.n - 1].remote = p >= 2 ? 12500 : 0;
		}
	}
	parallel_cell(run, 4, PARALLEL_ARRAY, 0, 100000);
	parallel_miss(run, 0, 12500, 0, 0, 0);
	parallel_miss(run, 1, 12500, 0, 0, 0);
	run->misses.at[run->misses.n - 1].weighted = 12500;
	run->misses.at[run->misses.n - 2].weighted = 12500;
	parallel_cell(run, 5, PARALLEL_STACK, 3, 1000000);
}

/* main on processor 0, then four workers; the last one waits much, and never ends. */
static void parallel_threads(struct ms_run *run)
{
	/* 5000000 instructions, the stalls of its processor, 950000 of waiting. */
	static const uint64_t elapsed[] = { 8650000, 7525000, 9650000, 7525000 };

	SAMPLE_ADD(&run->threads, (struct ms_run_thread){ "main", 0, 200000, 100000, 0, 11100000,
							  200000, MS_THREAD_ENDED });
	SAMPLE_ADD(&run->waits, (struct ms_run_wait){ 0, 4, MS_WAIT_JOIN, 4, 9650000 });
	for (uint32_t i = 0; i < PARALLEL_PROCESSORS; i++) {
		bool last = i == PARALLEL_PROCESSORS - 1;

		SAMPLE_ADD(&run->threads,
			   (struct ms_run_thread){ i == 1 ? NULL : "worker", i, 5000000,
						   650000 + (last ? 1000000 : 0), 1450000,
						   elapsed[i], 1250000,
						   last ? MS_THREAD_WAITING : MS_THREAD_ENDED });
		SAMPLE_ADD(&run->thread_misses,
			   (struct ms_run_thread_miss){ i + 1, 0, 37500, 5000, 0, 9375 });
		SAMPLE_ADD(&run->thread_misses,
			   (struct ms_run_thread_miss){ i + 1, 1, i % 2 ? 19000 : 31500, 19000,
							i == 2 ? 12500 : 0, i % 2 ? 4750 : 7875 });
		SAMPLE_ADD(&run->waits, (struct ms_run_wait){ i + 1, 1, MS_WAIT_SPIN, 30, 50000 });
		SAMPLE_ADD(&run->waits,
			   (struct ms_run_wait){ i + 1, MS_NONE, MS_WAIT_FUTEX, 2, 900000 });
	}
}

static void parallel_main_misses(struct ms_run *run)
{
	size_t n = run->thread_misses.n;

	/* Sorted by thread: main's come first. */
	ms_vec_add(&run->thread_misses);
	ms_vec_add(&run->thread_misses);
	memmove(run->thread_misses.at + 2, run->thread_misses.at,
		n * sizeof(*run->thread_misses.at));
	run->thread_misses.at[0] = (struct ms_run_thread_miss){ 0, 0, 12500, 0, 0, 12500 };
	run->thread_misses.at[1] = (struct ms_run_thread_miss){ 0, 1, 12500, 0, 0, 12500 };
}

static MS_UNUSED void sample_parallel_run(struct ms_run *run)
{
	parallel_head(run);
	parallel_places(run);
	parallel_data(run);
	parallel_count(run);
	parallel_take(run);
	parallel_sum(run);
	parallel_threads(run);
	parallel_main_misses(run);
}

#endif
