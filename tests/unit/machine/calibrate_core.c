/* Rounds of measurements: when they are refused, and the figures that come out. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "machine/calibrate_core.h"
#include "machine/machine_priv.h"
#include "machine/probes.h"

/* --- other programs --- */

#define STATE(stolen, total, running, preempted, seconds)  \
	{                                                  \
		stolen, total, running, preempted, seconds \
	}

static void judgements(void **state)
{
	static const struct {
		struct ms_machine_quiet_state states[3];
		double stolen, others, preempted;
		bool quiet;
	} cases[] = {
		{ { STATE(0, 1000, 1, 0, 0), STATE(0, 1100, 1, 1, 1), STATE(0, 1200, 2, 2, 2) },
		  0,
		  1.0 / 3,
		  1,
		  true },
		{ { STATE(0, 1000, 2, 0, 0), STATE(0, 1100, 2, 0, 1), STATE(0, 1200, 3, 0, 2) },
		  0,
		  4.0 / 3,
		  0,
		  false },
		{ { STATE(7, 1000, 1, 0, 0), STATE(7, 1100, 1, 0, 1), STATE(17, 1200, 1, 0, 2) },
		  5,
		  0,
		  0,
		  false },
		{ { STATE(0, 1000, 1, 5, 0), STATE(0, 1100, 1, 70, 1), STATE(0, 1200, 1, 205, 2) },
		  0,
		  0,
		  100,
		  false },
		/* Nothing could be read: nothing is known to disturb. */
		{ { STATE(0, 0, 0, 0, 0), STATE(0, 0, 0, 0, 1), STATE(0, 0, 0, 0, 2) },
		  0,
		  0,
		  0,
		  true },
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		struct ms_machine_quiet got = ms_machine_quiet_judge(cases[i].states, 3);

		print_message("case %zu\n", i);
		assert_true(fabs(got.stolen - cases[i].stolen) < 1e-9);
		assert_true(fabs(got.others - cases[i].others) < 1e-9);
		assert_true(fabs(got.preempted - cases[i].preempted) < 1e-9);
		assert_int_equal(got.quiet, cases[i].quiet);
	}
}

static void proc_stat(void **state)
{
	char folder[] = "/tmp/memspy-quiet-XXXXXX", path[64];

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/stat", folder);
	FILE *out = fopen(path, "w");
	fputs("cpu  100 1 20 1000 5 0 2 33 9 9\ncpu0 1 2 3 4 5 6 7 8 9 10\nintr 1 2\n"
	      "processes 77\nprocs_running 6\nprocs_blocked 1\n",
	      out);
	fclose(out);
	struct ms_machine_quiet_state got = ms_machine_quiet_read(folder);

	unlink(path);
	rmdir(folder);
	assert_int_equal(got.stolen, 33);
	assert_int_equal(got.total, 1161);
	assert_int_equal(got.running, 6);
	assert_true(got.seconds > 0);
	got = ms_machine_quiet_read("/no/such/folder");
	assert_int_equal(got.running, 0);
	assert_int_equal(got.total, 0);
}

/* --- rounds --- */

static struct ms_machine_rounds three_rounds(void)
{
	struct ms_machine_rounds rounds = { .n = 3, .quiet = 3 };

	for (unsigned i = 0; i < 3; i++) {
		for (size_t k = 0; k < MS_QUANTITIES; k++)
			rounds.at[i].value[k] = 10 + i;
		rounds.at[i].quiet.quiet = true;
	}
	return rounds;
}

static void refusals(void **state)
{
	struct ms_machine_rounds rounds = three_rounds();
	char why[512];

	(void)state;
	assert_false(ms_machine_calibrate_unsteady(&rounds, why, sizeof(why)));
	rounds.at[2].value[MS_QUANTITY_MEMORY] = 14;
	assert_true(ms_machine_calibrate_unsteady(&rounds, why, sizeof(why)));
	assert_string_equal(why, "the latency of memory varied by 36 % between rounds");
	rounds = three_rounds();
	rounds.at[0].value[MS_QUANTITY_READ] = 5;
	assert_true(ms_machine_calibrate_unsteady(&rounds, why, sizeof(why)));
	assert_string_equal(why, "the bandwidth of memory varied by 64 % between rounds");

	rounds = three_rounds();
	rounds.quiet = 1;
	rounds.at[0].quiet = (struct ms_machine_quiet){ 3, 6, 90, false };
	rounds.at[1].quiet = (struct ms_machine_quiet){ 0, 3, 30, false };
	assert_true(ms_machine_calibrate_unsteady(&rounds, why, sizeof(why)));
	assert_string_equal(why,
			    "2 of 3 rounds were disturbed: on average 3.0 other tasks were ready "
			    "to run, 1.0 % of the time was stolen by other guests, and the "
			    "measurement was interrupted 40 times a second");
}

