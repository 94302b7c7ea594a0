/* Intervals of many entries of a sampled run, computed by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/confidence_intervals/intervals.h"
#include "analysis/confidence_intervals/miss_rate_estimators.h"
#include "analysis/confidence_intervals/unknown_refs.h"
#include "unit/interval_asserts.h"

#define SAME(a, b)                                                                        \
	do {                                                                              \
		if (!(fabs((a) - (b)) < 1e-9))                                            \
			fail_msg("line %d: %.12g, expected %.12g", __LINE__, (double)(a), \
				 (double)(b));                                            \
	} while (0)

/* Two functions that each use two data: four cells. Every part has seen the same of each. */
static const struct {
	uint64_t references, known, unknown, far; /* far: known misses of the second level */
} cells[] = { { 400, 40, 10, 8 }, { 300, 20, 0, 0 }, { 200, 0, 30, 0 }, { 100, 0, 0, 0 } };

/* OUTSIDE: misses that windows could have contained and did not. */
enum { CELLS = 4, PARTS = 4, SCALE = 10, OUTSIDE = 3 };
/* A quarter more than there are may lie between two of the four windows, and be others'. */
static const double others = 1 + 1.0 / PARTS;

static void add_cell(struct ms_run *run, uint32_t i, uint32_t more)
{
	uint64_t misses = PARTS * SCALE * (cells[i].known + cells[i].unknown / 2);

	*ms_vec_add(&run->cells) = (struct ms_run_cell){
		.site = i / 2, .data = i % 2, .references = PARTS * SCALE * cells[i].references
	};
	if (misses > 0)
		*ms_vec_add(&run->misses) =
			(struct ms_run_miss){ .cell = i, .causes = { misses, 0, 0 } };
	if (cells[i].far > 0)
		*ms_vec_add(&run->misses) = (struct ms_run_miss){
			.cell = i, .level = 1, .causes = { PARTS * SCALE * cells[i].far, 0, 0 }
		};
	for (uint32_t p = 0; p < PARTS; p++)
		*ms_vec_add(&run->sampled_references) =
			(struct ms_run_sampled_reference){ i, p, cells[i].references };
	for (uint32_t p = 0; p < PARTS && misses > 0; p++)
		*ms_vec_add(&run->sampled_misses) =
			(struct ms_run_sampled_miss){ .cell = i,
						      .part = p,
						      .known = cells[i].known + (p == 0 ? more : 0),
						      .unknown_hits = cells[i].unknown / 2,
						      .unknown_misses = cells[i].unknown / 2 };
	for (uint32_t p = 0; p < PARTS && cells[i].far > 0; p++)
		*ms_vec_add(&run->sampled_misses) = (struct ms_run_sampled_miss){
			.cell = i, .level = 1, .part = p, .known = cells[i].far
		};
}

/* more: known misses that the first cell has in the first part alone. */
static void make_run(struct ms_run *run, uint32_t more)
{
	memset(run, 0, sizeof(*run));
	run->machine = "case";
	run->processors = run->nodes = 1;
	run->memory_latency = 100;
	for (uint32_t i = 0; i < 2; i++) {
		static const char *const names[] = { "one", "two" };

		*ms_vec_add(&run->levels) =
			(struct ms_run_level){ .name = names[i], .latency = 10 * i };
		*ms_vec_add(&run->codes) = (struct ms_run_code){ .name = names[i], .module = "m" };
		*ms_vec_add(&run->lines) = (struct ms_run_line){ .code = i };
		*ms_vec_add(&run->sites) = (struct ms_run_site){ .line = i };
		*ms_vec_add(&run->data) =
			(struct ms_run_data){ .name = names[i], .full_name = names[i] };
		*ms_vec_add(&run->sampled_levels) = (struct ms_run_sampled_level){ i, 100, 80 };
	}
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
	for (uint32_t i = 0; i < CELLS; i++)
		add_cell(run, i, more);
}

struct made {
	struct ms_run run;
	struct ms_summary whole;
	struct ms_intervals intervals;
};

static void make(struct made *m, uint32_t more, enum ms_summary_entry_kind kind,
		 const struct ms_summary_selection *selection)
{
	struct ms_err err;

	make_run(&m->run, more);
	assert_int_equal(ms_summary_make(&m->whole, &m->run, NULL, NULL, &err), MS_OK);
	ms_intervals_by_kind(&m->intervals, &m->whole, kind, selection);
}

static void end(struct made *m)
{
	ms_intervals_free(&m->intervals);
	ms_summary_free(&m->whole);
	ms_run_free(&m->run);
}

