/* Columns of records are distinguished from records that are visited in order; what unnamed data
 * leads to. */
#include "unit/advise/advise_run.h"

#define MIB(n) ((uint64_t)(n) << 20)

static const struct advise_data cells = {
	.name = "cell.grid",
	.type = "cell",
	.dependence = MS_RUN_DEPENDENCE_AFFINE,
	.size = 8,
	.references = 16,
	.misses = { 16, 2, 2 },
	.exposed = 0.3,
	.prefetched = 0.3,
	.bytes = MIB(64),
	.stride = 48000,
};

static const struct {
	const char *what;
	int32_t stride;
	uint32_t element; /* bytes; 0: not known */
	const char *kind;
} cases[] = {
	{ "rows of 1500 records", 48000, 32, "loop-order" },
	{ "upwards", -48000, 32, "loop-order" },
	{ "one record after the other", 32, 32, "split" },
	{ "rows of records that are nearly lines", 48000, 48, "split" },
	{ "large records, one after the other", 1024, 1024, "split" },
	{ "every third large record", 3072, 1024, "split" },
	{ "members are not known", 48000, 0, "split" },
};

static void rows_of_records_are_distinguished_from_records(void **state)
{
	int failed = 0;

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		struct advise_data data = cells;
		struct ms_run run;

		data.stride = cases[i].stride;
		advise_run(&run, 50, &data, 1);
		if (cases[i].element > 0)
			SAMPLE_ADD(&run.members, (struct ms_run_member){ 0, 0, 8, cases[i].element,
									 "value", "double" });
		const char *found = advise_findings(&run);

		if (strncmp(found, cases[i].kind, strlen(cases[i].kind)) != 0) {
			print_message("%s: %s", cases[i].what, found);
			failed++;
		}
		ms_run_free(&run);
	}
	assert_int_equal(failed, 0);
}

/* L2 misses once a line in both. */
static void the_stride_tells_rows_of_data_without_a_type(void **state)
{
	static const struct {
		int32_t stride;
		const char *kind;
	} nameless[] = {
		{ 48000, "loop-order" },
		{ -48000, "loop-order" },
		{ 72, "split" },
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(nameless); i++) {
		struct advise_data data = cells;
		struct ms_run run;

		data.type = NULL;
		data.stride = nameless[i].stride;
		advise_run(&run, 50, &data, 1);
		const char *found = advise_findings(&run);

		if (strncmp(found, nameless[i].kind, strlen(nameless[i].kind)) != 0)
			fail_msg("stride %d: %s", nameless[i].stride, found);
		ms_run_free(&run);
	}
}

static void data_without_debug_information_is_the_reason_for_no_finding(void **state)
{
	struct ms_run run;

	(void)state;
	advise_run(&run, 50, &cells, 1);
	run.data.at[0].kind = MS_DATA_SECTION;
	run.data.at[0].name = "gzip[.bss]";
	assert_string_equal(advise_findings(&run),
			    "No finding. The program waits for memory in 83% of its time; no "
			    "remedy that memspy knows is predicted to gain 3% or more. 100% of "
			    "that is for data without debug information (gzip[.bss]), which no "
			    "finding is about: compile with -g.\n");
	ms_run_free(&run);
}

/* It is in the title; a sentence would have it three times. */
static void a_long_path_of_allocations_is_not_repeated(void **state)
{
	static const struct {
		const char *name, *called;
	} names[] = {
		{ "cell.grid", "cell.grid" },
		{ "main (grid.c:5)", "main (grid.c:5)" },
		{ "encoder (liblzma.so.5) (+0xb6fb < +0x54fc < +0x37e7 ~03e7)", "this data" },
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(names); i++) {
		struct advise_data data = cells;
		struct ms_advise advise;
		struct ms_summary s;
		struct ms_run run;

		data.name = names[i].name;
		data.type = "double";
		advise_run(&run, 50, &data, 1);
		assert_int_equal(ms_summary_make(&s, &run, NULL, NULL, NULL), MS_OK);
		ms_advise_make(&advise, &s);
		assert_true(advise.at.n > 0);
		assert_non_null(strstr(advise.at.at[0].remedy, names[i].called));
		ms_advise_free(&advise);
		ms_summary_free(&s);
		ms_run_free(&run);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_of_records_are_distinguished_from_records),
		cmocka_unit_test(the_stride_tells_rows_of_data_without_a_type),
		cmocka_unit_test(data_without_debug_information_is_the_reason_for_no_finding),
		cmocka_unit_test(a_long_path_of_allocations_is_not_repeated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
