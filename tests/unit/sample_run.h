/*
 * tests/unit/sample_run.h - runs for tests: a small one with known figures, and random ones.
 *
 * The known one resembles Figure 2 of the paper: three matrices, three functions, two levels
 * (L2 answers in 10 cycles, memory in 100), some memory that could not be attributed.
 */
#ifndef MS_TESTS_SAMPLE_RUN_H
#define MS_TESTS_SAMPLE_RUN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "run/run.h"

enum { SAMPLE_Y, SAMPLE_Z, SAMPLE_X, SAMPLE_STACK, SAMPLE_FREED, SAMPLE_COUNTER };
enum { SAMPLE_MULTIPLY, SAMPLE_MAIN, SAMPLE_CLEAR, SAMPLE_MEMCPY };

#define SAMPLE_ADD(list, ...) (*ms_vec_add(list) = __VA_ARGS__)

static void sample_head(struct ms_run *run)
{
	*run = (struct ms_run){
		.uid = "00112233445566778899aabbccddeeff",
		.tag = "base",
		.started = "2026-11-15T10:31:02Z",
		.program = "./matmul",
		.frontend = "valgrind",
		.memspy = "0.1.0",
		.machine = "sample",
		.machine_origin = "made up for tests",
		.memory_latency = 100,
		.processors = 1,
		.nodes = 1,
		.wall_seconds = 1.25,
		.workers = 2,
		.end = MS_END_EXITED,
		.exit_status = 0,
		.instructions = 60000000,
	};
	SAMPLE_ADD(&run->argv, "./matmul");
	SAMPLE_ADD(&run->argv, "295");
	SAMPLE_ADD(&run->argv, "a b");
	SAMPLE_ADD(&run->levels, (struct ms_run_level){ "L1", 32768, 1, 64, 0, 1, { 0 }, 0 });
	SAMPLE_ADD(&run->levels, (struct ms_run_level){ "L2", 1048576, 8, 64, 10, 0, { 0 }, 0 });
}

static void sample_places(struct ms_run *run)
{
	static const char m[] = "/home/u/matmul", f[] = "/home/u/src/matmul.c";
	static const char libc[] = "/lib/libc.so.6";

	SAMPLE_ADD(&run->codes, (struct ms_run_code){ "BlkMultiply", m, f, 20, 0x1180 });
	SAMPLE_ADD(&run->codes, (struct ms_run_code){ "main", m, f, 40, 0x1300 });
	SAMPLE_ADD(&run->codes, (struct ms_run_code){ "ClearProduct", m, f, 10, 0x1100 });
	SAMPLE_ADD(&run->codes, (struct ms_run_code){ "memcpy", libc, NULL, 0, 0x9a000 });
	SAMPLE_ADD(&run->lines, (struct ms_run_line){ .code = SAMPLE_MULTIPLY,
						      .file = f,
						      .line = 29,
						      .instructions = 5000000 });
	SAMPLE_ADD(&run->lines, (struct ms_run_line){ .code = SAMPLE_MULTIPLY,
						      .file = f,
						      .line = 31,
						      .instructions = 45000000 });
	SAMPLE_ADD(&run->lines,
		   (struct ms_run_line){
			   .code = SAMPLE_MAIN, .file = f, .line = 44, .instructions = 8000000 });
	SAMPLE_ADD(&run->lines,
		   (struct ms_run_line){
			   .code = SAMPLE_CLEAR, .file = f, .line = 14, .instructions = 1900000 });
	SAMPLE_ADD(&run->lines, (struct ms_run_line){ .code = SAMPLE_MEMCPY,
						      .file = NULL,
						      .instructions = 100000 });
	SAMPLE_ADD(&run->sites, (struct ms_run_site){ 0, MS_SITE_READ, 8, 0x1190, NULL });
	SAMPLE_ADD(&run->sites,
		   (struct ms_run_site){ 1, MS_SITE_READ, 8, 0x11a0, "at (matmul.c:5)" });
	SAMPLE_ADD(&run->sites, (struct ms_run_site){ 1, MS_SITE_MODIFY, 8, 0x11a8, NULL });
	SAMPLE_ADD(&run->sites, (struct ms_run_site){ 1, MS_SITE_WRITE, 8, 0x11b0, NULL });
	SAMPLE_ADD(&run->sites, (struct ms_run_site){ 2, MS_SITE_WRITE, 8, 0x1340, NULL });
	SAMPLE_ADD(&run->sites, (struct ms_run_site){ 3, MS_SITE_WRITE, 8, 0x1120, NULL });
	SAMPLE_ADD(&run->sites,
		   (struct ms_run_site){ 4, MS_SITE_READ, 32, UINT64_C(0xffffffffff600000), NULL });
}

