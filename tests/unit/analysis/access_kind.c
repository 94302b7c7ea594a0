/* How data is accessed follows from all references, however few of them are observed. */
#include "unit/sample_run.h"

#include <math.h>

#include "analysis/line_use/access_kind.h"

enum { WALKED, OTHER, DATA };

static void add_stride(struct ms_run *run, uint32_t site, int32_t stride, uint64_t observed)
{
	SAMPLE_ADD(&run->strides, (struct ms_run_stride){ site, (uint32_t)stride, observed });
}

/*
 * The first site is observed in most of its references, the second in few of them. The third one
 * refers to both data, mostly to the other one.
 */
static void make_run(struct ms_run *run)
{
	static const struct ms_run_cell cells[] = {
		{ .site = 0, .data = WALKED, .references = 1000 },
		{ .site = 1, .data = WALKED, .references = 8000, .processor = 0 },
		{ .site = 1, .data = WALKED, .references = 1000, .processor = 1 },
		{ .site = 2, .data = WALKED, .references = 500 },
		{ .site = 2, .data = OTHER, .references = 9500 },
	};

	*run = (struct ms_run){ .processors = 2 };
	SAMPLE_ADD(&run->codes, (struct ms_run_code){ .name = "walk" });
	SAMPLE_ADD(&run->lines, (struct ms_run_line){ .code = 0 });
	for (uint32_t i = 0; i < 3; i++)
		SAMPLE_ADD(&run->sites, (struct ms_run_site){ 0, MS_SITE_READ, 8, 16 * i, NULL });
	for (int i = 0; i < DATA; i++)
		SAMPLE_ADD(&run->data, (struct ms_run_data){ .name = i == 0 ? "a" : "b" });
	for (size_t i = 0; i < MS_COUNT(cells); i++)
		SAMPLE_ADD(&run->cells, cells[i]);
	add_stride(run, 0, 8, 900);
	add_stride(run, 1, -65536, 5);
	add_stride(run, 1, 4096, 15);
	add_stride(run, 2, 8, 400);
}

static void assert_access(const struct ms_line_use_access *access, enum ms_line_use_kind kind,
			  int64_t stride, double share)
{
	assert_int_equal(access->kind, kind);
	assert_int_equal(access->stride, stride);
	assert_true(fabs(access->share - share) < 1e-9);
}

static void strides_of_sites_count_by_references(void **state)
{
	bool walked[DATA] = { true, false };
	struct ms_run run;

	(void)state;
	make_run(&run);
	struct ms_line_use_access access = ms_line_use_find_access(&run, NULL, walked);

	assert_access(&access, MS_LINE_USE_STRIDED, 4096, 6750. / 10500);
	assert_int_equal(access.number, 3);
	ms_run_free(&run);
}

static void all_data_at_once_have_the_same_strides(void **state)
{
	struct ms_line_use_access access[DATA];
	struct ms_run run;

	(void)state;
	make_run(&run);
	ms_line_use_find_access_by_data(&run, access);
	assert_access(&access[WALKED], MS_LINE_USE_STRIDED, 4096, 6750. / 10500);
	assert_access(&access[OTHER], MS_LINE_USE_SEQUENTIAL, 8, 1);
	ms_run_free(&run);
}

/* A loop that was not observed has most references. */
static void strides_of_few_references_are_none_of_the_data(void **state)
{
	struct ms_line_use_access access, by_data[DATA];
	bool walked[DATA] = { true, false };
	struct ms_run run;

	(void)state;
	make_run(&run);
	run.strides.n = 1; /* of the first site, which has 1000 of 10500 references */
	access = ms_line_use_find_access(&run, NULL, walked);
	assert_access(&access, MS_LINE_USE_UNKNOWN, 0, 0);
	assert_int_equal(access.number, 0);
	ms_line_use_find_access_by_data(&run, by_data);
	assert_access(&by_data[WALKED], MS_LINE_USE_UNKNOWN, 0, 0);
	ms_run_free(&run);
}

static void a_site_has_its_own_strides(void **state)
{
	struct ms_run run;

	(void)state;
	make_run(&run);
	struct ms_line_use_access access = ms_line_use_find_site_access(&run, 1);

	assert_access(&access, MS_LINE_USE_STRIDED, 4096, 0.75);
	ms_run_free(&run);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(strides_of_sites_count_by_references),
		cmocka_unit_test(all_data_at_once_have_the_same_strides),
		cmocka_unit_test(a_site_has_its_own_strides),
		cmocka_unit_test(strides_of_few_references_are_none_of_the_data),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