/* Half the width of the interval of an entry's misses in windows: it has so many of the 40 unknown
 * references of a part, of which half miss. */
static double unknown_error(double unknown)
{
	struct ms_intervals_unknown_total level = { 40 * PARTS, 0, true };
	struct ms_intervals_unknown_refs refs = { .seen_before = unknown * PARTS,
						  .seen_before_misses = unknown / 2 * PARTS };

	return 1.96 * ms_intervals_unknown_refs_error(&refs, &level);
}

/* Parts do not differ: what is left is the error of what is estimated of unknown references. */
static void unknown_references(void **state)
{
	const double off = unknown_error(10), off_two = unknown_error(30);
	struct made m;

	(void)state;
	make(&m, 0, MS_ENTRY_CODE, NULL);
	const struct ms_intervals_entry *one = ms_intervals_at(&m.intervals, 0),
					*two = ms_intervals_at(&m.intervals, 1);
	BETWEEN(one->references, 0.7 / others, 0.7);
	BETWEEN(one->levels[0].rate, (65.0 * PARTS - off) / (700 * PARTS),
		(65.0 * PARTS + off + OUTSIDE) / (700 * PARTS));
	BETWEEN(two->levels[0].rate, fmax(0, (15.0 * PARTS - off_two) / (300 * PARTS)),
		(15.0 * PARTS + off_two + OUTSIDE) / (300 * PARTS));
	BETWEEN(two->levels[1].rate, 0, (double)OUTSIDE / (300 * PARTS));
	BETWEEN(one->levels[0].misses, (65 * PARTS - off) * SCALE,
		(65 * PARTS + off + OUTSIDE) * SCALE);
	/* 8 of them went to memory, for 90 cycles more than the others' 10. */
	BETWEEN(one->cycles, ((650 + 720) * PARTS - 10 * off) * SCALE,
		((650 + 720) * PARTS + 10 * off + OUTSIDE * 100) * SCALE);
	BETWEEN(one->average, (1370.0 * PARTS - 10 * off) / (700 * PARTS),
		(1370.0 * PARTS + 10 * off + OUTSIDE * 100) / (700 * PARTS));
	BETWEEN(one->levels[1].share, 1 / others, 1);
	BETWEEN(two->levels[1].share, 0, OUTSIDE / (8.0 * PARTS + OUTSIDE));
	/* If all of them hit, or all miss. */
	BETWEEN(one->levels[0].extreme, 60 * PARTS * SCALE, (70 * PARTS + OUTSIDE) * SCALE);
	BETWEEN(one->levels[0].seen, 60 * PARTS * SCALE, 70 * PARTS * SCALE);
	assert_null(ms_intervals_at(&m.intervals, 2));
	end(&m);
}

/* The error of an entry moves its share in both directions, and no share leaves 0 to 1. */
static void shares(void **state)
{
	struct made m;

	(void)state;
	make(&m, 0, MS_ENTRY_CODE, NULL);
	const struct ms_intervals_entry *one = ms_intervals_at(&m.intervals, 0),
					*two = ms_intervals_at(&m.intervals, 1);
	assert_true(one->levels[0].share.low < 65.0 / 80 / others);
	assert_true(one->levels[0].share.high > 65.0 / 80 && one->levels[0].share.high <= 1);
	assert_true(two->levels[0].share.low >= 0 && two->levels[0].share.low < 15.0 / 80);
	assert_true(two->levels[0].share.high > 15.0 / 80);
	assert_true(one->stall.low < 1370.0 / 1520 && one->stall.high > 1370.0 / 1520);
	end(&m);
	make(&m, 0, MS_ENTRY_TOTAL, NULL);
	BETWEEN(ms_intervals_at(&m.intervals, 0)->levels[0].share, 1, 1);
	end(&m);
}

/* The rate is what miss_rate_estimators.h makes of the same cells, whatever parts differ by. */
static void rates_equal_estimates(void **state)
{
	static const enum ms_summary_entry_kind kinds[] = { MS_ENTRY_CODE, MS_ENTRY_DATA,
							    MS_ENTRY_BIN };
	struct made m;

	(void)state;
	for (size_t k = 0; k < MS_COUNT(kinds); k++) {
		make(&m, 25, kinds[k], NULL);
		const struct ms_summary_entries *lists[] = { &m.whole.code, &m.whole.data,
							     &m.whole.bins };

		for (size_t i = 0; i < lists[k]->at.n; i++) {
			const struct ms_summary_entry *e = &lists[k]->at.at[i];
			bool code[2] = { e->code == 0, e->code == 1 };
			bool data[2] = { e->data == 0, e->data == 1 };
			struct ms_intervals_estimates s;

			ms_intervals_estimates_make(&s, &m.run, e->code != MS_NONE ? code : NULL,
						    e->data != MS_NONE ? data : NULL);
			const struct ms_intervals_entry *at = ms_intervals_of(&m.intervals, e);
			for (size_t l = 0; l < 2; l++)
				BETWEEN(at->levels[l].rate, s.levels.at[l].low,
					s.levels.at[l].high);
			ms_intervals_estimates_free(&s);
		}
		end(&m);
	}
}

