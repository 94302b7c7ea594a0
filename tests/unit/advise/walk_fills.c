/* Walks over columns whose lines go to few sets of the first level take longer than reports say. */
#include "unit/advise/advise_run.h"

#define MIB(n) ((uint64_t)(n) << 20)

/* The second level has nearly all of it; 256 sets in the first one. */
static const struct advise_data table = {
	.name = "double.table",
	.type = "double",
	.dependence = MS_RUN_DEPENDENCE_AFFINE,
	.size = 8,
	.references = 64,
	.misses = { 64, 0.1, 0.1 },
	.exposed = 0.05,
	.bytes = MIB(1) / 2,
};

/*
 * 20 million cycles compute, 34 stall (64 x 10 x 0.05, and 1.7 of memory). A stream of the
 * same bytes would wait for 8; lines that need 1.3, 2.4, 3.4 or 4 cycles each take longer by 29,
 * 100, 164 and 202 millions.
 */
static const struct {
	const char *what;
	int32_t stride;
	uint32_t instructions; /* that walk */
	const char *findings;
} cases[] = {
	{ "all sets", 4160, 1, "loop-order double.table 0.66\n" },
	{ "half of the sets", 4224, 1, "loop-order double.table 0.81\n" },
	{ "a quarter of the sets", 4352, 1, "loop-order double.table 0.87\n" },
	{ "four sets", 4096, 1, "loop-order double.table 0.89\n" },
	{ "upwards", -4096, 1, "loop-order double.table 0.89\n" },
	{ "all sets, in a loop that is unrolled four times", 16640, 4,
	  "loop-order double.table 0.66\n" },
	{ "three references to neighbours", 4096, 3, "loop-order double.table 0.89\n" },
};

static void add_walkers(struct ms_run *run, uint32_t n, int32_t stride)
{
	for (uint32_t i = 1; i < n; i++) {
		const struct ms_run_site site = run->sites.at[0];

		SAMPLE_ADD(&run->sites, site);
		SAMPLE_ADD(&run->cells,
			   (struct ms_run_cell){ .site = (uint32_t)run->sites.n - 1, .data = 0 });
		SAMPLE_ADD(&run->strides, (struct ms_run_stride){ (uint32_t)run->sites.n - 1,
								  (uint32_t)stride, 100000 });
	}
}

/* The figures were measured on one processor. */
static void other_processors_have_other_figures(void **state)
{
	struct advise_data data = table;
	struct ms_run run;

	(void)state;
	data.stride = 4096;
	advise_run(&run, 20, &data, 1);
	assert_string_equal(advise_findings(&run), "loop-order double.table 0.47\n");
	run.machine_origin = "this machine, core of preset intel-emerald-rapids";
	assert_string_equal(advise_findings(&run), "loop-order double.table 0.89\n");
	ms_run_free(&run);
}

static void lines_in_few_sets_take_longer(void **state)
{
	int failed = 0;

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		struct advise_data data = table;
		struct ms_run run;

		data.stride = cases[i].stride;
		advise_run(&run, 20, &data, 1);
		run.machine = "intel-emerald-rapids";
		add_walkers(&run, cases[i].instructions, cases[i].stride);
		const char *found = advise_findings(&run);

		if (strcmp(found, cases[i].findings) != 0) {
			print_message("%s: %s", cases[i].what, found);
			failed++;
		}
		ms_run_free(&run);
	}
	assert_int_equal(failed, 0);
}

/* Two rows of it, and the element on either side. A stream would fetch each element once. */
static void stencils_fetch_each_element_once(void **state)
{
	struct advise_data data = table;
	struct ms_advise advise;
	struct ms_summary s;
	struct ms_run run;

	(void)state;
	data.references = 200;
	data.stride = 4096;
	advise_run(&run, 20, &data, 1);
	add_walkers(&run, 4, data.stride);
	assert_int_equal(ms_summary_make(&s, &run, NULL, NULL, NULL), MS_OK);
	ms_advise_make(&advise, &s);
	assert_int_equal(advise.at.n, 1);
	assert_string_equal(ms_advise_kind_word(advise.at.at[0].kind), "loop-order");
	assert_true(advise.at.at[0].gain > 0.45 && advise.at.at[0].gain < 0.5);
	assert_string_equal(advise.at.at[0].snippet,
			    "for (i = 0; i < 128; i++)\n"
			    "        for (j = 0; j < 512; j++) /* innermost */\n"
			    "                ... table[i][j] ...\n");
	ms_advise_free(&advise);
	ms_summary_free(&s);
	ms_run_free(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stencils_fetch_each_element_once),
		cmocka_unit_test(lines_in_few_sets_take_longer),
		cmocka_unit_test(other_processors_have_other_figures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
