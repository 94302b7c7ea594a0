/* Which of a timer's samples are the time of hits: the number of lines that an instruction uses,
 * and what its loop takes without misses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "hardware/hardware.h"

enum { PERIOD = 1000, LINE = 64, PAGE_BYTES = 4096 };
enum { BASE = 0x10000000 };

static struct ms_machine_level levels[] = {
	{ .name = "L1", .size = 64 << 10, .ways = 4, .line = LINE, .outstanding = 20 },
	{ .name = "L2", .size = 1 << 20, .ways = 8, .line = LINE, .latency = 10 },
};
static const struct ms_machine machine = {
	.levels = { levels, MS_COUNT(levels), MS_COUNT(levels) },
	.memory_latency = 300,
	.core = { .out_of_order = 1, .ipc_milli = 4000, .window = 256 },
};

static uint64_t random_number(void)
{
	static uint64_t state = 88172645463325252u;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state >> 20;
}

/* --- the number of lines --- */

struct lines {
	struct ms_hardware_touched at[4096];
	size_t n;
};

static void touch(struct lines *lines, uint64_t line)
{
	size_t i = 0;

	while (i < lines->n && lines->at[i].line != line)
		i++;
	if (i == lines->n)
		lines->at[lines->n++].line = line;
	lines->at[i].samples++;
}

/* Samples on lines that are `apart`, chosen at random. */
static double latency_of(struct lines *lines, size_t samples, uint64_t among, uint64_t apart)
{
	for (size_t i = 0; i < samples; i++)
		touch(lines, BASE / LINE + random_number() % among * apart);
	const struct ms_hardware_footprint f =
		ms_hardware_find_footprint(lines->at, lines->n, &machine);
	return ms_hardware_expected_latency(&f, &machine);
}

static void lines_tell_the_level(void **state)
{
	static const struct {
		size_t samples;
		uint64_t among, apart;
		double least, most; /* cycles */
	} cases[] = {
		{ 20, 4, 1, 0, 0 },
		{ 100, 64, 1, 0, 0 },
		{ 400, 800, 1, 0, 0.5 },
		{ 400, 4000, 1, 5, 10 },
		{ 1000, 12000, 1, 8, 11 },
		{ 400, 1 << 20, 1, 250, 300 },
		{ 1000, 1 << 20, 1, 250, 300 },
		/* Few samples far apart: nothing indicates hits. */
		{ 20, 1 << 20, 1, 250, 300 },
		/* 128 lines a page apart share four sets of 4 ways in L1. */
		{ 400, 128, PAGE_BYTES / LINE, 6, 10 },
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		struct lines lines = { .n = 0 };
		double found = latency_of(&lines, cases[i].samples, cases[i].among, cases[i].apart);

		if (found < cases[i].least || found > cases[i].most)
			fail_msg("case %zu: %g cycles", i, found);
	}
}

/* A few lines with most of the samples do not hide the others. */
static void hot_lines_are_set_apart(void **state)
{
	struct lines lines = { .n = 0 };

	(void)state;
	for (size_t i = 0; i < 400; i++)
		touch(&lines, i % 8);
	double found = latency_of(&lines, 400, 1 << 20, 1);
	assert_true(found > 120 && found < 160);
}

/* --- samples --- */

enum { SITE = 3, DATA = 5 };

/* References of one loop to random lines, each with compute samples in the same loop. */
struct loop_case {
	struct ms_decode_loop loop;
	bool in_order, strided, several_threads;
	uint64_t lines;
	uint32_t references, computes;
	uint32_t least, most; /* references that remain */
};

static void add_samples(struct ms_hardware *h, const struct loop_case *c)
{
	struct ms_hardware_sample_loop in = { .loop = c->loop,
					      .in_order = c->in_order,
					      .strided = c->strided };

	*ms_vec_add(&h->phases) = (struct ms_hardware_phase){ .samples = c->references };
	*ms_vec_add(&h->phases) = (struct ms_hardware_phase){ .samples = 0 };
	for (uint32_t i = 0; i < c->references; i++) {
		const struct ms_hardware_row one = { .samples = 1,
						     .events = 1,
						     .events_squares = 1,
						     .latency = PERIOD,
						     .latency_squares = PERIOD * PERIOD };
		const struct ms_hardware_added_sample sample = {
			.site = SITE,
			.data = DATA,
			.phase = i % 2,
			.address = BASE + random_number() % c->lines * LINE,
			.time = PERIOD,
		};

		in.thread = c->several_threads ? i % 2 : 0;
		ms_hardware_add_to_row(
			ms_hardware_row(h, &(struct ms_hardware_row){ .site = SITE,
								      .data = DATA,
								      .near = MS_NONE }),
			&one);
		ms_hardware_add_to_working_set(&h->working_set, &in, &sample);
		h->phases.at[i % 2].figures[MS_PHASE_LATENCY] += PERIOD;
	}
	for (uint32_t i = 0; i < c->computes; i++)
		ms_hardware_add_to_working_set(
			&h->working_set, &in,
			&(struct ms_hardware_added_sample){
				.site = SITE + 1, .data = MS_NONE, .time = PERIOD });
}