/* Shares of a selection are of the whole run; what was not chosen has none. */
static void selections(void **state)
{
	const bool code[] = { true, false };
	const struct ms_summary_selection selection = { code, NULL };
	struct made m;

	(void)state;
	make(&m, 0, MS_ENTRY_DATA, &selection);
	BETWEEN(ms_intervals_at(&m.intervals, 0)->references, 0.4 / others, 0.4);
	BETWEEN(ms_intervals_at(&m.intervals, 1)->references, 0.3 / others, 0.3);
	end(&m);
	make(&m, 0, MS_ENTRY_CODE, &selection);
	assert_non_null(ms_intervals_at(&m.intervals, 0));
	assert_null(ms_intervals_at(&m.intervals, 1));
	end(&m);
}

/* What lies between windows is no more than windows have left out; all of the run is never less. */
static void between_windows(void **state)
{
	struct made m;

	(void)state;
	make(&m, 0, MS_ENTRY_TOTAL, NULL);
	BETWEEN(ms_intervals_at(&m.intervals, 0)->references, 1, 1);
	end(&m);
	make(&m, 0, MS_ENTRY_PROCESSOR, NULL);
	BETWEEN(ms_intervals_at(&m.intervals, 0)->references, 1, 1);
	end(&m);
	make(&m, 0, MS_ENTRY_CODE, NULL);
	ms_intervals_free(&m.intervals);
	m.run.samplings.at[0].windows = 1;
	ms_intervals_by_kind(&m.intervals, &m.whole, MS_ENTRY_CODE, NULL);
	BETWEEN(ms_intervals_at(&m.intervals, 0)->references, 0.7 / (1 + 0.9), 0.7);
	end(&m);
}

/* Windows that differ widen it; a single part and whole runs have no interval. */
static void too_little(void **state)
{
	struct made m;

	(void)state;
	make(&m, 25, MS_ENTRY_TOTAL, NULL);
	const struct ms_intervals_entry *all = ms_intervals_at(&m.intervals, 0);
	assert_true(all->levels[0].rate.low < 0.06 && all->levels[0].rate.high > 0.106);
	BETWEEN(all->references, 1, 1);
	ms_intervals_free(&m.intervals);
	for (size_t i = 0; i < m.run.sampled_references.n; i++)
		m.run.sampled_references.at[i].part = 0;
	for (size_t i = 0; i < m.run.sampled_misses.n; i++)
		m.run.sampled_misses.at[i].part = 0;
	ms_intervals_by_kind(&m.intervals, &m.whole, MS_ENTRY_TOTAL, NULL);
	all = ms_intervals_at(&m.intervals, 0);
	assert_true(isnan(all->levels[0].rate.low) && isnan(all->levels[0].misses.high));
	ms_intervals_free(&m.intervals);
	m.run.samplings.n = 0;
	ms_intervals_by_kind(&m.intervals, &m.whole, MS_ENTRY_TOTAL, NULL);
	assert_null(ms_intervals_at(&m.intervals, 0));
	end(&m);
}

/* Of the first cell's 40 known misses in each part, 10 are of lines that were never seen before:
 * the only first uses that there are. */
static void make_causes(struct made *m, enum ms_summary_entry_kind kind)
{
	make(m, 0, kind, NULL);
	for (size_t i = 0; i < m->run.misses.n; i++) {
		struct ms_run_miss *row = &m->run.misses.at[i];
		uint64_t first = row->cell == 0 && row->level == 0 ? 10 * PARTS : 0;

		row->causes[MS_CAUSE_REPLACED] = row->causes[MS_CAUSE_FIRST] - first;
		row->causes[MS_CAUSE_FIRST] = first;
	}
	for (size_t i = 0; i < m->run.sampled_misses.n; i++) {
		struct ms_run_sampled_miss *row = &m->run.sampled_misses.at[i];

		if (row->cell == 0 && row->level == 0)
			row->unseen_known = 10;
	}
	ms_intervals_free(&m->intervals);
	ms_intervals_by_kind(&m->intervals, &m->whole, kind, NULL);
}