static struct ms_machine two_levels(void)
{
	struct ms_machine m = { .name = "test", .processors = 1, .memory_latency = 300 };

	for (size_t i = 0; i < 2; i++)
		*ms_vec_add(&m.levels) =
			(struct ms_machine_level){ .name = i == 0 ? "L1" : "L2",
						   .size = UINT64_C(65536) << (4 * i),
						   .ways = 4,
						   .line = 64,
						   .latency = i == 0 ? 0 : 20,
						   .latency_origin = "measured before" };
	return m;
}

/* Medians of the undisturbed rounds, rounded, within the bounds of the keys. */
static void figures(void **state)
{
	struct ms_machine_rounds rounds = three_rounds();
	struct ms_machine m = two_levels();

	(void)state;
	rounds.n = 4;
	rounds.at[3] = rounds.at[0];
	rounds.at[3].quiet.quiet = false;
	rounds.at[3].value[MS_QUANTITY_CLOCK] = 1;
	for (unsigned i = 0; i < 4; i++) {
		rounds.at[i].value[MS_QUANTITY_IPC] = 4.5 + 0.01 * i;
		rounds.at[i].value[MS_QUANTITY_FLOAT_ADD] = 2 + 0.1 * i;
		rounds.at[i].value[MS_QUANTITY_LAST] = 60 + i;
		rounds.at[i].value[MS_QUANTITY_PEER] = 110;
		rounds.at[i].value[MS_QUANTITY_STREAMS] = MS_STREAMS_TRIED;
		rounds.at[i].value[MS_QUANTITY_CROSS] = 1;
		rounds.at[i].value[MS_QUANTITY_WALKS] = 1e6;
		rounds.at[i].value[MS_QUANTITY_TOTAL] = NAN;
	}
	ms_machine_calibrate_core(&m, &rounds, 4);
	assert_int_equal(m.core.clock_mhz, 11);
	assert_string_equal(m.figure_origins[MS_FIGURE_CLOCK],
			    "measured: 11 (10..12 over 3 rounds)");
	assert_int_equal(m.core.ipc_milli, 4510);
	assert_string_equal(m.figure_origins[MS_FIGURE_IPC],
			    "measured: 4.51 (4.50..4.52 over 3 rounds)");
	assert_int_equal(m.core.load_latency, 4);
	assert_string_equal(m.figure_origins[MS_FIGURE_LOAD_LATENCY],
			    "measured: 4.0, in the first level");
	assert_int_equal(m.core.float_add_latency, 2);
	assert_string_equal(m.figure_origins[MS_FIGURE_FLOAT_ADD_LATENCY],
			    "measured: 2.1 (2.0..2.2 over 3 rounds)");
	assert_int_equal(m.core.bandwidth_milli, 11000);
	assert_string_equal(m.figure_origins[MS_FIGURE_WRITE_BANDWIDTH],
			    "measured: 11.00 (10.00..12.00 over 3 rounds), copying: 11.00 "
			    "(10.00..12.00)");
	assert_int_equal(m.core.prefetch_streams, MS_STREAMS_TRIED);
	assert_string_equal(m.figure_origins[MS_FIGURE_PREFETCH_STREAMS],
			    "measured: 128 (128..128 over 3 rounds), no more was tried");
	assert_int_equal(m.core.prefetch_crosses_pages, 1);
	assert_int_equal(m.core.walks, 1024);
	assert_null(m.figure_origins[MS_FIGURE_TOTAL_BANDWIDTH]);
	assert_null(m.figure_origins[MS_FIGURE_WINDOW]);
	assert_int_equal(m.levels.at[0].outstanding, 11);
	assert_int_equal(m.levels.at[1].usable, 11);
	assert_int_equal(m.levels.at[0].usable, 0);
	assert_int_equal(m.levels.at[1].latency, 57);
	assert_string_equal(m.levels.at[1].latency_origin,
			    "measured: 57 cycles (56..58 over 3 rounds), in its usable part");
	assert_int_equal(m.peer_latency, 106);
	ms_machine_free(&m);
}