static uint64_t remaining(const struct ms_hardware *h)
{
	uint64_t references = 0, all = 0;

	for (size_t i = 0; i < h->rows.n; i++) {
		all += h->rows.at[i].samples;
		references += h->rows.at[i].data == DATA ? h->rows.at[i].samples : 0;
		assert_int_equal(h->rows.at[i].latency, h->rows.at[i].samples * PERIOD);
	}
	assert_int_equal(all, h->phases.at[0].samples);
	return references;
}

static void own_time_of_loops_is_compute_time(void **state)
{
	static const struct ms_decode_loop none = { .begin = 0 },
					   list = { BASE, 3, 4, true }, /* p = p->next */
		gather = { BASE, 5, 2, false };
	static const struct loop_case cases[] = {
		/* In the first-level cache nothing has waited, in whatever loop. */
		{ .loop = none, .lines = 200, .references = 400, .least = 0, .most = 0 },
		{ .loop = list, .lines = 200, .references = 400, .least = 0, .most = 0 },
		{ .loop = gather, .lines = 200, .references = 400, .least = 0, .most = 0 },
		{ .loop = gather, .in_order = true, .lines = 200, .references = 400, .most = 0 },
		/* Lines of two threads move between their caches. */
		{ .loop = list,
		  .several_threads = true,
		  .lines = 200,
		  .references = 400,
		  .least = 400,
		  .most = 400 },
		/* A list in the second level: 4 of 14 cycles. In memory: 4 of 304. */
		{ .loop = list, .lines = 8000, .references = 1000, .least = 620, .most = 740 },
		{ .loop = list, .lines = 1 << 22, .references = 1000, .least = 980, .most = 995 },
		/* 8 misses at a time: 10 / 8 cycles are hidden by the 2 of the loop; 300 / 8 are
		 * not, of which 2 are its own. */
		{ .loop = gather, .lines = 8000, .references = 1000, .least = 0, .most = 0 },
		{ .loop = gather, .lines = 1 << 22, .references = 1000, .least = 930, .most = 960 },
		/* Samples after other instructions have the loop's own time already. */
		{ .loop = gather,
		  .lines = 1 << 22,
		  .references = 1000,
		  .computes = 100,
		  .least = 1000,
		  .most = 1000 },
		/* The addresses of sequential references are judged one by one. */
		{ .loop = gather,
		  .in_order = true,
		  .lines = 1 << 22,
		  .references = 1000,
		  .least = 1000,
		  .most = 1000 },
		/* Too few samples to know. */
		{ .loop = list, .lines = 200, .references = 12, .least = 12, .most = 12 },
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		const struct ms_hardware_options options = { .source = MS_RUN_TIMER };
		struct ms_hardware h;

		ms_hardware_open(&h, &options);
		add_samples(&h, &cases[i]);
		ms_hardware_subtract_hits(&h, &machine);
		uint64_t left = remaining(&h);
		if (left < cases[i].least || left > cases[i].most)
			fail_msg("case %zu: %u references remain", i, (unsigned)left);
		uint64_t stall = 0, compute = 0;
		for (size_t k = 0; k < h.phases.n; k++) {
			stall += h.phases.at[k].figures[MS_PHASE_LATENCY];
			compute += h.phases.at[k].figures[MS_PHASE_COMPUTE];
		}
		assert_int_equal(stall, left * PERIOD);
		assert_int_equal(compute, (cases[i].references - left) * PERIOD);
		ms_hardware_close(&h);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_tell_the_level),
		cmocka_unit_test(hot_lines_are_set_apart),
		cmocka_unit_test(own_time_of_loops_is_compute_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
