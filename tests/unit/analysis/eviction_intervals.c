/* Intervals of evictions of a sampled run, computed by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/evictions/evictions.h"
#include "unit/interval_asserts.h"

/* OUTSIDE: misses that windows could have contained and did not, times the scale. */
enum { PARTS = 4, SCALE = 10, OUTSIDE = 3 * SCALE, A = 0, B = 1 };

/* Of one part: A misses 100 times for sure, twice likely, and once perhaps; B ten times. */
static const struct ms_run_sampled_miss seen[] = {
	{ .cell = A, .known = 100, .unknown_misses = 2, .unknown_hits = 1 },
	{ .cell = B, .known = 10 },
};
/* All parts, times what each stands for. */
static const uint64_t misses[] = { 4080, 400 };
static const struct ms_run_eviction evictions[] = { { A, 0, A, 3660 },
						    { A, 0, B, 398 },
						    { B, 0, A, 399 } };

static void add_cell(struct ms_run *run, uint32_t i, uint32_t more)
{
	static const char *const names[] = { "A", "B" };

	*ms_vec_add(&run->codes) = (struct ms_run_code){ .name = names[i], .module = "m" };
	*ms_vec_add(&run->lines) = (struct ms_run_line){ .code = i };
	*ms_vec_add(&run->sites) = (struct ms_run_site){ .line = i };
	*ms_vec_add(&run->data) = (struct ms_run_data){ .name = names[i], .full_name = names[i] };
	*ms_vec_add(&run->cells) =
		(struct ms_run_cell){ .site = i, .data = i, .references = 20000 };
	*ms_vec_add(&run->misses) =
		(struct ms_run_miss){ .cell = i, .causes = { 0, misses[i], 0 } };
	for (uint32_t p = 0; p < PARTS; p++) {
		struct ms_run_sampled_miss *m = ms_vec_add(&run->sampled_misses);

		*ms_vec_add(&run->sampled_references) =
			(struct ms_run_sampled_reference){ i, p, 500 };
		*m = seen[i];
		m->part = p;
		m->known += p % 2 == 0 ? more : 0;
		m->known -= p % 2 == 1 ? more : 0;
	}
}

/* One level with room for four lines. more: misses that every second part has more, or less. */
static void make_run(struct ms_run *run, uint32_t more)
{
	memset(run, 0, sizeof(*run));
	run->machine = "case";
	run->processors = run->nodes = 1;
	run->memory_latency = 100;
	*ms_vec_add(&run->levels) = (struct ms_run_level){ .name = "L1", .size = 256, .line = 64 };
	*ms_vec_add(&run->sampled_levels) = (struct ms_run_sampled_level){ 0, 4, 12 };
	*ms_vec_add(&run->samplings) = (struct ms_run_sampling){ .ratio = 0.1,
								 .window = 1000,
								 .sets = 1,
								 .windows = PARTS,
								 .references = 1000 * PARTS,
								 .total = 1000 * PARTS * SCALE,
								 .exact = 1,
								 .scale = SCALE,
								 .time_scale = SCALE,
								 .parts = PARTS };
	add_cell(run, A, more);
	add_cell(run, B, 0);
	run->data.at[A].bytes = 128; /* four lines at most */
	for (size_t i = 0; i < 3; i++)
		*ms_vec_add(&run->evictions) = evictions[i];
}

struct made {
	struct ms_run run;
	struct ms_evictions e;
};

static void make(struct made *m, const char *at)
{
	const struct ms_evictions_wanted wanted = { .at = &at, .n_at = at != NULL };
	struct ms_err err;

	if (ms_evictions_make(&m->e, &m->run, &wanted, NULL, &err) != MS_OK)
		fail_msg("%s", err.text);
}

static void end(struct made *m)
{
	ms_evictions_free(&m->e);
	ms_run_free(&m->run);
}

/* Misses bring lines in; what the level has room for stays, and once more all of A may come. */
static void totals(void **state)
{
	struct made m;

	(void)state;
	make_run(&m.run, 0);
	make(&m, NULL);
	const struct ms_evictions_data *a = ms_evictions_of(&m.e, 0, A);
	const struct ms_evictions_data *b = ms_evictions_of(&m.e, 0, B);
	BETWEEN(a->evicted_within, 4000 - 4, 4120 + OUTSIDE + 4);
	BETWEEN(a->evicts_within, 4000 - 4, 4120 + OUTSIDE + 4);
	BETWEEN(b->evicted_within, 400 - 4, 400 + OUTSIDE);
	BETWEEN(b->evicts_within, 400 - 4, 400 + OUTSIDE);
	BETWEEN(m.e.levels[0].within, 4400 - 4, 4520 + OUTSIDE);
	assert_true(m.e.levels[0].stall_within.high <= (4520 + OUTSIDE) * 100.0);
	end(&m);
}

