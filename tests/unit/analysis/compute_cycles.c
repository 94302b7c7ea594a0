/* Intervals of compute cycles, times of threads, phases and upgrades, computed by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "unit/sample_windows.h"

#include "analysis/confidence_intervals/design_effect.h"
#include "analysis/confidence_intervals/phases.h"
#include "analysis/threads/threads.h"
#include "unit/interval_asserts.h"

enum { PARTS = 4, SCALE = 10, WINDOWS_SEEN = 4, UNMET = 3 };

/* What the parts of two sums differ by, times the quantile of three degrees of freedom. */
static double spread(double squares)
{
	return 1.25 * SCALE * 3.182 * sqrt(4.0 / 3 * (1 - 1.0 / SCALE) * squares);
}

/*
 * The first function has two lines, of which one has references, the same in each part; the second
 * one line, whose references come in every other part mostly; the third has none.
 */
static void make_run(struct ms_run *run)
{
	static const uint64_t instructions[] = { 8000, 2000, 4000, 500 };
	static const uint32_t codes[] = { 0, 0, 1, 2 }, lines[] = { 0, 2 };
	static const char *const names[] = { "first", "second", "third" };

	memset(run, 0, sizeof(*run));
	run->machine = "case";
	run->processors = run->nodes = 1;
	run->memory_latency = 100;
	*ms_vec_add(&run->levels) = (struct ms_run_level){ .name = "L1", .size = 256, .line = 64 };
	*ms_vec_add(&run->sampled_levels) = (struct ms_run_sampled_level){ 0, 4, 0 };
	*ms_vec_add(&run->samplings) = (struct ms_run_sampling){ .ratio = 0.1,
								 .window = 200,
								 .sets = 1,
								 .windows = WINDOWS_SEEN,
								 .references = 800,
								 .total = 8000,
								 .exact = 1,
								 .scale = SCALE,
								 .time_scale = SCALE,
								 .parts = PARTS };
	*ms_vec_add(&run->data) = (struct ms_run_data){ .name = "d", .full_name = "d" };
	for (uint32_t i = 0; i < 3; i++)
		*ms_vec_add(&run->codes) = (struct ms_run_code){ .name = names[i], .module = "m" };
	for (uint32_t i = 0; i < 4; i++)
		*ms_vec_add(&run->lines) =
			(struct ms_run_line){ .code = codes[i], .instructions = instructions[i] };
	for (uint32_t i = 0; i < 2; i++) {
		*ms_vec_add(&run->sites) = (struct ms_run_site){ .line = lines[i] };
		*ms_vec_add(&run->cells) = (struct ms_run_cell){ .site = i, .references = 4000 };
		for (uint32_t p = 0; p < PARTS; p++)
			*ms_vec_add(&run->sampled_references) =
				(struct ms_run_sampled_reference){ i, p,
								   i == 0       ? 100
								   : p % 2 == 0 ? 150
										: 50 };
	}
}

struct made {
	struct ms_run run;
	struct ms_summary whole;
	struct ms_intervals by_code;
	struct ms_intervals total;
};

static void make(struct made *m)
{
	struct ms_err err;

	if (ms_summary_make(&m->whole, &m->run, NULL, NULL, &err) != MS_OK)
		fail_msg("%s", err.text);
	ms_intervals_by_kind(&m->by_code, &m->whole, MS_ENTRY_CODE, NULL);
	ms_intervals_by_kind(&m->total, &m->whole, MS_ENTRY_TOTAL, NULL);
}

static void end(struct made *m)
{
	ms_intervals_free(&m->by_code);
	ms_intervals_free(&m->total);
	ms_summary_free(&m->whole);
	ms_run_free(&m->run);
}

static struct ms_intervals_bounds computes(const struct ms_intervals *of, uint64_t key)
{
	const struct ms_intervals_entry *e = ms_intervals_at(of, key);

	assert_non_null(e);
	assert_true(e->computes);
	return e->compute;
}

/* The interval of its references, plus one window and three references that no window contains. */
static void test_functions(void **state)
{
	struct made m;

	(void)state;
	make_run(&m.run);
	make(&m);
	/* In each part a quarter, but of all references 100 in 250, or in 150. */
	double first = spread(4 * 31.25 * 31.25 * 4), second = spread(4 * 25.0 * 25);
	BETWEEN(computes(&m.by_code, 0), fmax(0, 10000 - first - 10000.0 / WINDOWS_SEEN),
		10000 + first + 10000.0 / WINDOWS_SEEN + UNMET * SCALE * 2);
	BETWEEN(computes(&m.by_code, 1), 4000 - second - 4000.0 / WINDOWS_SEEN,
		4000 + second + 4000.0 / WINDOWS_SEEN + UNMET * SCALE * 1);
	/* Code without references has no interval. */
	assert_null(ms_intervals_at(&m.by_code, 2));
	double all = spread(4 * 37.5 * 37.5) + 14500.0 / WINDOWS_SEEN + 500;
	BETWEEN(computes(&m.total, 0), 14500 - all, 14500 + all + UNMET * SCALE * 2);
	end(&m);
}