static void sample_data(struct ms_run *run)
{
	static const char m[] = "/home/u/matmul", f[] = "/home/u/src/matmul.c";
	static const char *const names[] = { "Y", "Z", "X" };

	for (uint32_t i = 0; i < 3; i++) {
		SAMPLE_ADD(&run->data,
			   (struct ms_run_data){
				   .name = ms_arena_printf(&run->arena, "Matrix.%s", names[i]),
				   .full_name = ms_arena_printf(
					   &run->arena,
					   "main (matmul.c:%u) > NewMatrix (matmul.c:3) > "
					   "Matrix.%s",
					   41 + i, names[i]),
				   .type = "Matrix",
				   .kind = MS_DATA_HEAP,
				   .objects = 1,
				   .bytes = 696200,
				   .peak_bytes = 696200,
				   .largest = 696200 });
		SAMPLE_ADD(&run->frames,
			   (struct ms_run_frame){ i, 0, "NewMatrix", f, 3, m, 0x1210 });
		SAMPLE_ADD(&run->frames,
			   (struct ms_run_frame){ i, 1, "main", f, 41 + i, m, 0x1310 + i });
	}
	SAMPLE_ADD(&run->data, (struct ms_run_data){ .name = "<stack>",
						     .full_name = "<stack>",
						     .kind = MS_DATA_STACK });
	SAMPLE_ADD(&run->data, (struct ms_run_data){ .name = "<unknown>",
						     .full_name = "<unknown>",
						     .reason = "heap block was already freed",
						     .kind = MS_DATA_UNKNOWN });
	SAMPLE_ADD(&run->data, (struct ms_run_data){ .name = "counter",
						     .full_name = "matmul: counter",
						     .type = "int",
						     .kind = MS_DATA_STATIC,
						     .objects = 1,
						     .bytes = 4,
						     .peak_bytes = 4,
						     .largest = 4 });
}

static void sample_miss(struct ms_run *run, uint32_t level, uint64_t first, uint64_t replaced)
{
	SAMPLE_ADD(&run->misses, (struct ms_run_miss){ .cell = (uint32_t)run->cells.n - 1,
						       .level = level,
						       .causes = { first, replaced, 0 } });
}

static void sample_replaced(struct ms_run *run, uint32_t level, uint32_t evictor, uint64_t count)
{
	SAMPLE_ADD(&run->replaced,
		   (struct ms_run_replaced){ (uint32_t)run->cells.n - 1, level, evictor, count });
}