/* The pairs in the order of their numbers: A by A, A by B, B by A. */
static void pairs(void **state)
{
	/* By itself: it may have 80 more for stale victims, and 40 for what is unknown and hits. */
	const double most = 3660 + 1.96 * sqrt(3660 * 9.0) + 80 + 40;
	struct made m;

	(void)state;
	make_run(&m.run, 0);
	make(&m, NULL);
	/* All evictions of A that B, which misses 400 times, has not caused. */
	BETWEEN(m.e.pairs.at.at[0].within, 3996 - 400 - OUTSIDE, most);
	/* No more than B's misses, whoever is the victim or the evictor. */
	BETWEEN(m.e.pairs.at.at[1].within, 399 - 1.96 * sqrt(399 * 9.0), 400 + OUTSIDE);
	/* 80 evictions of A's have a stale victim. */
	BETWEEN(m.e.pairs.at.at[2].within, 398 - 1.96 * sqrt(398 * 9.0) - 80, 400 + OUTSIDE);
	/* What others leave over is not known of one line of source. */
	BETWEEN(m.e.places.at.at[0].within, 3660 - 1.96 * sqrt(3660 * 9.0) - 80, most);
	end(&m);
	make_run(&m.run, 0);
	make(&m, "A");
	BETWEEN(m.e.pairs.at.at[0].within, 3660 - 1.96 * sqrt(3660 * 9.0) - 80, most);
	end(&m);
}

/* Parts that differ: by as much as misses do, times the root of its part, and a quarter more. */
static void spread(void **state)
{
	struct ms_intervals by_data;
	struct made m;

	(void)state;
	make_run(&m.run, 50);
	make(&m, "A");
	ms_intervals_by_kind(&by_data, &m.e.whole, MS_ENTRY_DATA, NULL);
	const struct ms_intervals_level *a = ms_intervals_at(&by_data, A)->levels;
	double root = sqrt(3660.0 / 4080);

	assert_true(a->extreme.low < 3500);
	BETWEEN(a->seen, 4000, 4120);
	BETWEEN(m.e.pairs.at.at[0].within,
		fmax(0, 3660 - 1.25 * (4000 - a->extreme.low) * root - 80),
		fmin(3660 + 1.25 * (a->extreme.high - 4120) * root + 80 + 40, a->extreme.high));
	ms_intervals_free(&by_data);
	end(&m);
}

/* A reference that crosses a line's end brings in two, and pushes as many out. */
static void crossing(void **state)
{
	struct made m;

	(void)state;
	make_run(&m.run, 0);
	m.run.evictions.at[2].count = 440; /* A by B: 1.1 for each of B's misses */
	make(&m, NULL);
	BETWEEN(ms_evictions_of(&m.e, 0, B)->evicts_within, 396, 1.1 * (400 + OUTSIDE));
	end(&m);
}

/* Where others take lines away there may be room for any. */
static void several(void **state)
{
	struct made m;

	(void)state;
	make_run(&m.run, 0);
	m.run.processors = 2;
	make(&m, NULL);
	assert_true(ms_evictions_of(&m.e, 0, A)->evicted_within.low == 0);
	assert_true(m.e.levels[0].within.low == 0);
	/* All ways that windows find: 10 * 4 * 4, of which A has its part. */
	BETWEEN(m.e.pairs.at.at[2].within,
		398 - 1.96 * sqrt(398 * 9.0) - 160.0 * 4058 / (4058 + 399), 400 + OUTSIDE);
	end(&m);
}

static void nothing(void **state)
{
	struct made m;

	(void)state;
	make_run(&m.run, 0);
	m.run.evictions.at[1].count = 99; /* seen less than ten times */
	make(&m, NULL);
	assert_true(isnan(m.e.pairs.at.at[2].within.low));
	assert_true(isnan(ms_evictions_of(&m.e, 0, B)->evicted_within.high));
	end(&m);
	make_run(&m.run, 0);
	m.run.samplings.n = 0; /* seen whole */
	make(&m, NULL);
	assert_true(isnan(m.e.pairs.at.at[0].within.low));
	assert_true(isnan(ms_evictions_of(&m.e, 0, A)->evicts_within.low));
	assert_true(isnan(m.e.levels[0].within.low));
	end(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(totals),   cmocka_unit_test(pairs),   cmocka_unit_test(spread),
		cmocka_unit_test(crossing), cmocka_unit_test(several), cmocka_unit_test(nothing),
	};

	return cmocka_run_group_tests_name("analysis evictions within", tests, NULL, NULL);
}
