/*
 * Runs of several processors: classes of dependence and strides are known, times are not. Findings
 * follow from them, with wider bounds; what needs times or conflicts is named.
 */
#include "unit/advise/advise_run.h"

#define MIB(n) ((uint64_t)(n) << 20)

#define COLUMN                                                                           \
	.name = "double.grid", .type = "double", .dependence = MS_RUN_DEPENDENCE_AFFINE, \
	.size = 8, .references = 16, .bytes = MIB(64)

static const struct advise_data columns = { COLUMN, .misses = { 16, 2, 0 }, .stride = 12000 };
/* A shared cache that has all of it answers random elements, too. */
static const struct advise_data random_elements = { COLUMN, .misses = { 16, 2, 0 } };
static const struct advise_data gathered = {
	.name = "double.table",
	.type = "double",
	.dependence = MS_RUN_DEPENDENCE_LED,
	.size = 8,
	.references = 16,
	.misses = { 16, 8, 8 },
	.bytes = MIB(64),
};
static const struct advise_data list = {
	.name = "node.list",
	.type = "node",
	.dependence = MS_RUN_DEPENDENCE_CHAINED,
	.size = 8,
	.references = 2,
	.misses = { 1, 1, 1 },
	.bytes = MIB(16),
};
/* Nodes in the order of memory. */
static const struct advise_data ordered_list = {
	.name = "node.list",
	.type = "node",
	.dependence = MS_RUN_DEPENDENCE_CHAINED,
	.size = 8,
	.references = 2,
	.misses = { 1, 1, 1 },
	.bytes = MIB(16),
	.stride = 64,
};

#define NOT_LOOKED_FOR                                                                      \
	"Not looked for: padding against conflicts, streaming stores, huge pages (several " \
	"processors are simulated; memspy run --processors 1 PROGRAM looks for them).\n"
#define NONE(percent)                                                                           \
	"No finding. The program waits for memory in " percent "% of its time; no remedy that " \
	"memspy looked for is predicted to gain 3% or more. " NOT_LOOKED_FOR

/*
 * 100 million cycles compute. The columns stall for 260: 227 of them are saved, and 4.5 misses
 * overlap, so that it is 227 / (450 + 260). Chained misses do not overlap: 255 of 340 + 100.
 */
static const struct {
	const char *what;
	const struct advise_data *data;
	bool invalidated; /* all misses: another processor has written the lines */
	const char *findings;
} cases[] = {
	{ "a column walk", &columns, false, "loop-order double.grid 0.32\n" },
	{ "random elements in a shared cache", &random_elements, false, NONE("72") },
	{ "a gather", &gathered, false, "gather double.table 0.64\n" },
	{ "a list", &list, false, "pointer-chasing node.list 0.58\n" },
	{ "a list in the order of memory", &ordered_list, false, NONE("77") },
	{ "lines that others write", &gathered, true, NONE("97") },
};

/* Of several processors, as the simulator leaves it. */
static void make_run(struct ms_run *run, const struct advise_data *data, bool invalidated)
{
	advise_run(run, 50, data, 1);
	run->processors = 2;
	run->instructions = 100000000;
	run->core = MS_RUN_IN_ORDER;
	for (size_t i = 0; i < run->misses.n; i++) {
		struct ms_run_miss *miss = &run->misses.at[i];

		if (!invalidated)
			continue;
		miss->causes[MS_CAUSE_INVALIDATED] =
			miss->causes[MS_CAUSE_FIRST] + miss->causes[MS_CAUSE_REPLACED];
		miss->causes[MS_CAUSE_FIRST] = miss->causes[MS_CAUSE_REPLACED] = 0;
	}
}

static void findings_follow_without_times(void **state)
{
	int failed = 0;

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		struct ms_run run;

		make_run(&run, cases[i].data, cases[i].invalidated);
		const char *found = advise_findings(&run);

		if (strcmp(found, cases[i].findings) != 0) {
			print_message("%s: %s", cases[i].what, found);
			failed++;
		}
		ms_run_free(&run);
	}
	assert_int_equal(failed, 0);
}

/* The last figure of a finding says that it is an estimate; its bounds are wider. */
static void estimates_are_marked(void **state)
{
	struct ms_advise advise;
	struct ms_summary s;
	struct ms_run run;

	(void)state;
	make_run(&run, &columns, false);
	assert_int_equal(ms_summary_make(&s, &run, NULL, NULL, NULL), MS_OK);
	ms_advise_make(&advise, &s);
	assert_int_equal(advise.at.n, 1);
	const struct ms_advise_finding *f = &advise.at.at[0];

	assert_true(f->is_estimate && f->gain_low < 0.1 && f->gain_high > 0.65);
	assert_string_equal(f->evidence[f->n_evidence - 1].figure,
			    "the gain is an estimate: of several processors, it is not known how "
			    "many misses overlap; 4.5 are assumed");
	assert_string_equal(f->evidence[f->n_evidence - 1].command,
			    "memspy run --processors 1 PROGRAM");
	ms_advise_free(&advise);
	ms_summary_free(&s);
	ms_run_free(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(findings_follow_without_times),
		cmocka_unit_test(estimates_are_marked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