/* stall = (L1 misses - L2 misses) * 10 + L2 misses * 100 */
static void sample_cells(struct ms_run *run)
{
	SAMPLE_ADD(&run->cells,
		   (struct ms_run_cell){ .site = 1, .data = SAMPLE_Y, .references = 12880000 });
	sample_miss(run, 0, 10000, 8700000); /* 8710000 */
	sample_miss(run, 1, 10000, 100000);  /* 110000: 86000000 + 11000000 = 97000000 */
	sample_replaced(run, 0, SAMPLE_Y, 7830000);
	sample_replaced(run, 0, SAMPLE_Z, 600300);
	sample_replaced(run, 0, SAMPLE_X, 269700);
	sample_replaced(run, 1, SAMPLE_Y, 60000);
	sample_replaced(run, 1, SAMPLE_Z, 40000);
	SAMPLE_ADD(&run->evictions, (struct ms_run_eviction){ 0, 0, SAMPLE_Y, 7830000 });
	SAMPLE_ADD(&run->evictions, (struct ms_run_eviction){ 0, 0, SAMPLE_Z, 500000 });

	SAMPLE_ADD(&run->cells,
		   (struct ms_run_cell){ .site = 2, .data = SAMPLE_Z, .references = 6440000 });
	sample_miss(run, 0, 0, 700000);
	sample_miss(run, 1, 0, 20000); /* 6800000 + 2000000 = 8800000 */
	sample_replaced(run, 0, SAMPLE_Y, 650000);
	sample_replaced(run, 0, SAMPLE_Z, 50000);
	sample_replaced(run, 1, SAMPLE_Y, 20000);

	SAMPLE_ADD(&run->cells,
		   (struct ms_run_cell){ .site = 3, .data = SAMPLE_Z, .references = 6440000 });

	SAMPLE_ADD(&run->cells, (struct ms_run_cell){ .data = SAMPLE_X, .references = 435000 });
	sample_miss(run, 0, 0, 400000);
	sample_miss(run, 1, 0, 12000); /* 3880000 + 1200000 = 5080000 */
	sample_replaced(run, 0, SAMPLE_Y, 400000);
	sample_replaced(run, 1, SAMPLE_Y, 12000);

	SAMPLE_ADD(&run->cells, (struct ms_run_cell){ .data = SAMPLE_STACK, .references = 100000 });

	SAMPLE_ADD(&run->cells,
		   (struct ms_run_cell){ .site = 4, .data = SAMPLE_X, .references = 87025 });
	sample_miss(run, 0, 10879, 0);
	sample_miss(run, 1, 10879, 0); /* 1087900 */

	SAMPLE_ADD(&run->cells,
		   (struct ms_run_cell){ .site = 4, .data = SAMPLE_Y, .references = 87025 });
	sample_miss(run, 0, 10879, 0);
	sample_miss(run, 1, 10879, 0); /* 1087900 */

	SAMPLE_ADD(&run->cells,
		   (struct ms_run_cell){ .site = 5, .data = SAMPLE_Z, .references = 87025 });
	sample_miss(run, 0, 10879, 0);
	sample_miss(run, 1, 10879, 0); /* 1087900 */

	SAMPLE_ADD(&run->cells,
		   (struct ms_run_cell){ .site = 6, .data = SAMPLE_FREED, .references = 5000 });
	sample_miss(run, 0, 625, 0);
	sample_miss(run, 1, 625, 0); /* 62500 */
}

/* Four slices: X is read first, then Y fills what is left. */
static void sample_occupancy(struct ms_run *run)
{
	static const double x[] = { 256, 128, 64, 64 }, y[] = { 0, 256, 384, 432 };
	static const double others[] = { 16, 8, 4, 4 };
	static const uint32_t x_came[] = { 20000, 9000, 4000, 3000 },
			      y_came[] = { 0, 2000000, 3400000, 3310000 };

	run->steps = 40000000;
	run->slice_steps = 11000000;
	SAMPLE_ADD(&run->occupancy, (struct ms_run_occupancy){ 0, SAMPLE_Y, 440, 500, 263.2 });
	SAMPLE_ADD(&run->occupancy, (struct ms_run_occupancy){ 0, SAMPLE_X, 64, 300, 134.4 });
	SAMPLE_ADD(&run->occupancy, (struct ms_run_occupancy){ 0, SAMPLE_STACK, 4, 16, 8.1 });
	SAMPLE_ADD(&run->occupancy, (struct ms_run_occupancy){ 1, SAMPLE_Y, 9000, 10879, 8000.5 });
	for (uint32_t i = 1; i < 4; i++)
		SAMPLE_ADD(&run->stays, (struct ms_run_stay){ 0, SAMPLE_Y, i, y[i], y_came[i] });
	for (uint32_t i = 0; i < 4; i++)
		SAMPLE_ADD(&run->stays, (struct ms_run_stay){ 0, SAMPLE_X, i, x[i], x_came[i] });
	for (uint32_t i = 0; i < 4; i++)
		SAMPLE_ADD(&run->stays, (struct ms_run_stay){ 0, MS_NONE, i, others[i], 10 - i });
	for (uint32_t i = 0; i < 4; i++)
		SAMPLE_ADD(&run->stays, (struct ms_run_stay){ 1, SAMPLE_Y, i, 8000.5, 0 });
}