/* First references: at most all of those lines, or as many as the data has. */
static void causes(void **state)
{
	enum { TIMES = PARTS * SCALE };
	struct made m;

	(void)state;
	make_causes(&m, MS_ENTRY_TOTAL);
	const struct ms_intervals_level *l = ms_intervals_at(&m.intervals, 0)->levels;
	BETWEEN(l->causes[MS_CAUSE_FIRST], 10 * PARTS, 10 * TIMES + OUTSIDE * SCALE);
	BETWEEN(l->causes[MS_CAUSE_REPLACED],
		(80 * PARTS - unknown_error(40)) * SCALE - 10 * TIMES - OUTSIDE * SCALE,
		(80 * PARTS + unknown_error(40)) * SCALE + OUTSIDE * SCALE - 10 * PARTS);
	BETWEEN(l->causes[MS_CAUSE_INVALIDATED], 0, 0);
	end(&m);
	make_causes(&m, MS_ENTRY_CODE);
	l = ms_intervals_at(&m.intervals, 0)->levels;
	BETWEEN(l->causes[MS_CAUSE_FIRST], 0, 10 * TIMES + OUTSIDE * SCALE);
	const double most = (65 * PARTS + unknown_error(10) + OUTSIDE) * SCALE;
	const double least = (65 * PARTS - unknown_error(10)) * SCALE;
	BETWEEN(l->causes[MS_CAUSE_REPLACED],
		fmax(50 * TIMES, least - 10 * TIMES - OUTSIDE * SCALE),
		fmin(70 * TIMES + OUTSIDE * SCALE, most));
	/* Ten lines, and two at its ends; and what no window contains of the other data. */
	m.run.data.at[0].bytes = 640;
	m.run.levels.at[0].line = 64;
	ms_intervals_free(&m.intervals);
	ms_intervals_by_kind(&m.intervals, &m.whole, MS_ENTRY_CODE, NULL);
	l = ms_intervals_at(&m.intervals, 0)->levels;
	BETWEEN(l->causes[MS_CAUSE_FIRST], 0, 12 + OUTSIDE * SCALE);
	BETWEEN(l->causes[MS_CAUSE_REPLACED], fmax(50 * TIMES, least - 12 - OUTSIDE * SCALE),
		fmin(70 * TIMES + OUTSIDE * SCALE, most));
	end(&m);
}

/* Misses that another processor's cache answers cost something else: none, or any part of them. */
static void answered_by_peers(void **state)
{
	enum { TIMES = PARTS * SCALE, NEXT = 10, FAR = 90, PEER = 60, LEAST = 60, MOST = 100 };
	struct made m;

	(void)state;
	make(&m, 0, MS_ENTRY_TOTAL, NULL);
	const struct ms_intervals_entry *all;
	ms_intervals_free(&m.intervals);
	m.run.processors = 2;
	m.whole.cost.peer = PEER;
	ms_intervals_by_kind(&m.intervals, &m.whole, MS_ENTRY_TOTAL, NULL);
	/* Of several processors any unknown reference may hit or miss. */
	struct ms_intervals_bounds alone = ms_intervals_at(&m.intervals, 0)->cycles;
	SAME(alone.low, TIMES * (LEAST * NEXT + 8 * FAR));
	SAME(alone.high, TIMES * (MOST * NEXT + 8 * FAR) + OUTSIDE * SCALE * 100);
	ms_intervals_free(&m.intervals);
	/* A few were: it may have been 20 that windows have seen. */
	m.whole.total.counts.levels[0].peer = 1;
	ms_intervals_by_kind(&m.intervals, &m.whole, MS_ENTRY_TOTAL, NULL);
	all = ms_intervals_at(&m.intervals, 0);
	SAME(all->cycles.low, alone.low);
	double part = 20.0 * SCALE / (TIMES * (40 + 5 + 20 + 15));
	SAME(all->cycles.high - alone.high, TIMES * MOST * (PEER - NEXT) * part);
	ms_intervals_free(&m.intervals);
	/* All were. */
	for (size_t i = 0; i < m.run.misses.n; i++)
		m.run.misses.at[i].peer = ms_summary_miss_count(&m.run.misses.at[i]);
	ms_intervals_by_kind(&m.intervals, &m.whole, MS_ENTRY_TOTAL, NULL);
	all = ms_intervals_at(&m.intervals, 0);
	assert_true(all->cycles.low > alone.low);
	SAME(all->cycles.high - alone.high, TIMES * MOST * (PEER - NEXT));
	end(&m);
}

