/* Sums, costs, selections and the matrix, on a run whose figures are known, and on random ones. */
#include "unit/sample_run.h"

#include "analysis/metric/metric.h"
#include "analysis/summary/detail.h"
#include "analysis/summary/matrix.h"
#include "analysis/summary/rounded_shares.h"
#include "analysis/summary/select.h"

static struct ms_run run;
static struct ms_summary s;

static int set_up(void **state)
{
	(void)state;
	sample_run(&run);
	return ms_summary_make(&s, &run, NULL, NULL, NULL);
}

static int tear_down(void **state)
{
	(void)state;
	ms_summary_free(&s);
	ms_run_free(&run);
	return 0;
}

static void test_totals(void **state)
{
	const struct ms_summary_counts *c = &s.total.counts;

	(void)state;
	assert_int_equal(ms_summary_rw_sum(c->references), 26561075);
	assert_int_equal(c->references[MS_READS], 19860000); /* a modify is a read */
	assert_int_equal(ms_summary_rw_sum(c->levels[0].misses), 9843262);
	assert_int_equal(ms_summary_rw_sum(c->levels[1].misses), 175262);
	assert_int_equal(c->levels[0].causes[MS_CAUSE_FIRST], 43262);
	assert_int_equal(c->levels[0].causes[MS_CAUSE_REPLACED], 9800000);
	assert_int_equal(c->instructions, 60000000);
	assert_int_equal(ms_summary_rw_sum(c->stall), 114206200);
	assert_int_equal(c->stall[MS_WRITES], 3263700);
}

static void test_entries(void **state)
{
	(void)state;
	assert_string_equal(s.code.at.at[0].name, "BlkMultiply");
	assert_int_equal(ms_summary_rw_sum(s.code.at.at[0].counts.stall), 110880000);
	assert_int_equal(s.code.at.at[0].counts.instructions, 50000000);
	assert_string_equal(s.data.at.at[0].name, "Matrix.Y");
	assert_int_equal(ms_summary_rw_sum(s.data.at.at[0].counts.stall), 98087900);
	assert_string_equal(s.data.at.at[5].name, "counter");
	assert_string_equal(s.lines.at.at[0].name, "matmul.c:31");
	assert_string_equal(s.lines.at.at[4].name, "memcpy (no source line)");
	assert_int_equal(s.bins.at.n, 8);
	const struct ms_summary_entry *bin = &s.bins.at.at[0];
	assert_string_equal(bin->name, "BlkMultiply / Matrix.Y");
	assert_int_equal(bin->replaced_by.n, 5);
	assert_int_equal(bin->replaced_by.at[0].data, SAMPLE_Y);
	assert_int_equal(bin->replaced_by.at[0].count, 7830000);
	assert_int_equal(bin->replaced_by.at[4].level, 1);
	assert_int_equal(s.reasons.at.n, 1);
	assert_int_equal(ms_summary_rw_sum(s.reasons.at.at[0].counts.stall), 62500);
	/* Equal in every figure: the name decides. */
	assert_string_equal(s.bins.at.at[3].name, "ClearProduct / Matrix.Z");
	assert_string_equal(s.bins.at.at[4].name, "main / Matrix.X");
	assert_string_equal(s.bins.at.at[5].name, "main / Matrix.Y");
}

static void test_latency(void **state)
{
	static const struct {
		const char *latency;
		uint64_t stall; /* L1 - L2 misses: 9668000; L2 misses: 175262 */
	} good[] = {
		{ NULL, 114206200 },          { "", 114206200 },
		{ "L2=0", 17526200 },         { "memory=1", 96855262 },
		{ "l2=1,MEMORY=1", 9843262 }, { "L2=1,memory=0,L2=0", 0 },
	};
	static const char *const unknown[] = { "L1=3", "L3=1", "L2", "=3", ",", "L2=1,,", "mem=1" };
	static const char *const out_of_range[] = {
		"L2=",    "L2=x",   "L2=-1",          "L2=1.5",
		"L2=nan", "L2=inf", "memory=1000001", "memory=99999999999999999999"
	};
	struct ms_summary other;
	struct ms_err err;

	(void)state;
	for (size_t i = 0; i < MS_COUNT(good); i++) {
		assert_int_equal(ms_summary_make(&other, &run, NULL, good[i].latency, &err), MS_OK);
		assert_int_equal(ms_summary_rw_sum(other.total.counts.stall), good[i].stall);
		ms_summary_free(&other);
	}
	for (size_t i = 0; i < MS_COUNT(unknown); i++) {
		assert_int_equal(ms_summary_make(&other, &run, NULL, unknown[i], &err), MS_EUSAGE);
		assert_non_null(strstr(err.text, "(L2, memory)"));
	}
	for (size_t i = 0; i < MS_COUNT(out_of_range); i++) {
		assert_int_equal(ms_summary_make(&other, &run, NULL, out_of_range[i], &err),
				 MS_EUSAGE);
		assert_non_null(strstr(err.text, "expected a whole number of cycles from 0 to "));
	}
}