/* The first slices read for the first time; the others read what was evicted. */
static struct ms_run_slice_counts sample_counts(uint32_t slice, uint64_t misses)
{
	uint64_t first = slice < 2 ? misses : slice == 2 ? misses / 10 : 0;

	return (struct ms_run_slice_counts){ misses, { first, misses - first, 0 } };
}

/* The line of the first cell of the code. */
static uint32_t sample_line(const struct ms_run *run, uint32_t code)
{
	for (uint32_t i = 0; i < run->lines.n; i++)
		if (run->lines.at[i].code == code)
			return i;
	return 0;
}

/* Lines of a slice, in their order: each function's misses are those of one line. */
static void sample_slice_lines(struct ms_run *run, uint32_t slice)
{
	for (uint32_t line = 0; line < run->lines.n; line++)
		for (uint32_t l = 0; l < 2; l++) {
			uint64_t misses = 0;

			for (size_t k = 0; k < run->slice_misses.n; k++) {
				const struct ms_run_slice_miss *m = &run->slice_misses.at[k];

				if (m->slice == slice && m->level == l &&
				    sample_line(run, m->code) == line)
					misses += m->counts.misses;
			}
			if (misses > 0)
				SAMPLE_ADD(&run->slice_lines,
					   (struct ms_run_slice_line){
						   slice, line, l, sample_counts(slice, misses) });
		}
}

/* Eight slices: the matrices are filled, then multiplied. */
static void sample_slices(struct ms_run *run)
{
	static const struct {
		uint32_t code, data, from, to;
		uint64_t misses[2]; /* of each slice from..to */
	} pairs[] = {
		{ SAMPLE_MULTIPLY, SAMPLE_Y, 2, 7, { 1450000, 18000 } },
		{ SAMPLE_MULTIPLY, SAMPLE_Z, 2, 7, { 100000, 3000 } },
		{ SAMPLE_MULTIPLY, SAMPLE_X, 2, 7, { 60000, 2000 } },
		{ SAMPLE_MAIN, SAMPLE_Y, 0, 0, { 10000, 10000 } },
		{ SAMPLE_MAIN, SAMPLE_X, 0, 1, { 5000, 5000 } },
		{ SAMPLE_CLEAR, SAMPLE_Z, 1, 1, { 10000, 10000 } },
	};
	uint64_t sums[8][2] = { { 0 } };

	for (uint32_t i = 0; i < 8; i++) {
		SAMPLE_ADD(&run->slices, (struct ms_run_slice){ 5000000, MS_NONE });
		for (size_t k = 0; k < sizeof(pairs) / sizeof(*pairs); k++)
			for (uint32_t l = 0; l < 2 && i >= pairs[k].from && i <= pairs[k].to; l++) {
				SAMPLE_ADD(&run->slice_misses,
					   (struct ms_run_slice_miss){
						   i, pairs[k].code, pairs[k].data, l,
						   sample_counts(i, pairs[k].misses[l]) });
				sums[i][l] += pairs[k].misses[l];
			}
		for (uint32_t l = 0; l < 2; l++)
			SAMPLE_ADD(&run->slice_sums,
				   (struct ms_run_slice_sum){ i, 0, l,
							      sample_counts(i, sums[i][l] + 10) });
		sample_slice_lines(run, i);
		for (uint32_t l = 0; l < 2; l++) /* most in a quarter of the sets */
			for (uint32_t g = 0; g < 64; g += 4)
				SAMPLE_ADD(&run->set_slices,
					   (struct ms_run_set_slice){ i, l, g,
								      (sums[i][l] + 10) /
									      (g < 16 ? 5 : 60) });
	}
}

