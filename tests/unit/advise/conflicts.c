/*
 * Misses that are conflicts: what is padded, and how it is written. The first level has 256 sets of
 * 4 ways: addresses that are 16 KiB apart share a set.
 */
#include "unit/advise/advise_run.h"

#define KIB(n) ((uint64_t)(n) << 10)

/* Each of its misses has the latency of the second level, exposed. */
#define CONFLICTING                                                                           \
	.type = "double", .dependence = MS_RUN_DEPENDENCE_AFFINE, .size = 8, .references = 8, \
	.misses = { 8, 0.0001, 0.0001 }, .exposed = 0.1, .conflicts = 0.9

/* 16 rows, 32 KiB apart; and 512, whose walks have as many lines as half of the first level. */
static const struct advise_data short_walk = { CONFLICTING, .name = "double.a", .bytes = KIB(512),
					       .stride = 32768 };
static const struct advise_data long_walk = { CONFLICTING, .name = "double.a", .bytes = KIB(2048),
					      .stride = 4096 };
static const struct advise_data blocks = {
	CONFLICTING, .name = "double.row", .bytes = KIB(192), .objects = 12, .stride = 8,
};
static const struct advise_data vector = { CONFLICTING, .name = "double.v", .bytes = KIB(16),
					   .stride = 8 };

static const struct {
	const char *what;
	const struct advise_data *data;
	uint64_t largest; /* 0: one object */
	const char *file, *kind, *snippet;
} cases[] = {
	{ "a walk with few lines", &short_walk, 0, "p.c", "padding",
	  "double a[ROWS][COLUMNS + 8];\n" },
	{ "in Fortran", &short_walk, 0, "p.f90", "padding", "double :: a(ROWS + 8, COLUMNS)\n" },
	{ "a walk with many lines", &long_walk, 0, "p.c", "loop-order",
	  "for (i = 0; i < 512; i++)\n"
	  "        for (j = 0; j < 512; j++) /* innermost */\n"
	  "                ... a[i][j] ...\n" },
	{ "rows that are allocated one by one", &blocks, KIB(16), "p.c", "padding",
	  "double *all = malloc(12 * (2048 + 8) * sizeof(*all));\n"
	  "row[i] = &all[i * (2048 + 8)];\n" },
	{ "in C++", &blocks, KIB(16), "p.cc", "padding",
	  "std::vector<double> all(12 * (2048 + 8));\n"
	  "row[i] = &all[i * (2048 + 8)];\n" },
};

static void snippets_fit_what_is_padded(void **state)
{
	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		struct ms_advise advise;
		struct ms_summary s;
		struct ms_run run;

		advise_run(&run, 5, cases[i].data, 1);
		run.lines.at[0].file = cases[i].file;
		if (cases[i].largest > 0)
			run.data.at[0].largest = cases[i].largest;
		assert_int_equal(ms_summary_make(&s, &run, NULL, NULL, NULL), MS_OK);
		ms_advise_make(&advise, &s);
		if (advise.at.n != 1 ||
		    strcmp(ms_advise_kind_word(advise.at.at[0].kind), cases[i].kind) != 0 ||
		    strcmp(advise.at.at[0].snippet, cases[i].snippet) != 0)
			fail_msg("%s: found %zu, %s", cases[i].what, advise.at.n,
				 advise.at.n > 0 ? advise.at.at[0].snippet : advise.statement);
		ms_advise_free(&advise);
		ms_summary_free(&s);
		ms_run_free(&run);
	}
}

enum { VECTORS = 12 };

/* Each vector loses its lines to the next but three; alone, each is below the least gain. */
static void make_vectors(struct ms_run *run, bool by_others)
{
	static const char *const names[VECTORS] = { "a", "b", "c", "d", "e", "f",
						    "g", "h", "k", "l", "m", "o" };
	struct advise_data data[VECTORS];

	for (uint32_t i = 0; i < VECTORS; i++) {
		data[i] = vector;
		data[i].name = names[i];
		data[i].references = data[i].misses[0] = i == 2 ? 9 : 8;
	}
	advise_run(run, 250, data, VECTORS);
	for (uint32_t i = 0; i < VECTORS; i++)
		SAMPLE_ADD(&run->replaced,
			   (struct ms_run_replaced){ i, 0, by_others ? (i + 4) % VECTORS : i,
						     8000000 });
}

static void data_that_evict_one_another_are_one_finding(void **state)
{
	struct ms_advise advise;
	struct ms_summary s;
	struct ms_run run;

	(void)state;
	make_vectors(&run, true);
	assert_int_equal(ms_summary_make(&s, &run, NULL, NULL, NULL), MS_OK);
	ms_advise_make(&advise, &s);
	assert_int_equal(advise.at.n, 1);
	const struct ms_advise_finding *f = &advise.at.at[0];

	assert_int_equal(f->kind, MS_ADVISE_PADDING);
	assert_true(f->gain > 0.2 && f->gain < 0.3);
	assert_string_equal(f->snippet, "double c[2048 + 8]; /* and the others */\n");
	assert_string_equal(f->evidence[2].figure,
			    "12 data lose their lines to one another: c, a, b, d and 8 more");
	assert_string_equal(f->evidence[2].command, "memspy evictions --of c");
	ms_advise_free(&advise);
	ms_summary_free(&s);
	ms_run_free(&run);
}

/* Each has rows of its own that evict one another. */
static void data_that_evict_themselves_are_findings_of_their_own(void **state)
{
	struct ms_run run;

	(void)state;
	make_vectors(&run, false);
	assert_non_null(strstr(advise_findings(&run), "No finding."));
	ms_run_free(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(snippets_fit_what_is_padded),
		cmocka_unit_test(data_that_evict_one_another_are_one_finding),
		cmocka_unit_test(data_that_evict_themselves_are_findings_of_their_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