/* All rounds were disturbed: with --force, all are used. What was not measured stays. */
static void forced(void **state)
{
	struct ms_machine_rounds rounds = three_rounds();
	struct ms_machine m = two_levels();

	(void)state;
	rounds.quiet = 0;
	for (unsigned i = 0; i < 3; i++) {
		rounds.at[i].quiet.quiet = false;
		rounds.at[i].value[MS_QUANTITY_LAST] = NAN;
		rounds.at[i].value[MS_QUANTITY_USABLE] = NAN;
	}
	ms_machine_calibrate_core(&m, &rounds, 4);
	assert_int_equal(m.core.clock_mhz, 11);
	assert_int_equal(m.levels.at[1].usable, 0);
	assert_int_equal(m.levels.at[1].latency, 20);
	assert_string_equal(m.levels.at[1].latency_origin, "measured before");
	ms_machine_free(&m);
}

/* --- the patterns --- */

/* Chains start at places of one walk, all different, and go on from there. */
static void starts(void **state)
{
	enum { BYTES = 4 << 20, LINES = BYTES / 64 };
	struct ms_machine_probe_starts found, before;
	struct ms_machine_chase chase;

	(void)state;
	ms_machine_chase_open(&chase, BYTES);
	ms_machine_chase_link(&chase, BYTES, 64);
	ms_machine_probe_find_starts(&chase, LINES, &found);
	for (unsigned i = 0; i < MS_PROBE_CHAINS; i++)
		for (unsigned k = 0; k < i; k++)
			assert_ptr_not_equal(found.at[i], found.at[k]);
	before = found;
	assert_true(ms_machine_probe_chains(&found, 3) > 0);
	assert_int_equal(found.next, 3);
	for (unsigned i = 0; i < MS_PROBE_CHAINS; i++)
		assert_int_equal(found.at[i] != before.at[i], i < 3);
	ms_machine_chase_close(&chase);
}

/* One word in each page, in one walk; never more than a quarter of them in the same line number. */
static void one_word_in_each_page(void **state)
{
	enum { PAGES = 1024, PAGE = 4096 };
	struct ms_machine_chase chase;
	unsigned seen[PAGES] = { 0 }, lines[PAGE / 64] = { 0 };

	(void)state;
	ms_machine_chase_open_small(&chase, PAGES * PAGE);
	ms_machine_probe_link_pages(&chase, PAGES, PAGE);
	void **at = chase.at;
	for (size_t i = 0; i < PAGES; i++, at = *at) {
		size_t offset = (size_t)((char *)at - chase.base);

		seen[offset / PAGE]++;
		lines[offset % PAGE / 64]++;
	}
	assert_ptr_equal(at, chase.at);
	for (size_t i = 0; i < PAGES; i++)
		assert_int_equal(seen[i], 1);
	for (size_t i = 0; i < MS_COUNT(lines); i++)
		assert_int_equal(lines[i], PAGES / MS_COUNT(lines));
	ms_machine_chase_close(&chase);
}

static void times_are_positive(void **state)
{
	struct ms_machine_chase chase;
	size_t from = 0;

	(void)state;
	ms_machine_chase_open(&chase, 16 << 20);
	for (size_t stride = 64; stride <= 1 << 20; stride *= 4) {
		assert_true(ms_machine_probe_stride(&chase, stride, &from) > 0);
		assert_true(from < chase.bytes);
	}
	assert_true(ms_machine_probe_streams(&chase, 1, &from) > 0);
	assert_true(ms_machine_probe_streams(&chase, MS_PROBE_STREAMS, &from) > 0);
	assert_true(ms_machine_probe_transfer(&chase, MS_TRANSFER_READ) > 0);
	assert_true(ms_machine_probe_transfer(&chase, MS_TRANSFER_WRITE) > 0);
	assert_true(ms_machine_probe_transfer(&chase, MS_TRANSFER_COPY) > 0);
	assert_true(ms_machine_probe_mix() > 0);
	ms_machine_chase_close(&chase);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(judgements),
		cmocka_unit_test(proc_stat),
		cmocka_unit_test(refusals),
		cmocka_unit_test(figures),
		cmocka_unit_test(forced),
		cmocka_unit_test(starts),
		cmocka_unit_test(one_word_in_each_page),
		cmocka_unit_test(times_are_positive),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