/* In all 26561075 references, 9843262 misses of L1, 175262 of L2, 114206200 stall cycles. */
static MS_UNUSED void sample_run(struct ms_run *run)
{
	sample_head(run);
	sample_places(run);
	sample_data(run);
	sample_cells(run);
	sample_occupancy(run);
	sample_slices(run);
}

static uint64_t sample_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *state >> 33;
}

static void random_misses(struct ms_run *run, uint64_t *state, uint32_t cell, uint32_t n_data)
{
	uint64_t left = sample_random(state) % (run->cells.at[cell].references + 1);

	for (uint32_t level = 0; level < run->levels.n && left > 0; level++) {
		uint64_t first = sample_random(state) % (left + 1);

		SAMPLE_ADD(&run->misses, (struct ms_run_miss){ .cell = cell,
							       .level = level,
							       .causes = { first, left - first, 0 },
							       .covered = left / 3 });
		if (left > first)
			SAMPLE_ADD(&run->replaced,
				   (struct ms_run_replaced){
					   cell, level, (uint32_t)(sample_random(state) % n_data),
					   left - first });
		left = sample_random(state) % (left + 1);
	}
}

/* Names of all lengths; counts of all sizes, so that shares are as uneven as in life. */
static MS_UNUSED void sample_random_run(struct ms_run *run, uint64_t seed, uint32_t n_code,
					uint32_t n_data, uint32_t n_cells)
{
	uint64_t state = seed * 2654435761u + 1;

	sample_head(run);
	run->levels.at[0].prefetch = seed % 2 ? 16 : 0;
	for (uint32_t i = 0; i < MS_TRAITS; i++)
		run->levels.at[1].traits[i] = (uint32_t)(seed >> i & 1);
	for (uint32_t i = 0; i < n_code; i++) {
		SAMPLE_ADD(&run->codes,
			   (struct ms_run_code){
				   ms_arena_printf(&run->arena, "function%0*u",
						   1 + (int)(sample_random(&state) % 40), i),
				   "/bin/p", NULL, 0, i });
		SAMPLE_ADD(&run->lines,
			   (struct ms_run_line){ .code = i,
						 .file = NULL,
						 .instructions = sample_random(&state) % 1000 });
		SAMPLE_ADD(&run->sites, (struct ms_run_site){ i, i % 3, 8, i, NULL });
	}
	for (uint32_t i = 0; i < n_data; i++) {
		bool known = sample_random(&state) % 4 != 0;
		const char *name = ms_arena_printf(&run->arena, "Data.%0*u",
						   1 + (int)(sample_random(&state) % 30), i);

		SAMPLE_ADD(&run->data,
			   (struct ms_run_data){ .name = name,
						 .full_name = name,
						 .kind = known ? MS_DATA_HEAP : MS_DATA_UNKNOWN,
						 .reason = known   ? NULL
							   : i % 2 ? "lost"
								   : "freed" });
	}
	for (uint32_t i = 0; i < n_cells; i++) {
		uint64_t most = UINT64_C(1) << (sample_random(&state) % 40);

		SAMPLE_ADD(&run->cells,
			   (struct ms_run_cell){ .site = (uint32_t)(sample_random(&state) % n_code),
						 .data = (uint32_t)(sample_random(&state) % n_data),
						 .references = 1 + sample_random(&state) % most });
		random_misses(run, &state, i, n_data);
	}
}

#endif