/* If references are not counted, there may be half as many, or twice. */
static void test_range(void **state)
{
	struct made m;

	(void)state;
	make_run(&m.run);
	m.run.samplings.at[0].exact = 0;
	m.run.samplings.at[0].total_low = 4000;
	m.run.samplings.at[0].total_high = 16000;
	make(&m);
	double off = spread(4 * 25.0 * 25) + 4000.0 / WINDOWS_SEEN;
	BETWEEN(computes(&m.by_code, 1), 0.5 * (4000 - off), 2 * (4000 + off) + UNMET * SCALE * 1);
	end(&m);
}

/* Where executions between windows were counted, references differ from what windows say. */
static void test_counted(void **state)
{
	struct made m;

	(void)state;
	make_run(&m.run);
	m.run.cells.at[0].references = 5000;
	m.run.cells.at[1].references = 3000;
	make(&m);
	assert_true(ms_intervals_compute_is_known(&m.run));
	BETWEEN(computes(&m.by_code, 0), 10000, 10000);
	BETWEEN(computes(&m.total, 0), 14500, 14500);
	end(&m);
	make_run(&m.run);
	make(&m);
	assert_false(ms_intervals_compute_is_known(&m.run));
	end(&m);
}

static const struct ms_threads_time *time_of(const struct ms_threads_times *times, uint32_t of)
{
	for (size_t i = 0; i < times->at.n; i++)
		if (times->at.at[i].of == of)
			return &times->at.at[i];
	fail_msg("there is no time of %u", of);
	return NULL;
}

/* A thread that is all of its processor has its interval; one of two some of it, and a window. */
static void test_threads(void **state)
{
	struct ms_run run;
	struct ms_threads t;
	struct ms_err err;

	(void)state;
	sample_windows_run(&run);
	assert_int_equal(ms_threads_make(&t, &run, MS_NONE, &err), MS_OK);
	const struct ms_threads_time *own = time_of(&t.threads, 2), *on = time_of(&t.processors, 1);
	assert_int_equal(own->compute, on->compute);
	BETWEEN(own->within.compute, on->within.compute.low, on->within.compute.high);
	const struct ms_threads_time *part = time_of(&t.threads, 0);
	on = time_of(&t.processors, 0);
	double share = sqrt((double)part->compute / (double)on->compute);
	double window = (double)part->compute * run.samplings.at[0].total / WINDOWS /
			(double)part->references;
	double low = (double)part->compute - window -
		     1.25 * share * ((double)on->compute - on->within.compute.low);
	BETWEEN(part->within.compute, fmax(0, low),
		(double)part->compute + window +
			1.25 * share * (on->within.compute.high - (double)on->compute));
	/* Which processor waited between windows is unknown. */
	assert_true(isnan(part->within.all.low));
	ms_threads_free(&t);
	ms_run_free(&run);
}

/* Windows at the ends of a phase are in it or not; in it, their lengths vary. */
static void test_phases(void **state)
{
	struct ms_arena arena = MS_ARENA_INIT;
	struct ms_run run;
	struct ms_summary s;
	struct ms_err err;

	(void)state;
	sample_windows_run(&run);
	assert_int_equal(ms_summary_make(&s, &run, NULL, NULL, &err), MS_OK);
	struct ms_intervals_phase *w = ms_intervals_of_phases(&s, &arena);
	double n = (double)run.phases.at[0].references, all = run.samplings.at[0].total;
	double window_distance = SCALE * floor(all / SCALE / WINDOWS + 0.5);
	double off = 1.96 * window_distance *
		     sqrt(0.25 * 2 + (n + window_distance) / window_distance / 12);
	BETWEEN(w[0].references, n - off, n + off);
	double later = (double)run.phases.at[1].references;
	off = 1.96 * window_distance *
	      sqrt(0.25 * 6 + (later + window_distance) / window_distance / 12);
	BETWEEN(w[1].references, later - off, fmin(all, later + off));
	assert_true(w[0].misses[0].low < 40000 && w[0].misses[0].high > 40000);
	/* Two of them were seen. */
	assert_true(isnan(w[0].misses[1].low));
	/* Of some sets, nothing. */
	run.samplings.at[0].sets = 2;
	w = ms_intervals_of_phases(&s, &arena);
	assert_true(isnan(w[0].references.low) && isnan(w[0].misses[0].low));
	run.samplings.n = 0;
	assert_null(ms_intervals_of_phases(&s, &arena));
	ms_arena_free(&arena);
	ms_summary_free(&s);
	run.samplings.n = 1;
	ms_run_free(&run);
}

/* Upgrades are as bunched as the misses that they cause. */
static void test_upgrades(void **state)
{
	struct made m;

	(void)state;
	sample_windows_run(&m.run);
	make(&m);
	const struct ms_summary_counts *c = &m.whole.total.counts;
	const struct ms_intervals_entry *own = ms_intervals_at(&m.total, 0);
	struct ms_intervals_bounds b = ms_intervals_effect_upgrades(&m.run, c, own),
				   taken = own->levels[0].causes[2];
	double n = (double)c->upgrades, all = (double)c->levels[0].causes[2];
	double part = 1.25 * sqrt(n / all), alone = 1.96 * sqrt(n * (SCALE - 1));
	BETWEEN(b, n - fmax(alone, part * (all - taken.low)) - n / WINDOWS,
		n + fmax(alone, part * (taken.high - all)) + n / WINDOWS);
	end(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_functions), cmocka_unit_test(test_range),
		cmocka_unit_test(test_counted),   cmocka_unit_test(test_threads),
		cmocka_unit_test(test_phases),    cmocka_unit_test(test_upgrades),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