static void test_matrix(void **state)
{
	static const uint32_t cells[] = { 849, 77, 45, 0, 10, 0, 9, 0, 0, 9, 0, 0, 0, 0, 0, 1 };
	struct ms_summary_matrix m;

	(void)state;
	ms_summary_matrix_make(&m, &s, (struct ms_summary_matrix_limits){ 10, 10, 0.001, 0, 0 });
	assert_int_equal(m.rows, 4);
	assert_int_equal(m.columns, 4);
	assert_null(m.code[3]);
	assert_int_equal(m.code_in_rest, 1);
	assert_int_equal(m.data_in_rest, 2);
	assert_memory_equal(m.tenths, cells, sizeof(cells));
	assert_int_equal(m.row_tenths[0], 971);
	assert_int_equal(m.column_tenths[0], 859);
	assert_true(m.any[3]); /* the stack is in the rest */
	assert_false(m.any[5]);
	ms_summary_matrix_free(&m);
	ms_summary_matrix_make(&m, &s, (struct ms_summary_matrix_limits){ 10, 10, 0, 0, 0 });
	assert_int_equal(m.rows, 4); /* everything has a place: no rest */
	assert_int_equal(m.columns, 5);
	assert_non_null(m.code[3]);
	ms_summary_matrix_free(&m);
}

static void test_matrix_without_stall(void **state)
{
	struct ms_summary calm;
	struct ms_summary_matrix m;

	(void)state;
	assert_int_equal(ms_summary_make(&calm, &run, NULL, "L2=0,memory=0", NULL), MS_OK);
	ms_summary_matrix_make(&m, &calm, (struct ms_summary_matrix_limits){ 1, 1, 0, 0, 0 });
	assert_true(m.by_references);
	assert_int_equal(m.total, 26561075);
	assert_int_equal(m.row_tenths[0] + m.row_tenths[1], MS_WHOLE);
	ms_summary_matrix_free(&m);
	ms_summary_free(&calm);
}

static void test_matrix_of_nothing(void **state)
{
	struct ms_run empty;
	struct ms_summary none;
	struct ms_summary_matrix m;

	(void)state;
	sample_head(&empty);
	assert_int_equal(ms_summary_make(&none, &empty, NULL, NULL, NULL), MS_OK);
	ms_summary_matrix_make(&m, &none, (struct ms_summary_matrix_limits){ 5, 5, 0, 0, 0 });
	assert_int_equal(m.rows, 0);
	assert_int_equal(m.total, 0);
	ms_summary_matrix_free(&m);
	ms_summary_free(&none);
	ms_run_free(&empty);
}

/* Whatever way a run is added up, it is the same sum. */
static void check_sums(const struct ms_summary *all)
{
	const struct ms_summary_entries *lists[] = { &all->code, &all->data, &all->lines,
						     &all->bins };
	uint64_t run_covered = 0;

	for (size_t l = 0; l < MS_COUNT(lists); l++) {
		uint64_t stall = 0, references = 0, misses = 0, covered = 0;

		for (size_t i = 0; i < lists[l]->at.n; i++) {
			const struct ms_summary_entry *e = &lists[l]->at.at[i];

			stall += ms_summary_rw_sum(e->counts.stall);
			references += ms_summary_rw_sum(e->counts.references);
			misses += ms_summary_entry_misses(all, e, 1);
			covered += e->counts.levels[0].covered;
			if (i > 0)
				assert_true(ms_summary_compare_entries(all, e - 1, e) <= 0);
		}
		assert_int_equal(stall, ms_summary_rw_sum(all->total.counts.stall));
		assert_int_equal(references, ms_summary_rw_sum(all->total.counts.references));
		assert_int_equal(misses, ms_summary_entry_misses(all, &all->total, 1));
		assert_int_equal(covered, all->total.counts.levels[0].covered);
	}
	for (size_t i = 0; i < all->run->misses.n; i++)
		run_covered +=
			all->run->misses.at[i].level == 0 ? all->run->misses.at[i].covered : 0;
	assert_int_equal(run_covered, all->total.counts.levels[0].covered);
}