/* What another processor has taken away: surely, and as far as was seen, with all unknown ones. */
static void invalidation_misses(void **state)
{
	enum { TIMES = PARTS * SCALE };
	struct made m;

	(void)state;
	make_causes(&m, MS_ENTRY_TOTAL);
	m.run.processors = 2;
	m.run.misses.at[0].causes[MS_CAUSE_REPLACED] -= 4 * TIMES;
	m.run.misses.at[0].causes[MS_CAUSE_INVALIDATED] = 4 * TIMES;
	for (size_t i = 0; i < m.run.sampled_misses.n; i++)
		if (m.run.sampled_misses.at[i].unseen_known > 0) {
			m.run.sampled_misses.at[i].lost = 5;
			m.run.sampled_misses.at[i].surely_lost = 3;
		}
	ms_intervals_free(&m.intervals);
	ms_intervals_by_kind(&m.intervals, &m.whole, MS_ENTRY_TOTAL, NULL);
	const struct ms_intervals_level *l = ms_intervals_at(&m.intervals, 0)->levels;
	BETWEEN(l->causes[MS_CAUSE_INVALIDATED], 3 * TIMES, (5 + 40) * TIMES);
	BETWEEN(l->causes[MS_CAUSE_REPLACED], (25 + 20) * TIMES,
		100 * TIMES + OUTSIDE * SCALE - 10 * PARTS - 3 * TIMES);
	end(&m);
}

static void contains(struct ms_intervals_bounds b, double figure, int line)
{
	if (!(b.low <= figure && figure <= b.high))
		fail_msg("line %d: %.12g to %.12g, without %.12g", line, b.low, b.high, figure);
}

enum { SMALL_CELLS = 100, SMALL_REFERENCES = 3, SMALL_DATA = 2 };

/* Data whose cells were referenced three times each and missed once. They were executed 31 times,
 * 30 by the estimate from windows; the figures of each cell are rounded. */
static void add_small_cells(struct ms_run *run)
{
	*ms_vec_add(&run->data) = (struct ms_run_data){ .name = "small", .full_name = "small" };
	for (uint32_t i = CELLS; i < CELLS + SMALL_CELLS; i++) {
		*ms_vec_add(&run->cells) = (struct ms_run_cell){
			.site = 1, .data = SMALL_DATA, .references = SMALL_REFERENCES * SCALE + 1
		};
		*ms_vec_add(&run->misses) =
			(struct ms_run_miss){ .cell = i, .causes = { 0, SCALE - 1, 0 } };
		*ms_vec_add(&run->sampled_references) =
			(struct ms_run_sampled_reference){ i, i % PARTS, SMALL_REFERENCES };
		*ms_vec_add(&run->sampled_misses) =
			(struct ms_run_sampled_miss){ .cell = i, .part = i % PARTS, .known = 1 };
	}
}

/* Windows do not differ, so that intervals have no width; the figures are in them all the same. */
static void figures_are_inside(void **state)
{
	struct made m;

	(void)state;
	make_run(&m.run, 0);
	m.run.cells.at[1].references += 100; /* by this one sees that executions were counted */
	add_small_cells(&m.run);
	assert_int_equal(ms_summary_make(&m.whole, &m.run, NULL, NULL, NULL), MS_OK);
	ms_intervals_by_kind(&m.intervals, &m.whole, MS_ENTRY_DATA, NULL);
	const struct ms_summary_counts *total = &m.whole.total.counts;
	for (size_t i = 0; i < m.whole.data.at.n; i++) {
		const struct ms_summary_entry *entry = &m.whole.data.at.at[i];
		const struct ms_intervals_entry *own = ms_intervals_of(&m.intervals, entry);
		double references = (double)ms_summary_rw_sum(entry->counts.references);
		double misses = (double)ms_summary_rw_sum(entry->counts.levels[0].misses);
		double stall = (double)ms_summary_rw_sum(entry->counts.stall);

		contains(own->references, references / (double)ms_summary_rw_sum(total->references),
			 __LINE__);
		contains(own->cycles, stall, __LINE__);
		contains(own->average, stall / references, __LINE__);
		contains(own->stall, stall / (double)ms_summary_rw_sum(total->stall), __LINE__);
		contains(own->levels[0].misses, misses, __LINE__);
		contains(own->levels[0].rate, misses / references, __LINE__);
	}
	end(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unknown_references),  cmocka_unit_test(causes),
		cmocka_unit_test(invalidation_misses), cmocka_unit_test(rates_equal_estimates),
		cmocka_unit_test(selections),          cmocka_unit_test(between_windows),
		cmocka_unit_test(too_little),          cmocka_unit_test(answered_by_peers),
		cmocka_unit_test(figures_are_inside),  cmocka_unit_test(shares)
	};

	return cmocka_run_group_tests_name("analysis intervals", tests, NULL, NULL);
}
