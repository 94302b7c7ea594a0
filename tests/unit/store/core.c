/* The counts of the timing model come back as they were saved, and add up where rows are merged. */
#include "unit/sample_core.h"

#include <stdio.h>
#include <unistd.h>

#include "run/fields.h"
#include "run/regroup.h"
#include "store/store.h"

static char path[] = "/tmp/ms-core-XXXXXX";

static int set_up(void **state)
{
	int fd = mkstemp(path);

	(void)state;
	return fd < 0 || close(fd) != 0;
}

static int tear_down(void **state)
{
	(void)state;
	return unlink(path);
}

static int save(const char *to, struct ms_run *run, struct ms_err *err)
{
	struct ms_store *store;

	MS_TRY(ms_store_open(&store, to, MS_STORE_WRITE, err));
	int code = ms_store_save(store, run, err);
	ms_store_close(store);
	return code;
}

static void must_load(int64_t id, struct ms_run *run)
{
	struct ms_store *store;
	struct ms_err err;

	if (ms_store_open(&store, path, MS_STORE_READ, &err) != MS_OK ||
	    ms_store_load(store, id, run, &err) != MS_OK)
		fail_msg("%s", err.text);
	ms_store_close(store);
}

static size_t size_of(enum ms_run_field_kind kind)
{
	switch (kind) {
	case MS_FIELD_U32:
	case MS_FIELD_INT:
	case MS_FIELD_WORD:
	case MS_FIELD_INDEX:
	case MS_FIELD_MAYBE_INDEX:
		return 4;
	case MS_FIELD_U64:
	case MS_FIELD_ID:
	case MS_FIELD_REAL:
	case MS_FIELD_MAYBE_U64:
		return 8;
	case MS_FIELD_TEXT:
	case MS_FIELD_MAYBE_TEXT:
	case MS_FIELD_STRING:
	case MS_FIELD_MAYBE_STRING:
		break;
	}
	return 0; /* texts are compared by tests of the store */
}

static void assert_same_row(const char *table, const struct ms_run_field *fields, const char *a,
			    const char *b)
{
	for (const struct ms_run_field *f = fields; f->column != NULL; f++)
		if (memcmp(a + f->offset, b + f->offset, size_of(f->kind)) != 0)
			fail_msg("%s.%s differs", table, f->column);
}

/* All numbers of both, by the description of the tables. */
static void assert_same_numbers(const struct ms_run *a, const struct ms_run *b)
{
	assert_same_row("run", ms_run_fields, (const char *)a, (const char *)b);
	for (const struct ms_run_table *t = ms_run_tables; t->table != NULL; t++) {
		struct ms_run_any_vec x = ms_run_vec(a, t->array), y = ms_run_vec(b, t->array);

		assert_int_equal(x.n, y.n);
		for (size_t i = 0; i < x.n; i++)
			assert_same_row(t->table, t->fields, x.at + i * t->size,
					y.at + i * t->size);
	}
}

static void test_round_trip(void **state)
{
	struct ms_run run, back;
	struct ms_err err;

	(void)state;
	sample_core_run(&run);
	assert_int_equal(save(path, &run, &err), MS_OK);
	must_load(run.id, &back);
	assert_same_numbers(&run, &back);
	assert_int_equal(back.core, MS_RUN_OUT_OF_ORDER);
	assert_int_equal(back.clock_mhz, 2000);
	assert_int_equal(back.compute_cycles, 15000000);
	assert_int_equal(back.lines.at[1].cycles, 45000000 / 4);
	assert_int_equal(back.misses.at[0].exposed, UINT64_C(8600000) * 1024 / 16 * 12);
	assert_int_equal(back.cells.at[0].dependences[MS_RUN_DEPENDENCE_CHAINED], 8710000);
	ms_run_free(&run);
	ms_run_free(&back);
}

/* Cells of a sampled run have the parts of their windows beside their columns. */
static void test_with_parts(void **state)
{
	struct ms_run run, back;
	struct ms_err err;

	(void)state;
	sample_core_run(&run);
	*ms_vec_add(&run.samplings) = (struct ms_run_sampling){
		.ratio = 0.1, .sets = 1, .scale = 10, .time_scale = 10, .parts = 16
	};
	for (uint32_t l = 0; l < run.levels.n; l++)
		*ms_vec_add(&run.sampled_levels) = (struct ms_run_sampled_level){ l, 1, 0 };
	*ms_vec_add(&run.sampled_references) = (struct ms_run_sampled_reference){ 0, 3, 20 };
	if (save(path, &run, &err) != MS_OK)
		fail_msg("%s", err.text);
	must_load(run.id, &back);
	assert_same_numbers(&run, &back);
	ms_run_free(&run);
	ms_run_free(&back);
}

static void sum(const struct ms_run *run, uint64_t sums[6])
{
	memset(sums, 0, 6 * sizeof(*sums));
	for (size_t i = 0; i < run->lines.n; i++)
		sums[0] += run->lines.at[i].cycles;
	for (size_t i = 0; i < run->cells.n; i++) {
		sums[1] += run->cells.at[i].walks;
		sums[2] += run->cells.at[i].waited_bytes;
		sums[3] += run->cells.at[i].dependences[MS_RUN_DEPENDENCE_CHAINED];
	}
	for (size_t i = 0; i < run->misses.n; i++) {
		sums[4] += run->misses.at[i].exposed;
		sums[5] += run->misses.at[i].prefetched;
	}
}

static void test_regroup(void **state)
{
	const uint32_t data[] = { 0, 0, 0, 0, 0, 0 }, lines[] = { 0, 0, 2, 3, 4 };
	uint64_t before[6], after[6];
	struct ms_err err;
	struct ms_run run;

	(void)state;
	sample_core_run(&run);
	sum(&run, before);
	ms_run_regroup(&run, &(struct ms_run_groups){ .data = data, .lines = lines });
	assert_int_equal(ms_run_check(&run, &err), MS_OK);
	assert_int_equal(run.data.n, 1);
	assert_int_equal(run.lines.n, 4);
	sum(&run, after);
	assert_memory_equal(before, after, sizeof(before));
	ms_run_free(&run);
}

static void test_unknown_core(void **state)
{
	struct ms_run run;
	struct ms_err err;

	(void)state;
	sample_core_run(&run);
	run.core = MS_RUN_CORES;
	assert_int_equal(save(path, &run, &err), MS_EBUG);
	assert_non_null(strstr(err.text, "unknown core (2)"));
	ms_run_free(&run);
}

/* tests/dbs/regen: writes the sample runs into a database. */
static int write_samples(const char *to)
{
	struct ms_run before, after;
	struct ms_err err;
	int code;

	sample_core_run(&before);
	sample_faster_core_run(&after);
	code = save(to, &before, &err);
	if (code == MS_OK)
		code = save(to, &after, &err);
	if (code != MS_OK)
		fprintf(stderr, "%s\n", err.text);
	ms_run_free(&before);
	ms_run_free(&after);
	return code != MS_OK;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_with_parts),
		cmocka_unit_test(test_regroup),
		cmocka_unit_test(test_unknown_core),
	};

	if (argc == 3 && strcmp(argv[1], "--write") == 0)
		return write_samples(argv[2]);
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