static void check_matrix(const struct ms_summary *all, struct ms_summary_matrix_limits limits)
{
	struct ms_summary_matrix m;
	uint32_t rows = 0, columns = 0;

	ms_summary_matrix_make(&m, all, limits);
	assert_true(m.rows <= limits.rows + 1 && m.columns <= limits.columns + 1);
	for (size_t r = 0; r < m.rows; r++) {
		uint32_t sum = 0;

		for (size_t c = 0; c < m.columns; c++)
			sum += m.tenths[r * m.columns + c];
		assert_int_equal(sum, m.row_tenths[r]);
		rows += sum;
	}
	for (size_t c = 0; c < m.columns; c++)
		columns += m.column_tenths[c];
	assert_int_equal(rows, m.total ? MS_WHOLE : 0);
	assert_int_equal(columns, rows);
	ms_summary_matrix_free(&m);
}

static void test_random_runs_add_up(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed < 200; seed++) {
		struct ms_run random;
		struct ms_summary all;

		sample_random_run(&random, seed, 1 + seed % 30, 1 + seed % 23,
				  (uint32_t)(seed * 5));
		assert_int_equal(ms_summary_make(&all, &random, NULL, NULL, NULL), MS_OK);
		check_sums(&all);
		check_matrix(&all, (struct ms_summary_matrix_limits){ 12, 8, 0.001, 0, 0 });
		check_matrix(&all, (struct ms_summary_matrix_limits){ 100, 100, 0, 0, 0 });
		check_matrix(&all, (struct ms_summary_matrix_limits){ 1, 1, 0, 0, 0 });
		check_matrix(&all, (struct ms_summary_matrix_limits){ 5, 5, 1, 0, 0 });
		ms_summary_free(&all);
		ms_run_free(&random);
	}
}

static void test_select(void **state)
{
	static const struct {
		const char *name;
		int code;
		const char *chosen; /* one letter per data: Y Z X stack freed counter */
	} cases[] = {
		{ "Matrix.Y", MS_OK, "Y-----" }, { "Matrix.*", MS_OK, "YZX---" },
		{ "*", MS_OK, "YZXsfc" },        { "count", MS_OK, "-----c" },
		{ "Matrix", MS_EUSAGE, NULL },   { "nothing", MS_ENOENT, NULL },
		{ "n*", MS_ENOENT, NULL },       { "", MS_ENOENT, NULL },
		{ "[XY]", MS_ENOENT, NULL },     { "*.[XY]", MS_OK, "Y-X---" },
	};
	struct ms_err err;

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		bool chosen[6] = { false };

		assert_int_equal(ms_summary_select(&s.data, &cases[i].name, 1, chosen, NULL, &err),
				 cases[i].code);
		for (size_t k = 0; cases[i].chosen != NULL && k < 6; k++)
			assert_int_equal(chosen[k], cases[i].chosen[k] != '-');
	}
	const char *part = "Matrix", *none = "nothing";
	bool chosen[6];
	ms_summary_select(&s.data, &part, 1, chosen, NULL, &err);
	assert_string_equal(err.text,
			    "\"Matrix\" is part of the names of several data: Matrix.Y (85.9%), "
			    "Matrix.Z (8.7%), Matrix.X (5.4%); say which, or \"*Matrix*\" for all");
	struct ms_run empty = { .id = 1 };
	struct ms_summary of_empty;
	ms_summary_make(&of_empty, &empty, NULL, NULL, NULL);
	assert_int_equal(ms_summary_select(&of_empty.data, &none, 1, chosen, NULL, &err),
			 MS_ENOENT);
	assert_string_equal(err.text, "there is no data \"nothing\" in this run; there are none");
	ms_summary_free(&of_empty);
	ms_summary_select(&s.data, &none, 1, chosen, NULL, &err);
	assert_string_equal(
		err.text, "there is no data \"nothing\" in this run; there are Matrix.Y, Matrix.Z, "
			  "Matrix.X, <unknown>, <stack>, counter");
}

/* A name alone is that of data or of code, whichever it fits better. */
static void test_either(void **state)
{
	static const struct {
		const char *name;
		int code;
		bool is_code;
	} cases[] = {
		{ "Matrix.Y", MS_OK, false }, { "Y", MS_OK, false },
		{ "main", MS_OK, true },      { "Blk", MS_OK, true },
		{ "Matrix.*", MS_OK, false }, { "m*", MS_OK, true },
		{ "count", MS_OK, false },    { "xyzzy", MS_ENOENT, false },
		{ "e", MS_EUSAGE, true },     { "", MS_ENOENT, false },
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		bool is_code = false;
		bool chosen[8] = { false };
		const char *name = cases[i].name;
		int code = ms_summary_select_either(&s.data, &s.code, name, &is_code, NULL, NULL);

		if (code == MS_OK)
			code = ms_summary_select(is_code ? &s.code : &s.data, &name, 1, chosen,
						 NULL, NULL);
		if (code != cases[i].code || (code == MS_OK && is_code != cases[i].is_code))
			fail_msg("\"%s\": %d, %s", name, code, is_code ? "code" : "data");
	}
}

static void test_detail(void **state)
{
	const char *const code[] = { "BlkMultiply" }, *const data[] = { "Matrix.Y", "Matrix.Z" };
	struct ms_summary_detail d;

	(void)state;
	assert_int_equal(ms_summary_detail_make(
				 &d, &run,
				 &(struct ms_summary_detail_wanted){ code, 1, data, 2, NULL, 0 },
				 NULL, NULL),
			 MS_OK);
	assert_int_equal(ms_summary_rw_sum(d.part.total.counts.stall), 105800000);
	assert_int_equal(d.elapsed_compute, 50000000);
	assert_int_equal(d.elapsed_stall, 110880000);
	assert_int_equal(d.replaced_by.n, 5);
	assert_int_equal(d.replaced_by.at[0].count, 8480000); /* Y, in the first level */
	assert_int_equal(d.part.bins.at.n, 2);
	assert_int_equal(d.part.code.at.n, 1);
	assert_int_equal(d.part.data.at.n, 2);
	assert_int_equal(d.part.lines.at.n, 1);
	ms_summary_detail_free(&d);
	assert_int_equal(ms_summary_detail_make(&d, &run,
						&(struct ms_summary_detail_wanted){ .names = NULL },
						NULL, NULL),
			 MS_OK);
	assert_int_equal(d.part.bins.at.n, 1); /* the worst */
	assert_int_equal(ms_summary_rw_sum(d.part.total.counts.stall), 97000000);
	ms_summary_detail_free(&d);
	assert_int_equal(ms_summary_detail_make(
				 &d, &run,
				 &(struct ms_summary_detail_wanted){ .data = data, .n_data = 1 },
				 NULL, NULL),
			 MS_OK);
	assert_int_equal(d.elapsed_compute, 60000000);
	assert_int_equal(d.part.code.at.n, 2);
	ms_summary_detail_free(&d);
}

static void test_sort(void **state)
{
	static const struct {
		const char *key, *first;
	} cases[] = { { "stall_share", "Matrix.Y" },  { "references", "Matrix.Y" },
		      { "writes", "Matrix.Z" },       { "L2_misses", "Matrix.Y" },
		      { "l1_MISS_rate", "Matrix.X" }, { "misses", "Matrix.Y" },
		      { "name", "<stack>" },          { "type", "Matrix.Y" } };
	struct ms_err err;

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		assert_int_equal(ms_metric_sort(&s, &s.data, cases[i].key, &err), MS_OK);
		if (strcmp(cases[i].key, "type") != 0)
			assert_string_equal(s.data.at.at[0].name, cases[i].first);
	}
	assert_int_equal(ms_metric_sort(&s, &s.data, "compute_cycles", &err), MS_EUSAGE);
	assert_int_equal(ms_metric_sort(&s, &s.data, "L3_misses", &err), MS_EUSAGE);
	assert_non_null(strstr(err.text, "stall_share, stall_cycles, references"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_totals, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_entries, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_latency, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_matrix, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_matrix_without_stall, set_up, tear_down),
		cmocka_unit_test(test_matrix_of_nothing),
		cmocka_unit_test(test_random_runs_add_up),
		cmocka_unit_test_setup_teardown(test_select, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_either, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_detail, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_sort, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
