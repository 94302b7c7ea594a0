/* A simulated run and a sampled one are joined: samples are found again, nothing is lost. */
#include "unit/sample_joined.h"

#include "run/fields.h"
#include "run/join.h"

static void join(struct ms_run *run)
{
	struct ms_run measured;
	struct ms_err err;

	sample_simulated_part(run);
	sample_measured_part(&measured);
	if (ms_run_check_join(run, &measured, &err) != MS_OK)
		fail_msg("%s", err.text);
	ms_run_join(run, &measured);
	ms_run_free(&measured); /* nothing of it is used any longer */
	if (ms_run_check(run, &err) != MS_OK)
		fail_msg("%s", err.text);
	assert_true(ms_run_is_joined(run));
}

/* Milliseconds of a pair of code and data, and how many references its cells have. */
static uint64_t measured(const struct ms_run *run, const char *code, const char *data,
			 uint64_t *references)
{
	uint64_t ns = 0;

	*references = 0;
	for (size_t i = 0; i < run->hardware_samples.n; i++) {
		const struct ms_run_cell *cell = &run->cells.at[run->hardware_samples.at[i].cell];
		uint32_t line = run->sites.at[cell->site].line;

		if (strcmp(run->codes.at[run->lines.at[line].code].name, code) != 0 ||
		    strcmp(run->data.at[cell->data].name, data) != 0)
			continue;
		ns += run->hardware_samples.at[i].latency;
		*references += cell->references;
	}
	return ns / SAMPLE_MS;
}

static void test_samples_find_their_cells(void **state)
{
	struct ms_run run;
	uint64_t references;

	(void)state;
	join(&run);
	assert_int_equal(measured(&run, "BlkMultiply", "Matrix.Y", &references), 300);
	assert_true(references > 0);
	assert_int_equal(measured(&run, "BlkMultiply", "Matrix.Z", &references), 600);
	assert_true(references > 0);
	assert_int_equal(measured(&run, "BlkMultiply", "counter", &references), 50);
	assert_int_equal(references, 0);
	ms_run_free(&run);
}

static void test_simulation_stays(void **state)
{
	struct ms_run run, before;

	(void)state;
	sample_simulated_part(&before);
	join(&run);
	assert_int_equal(run.misses.n, before.misses.n);
	assert_memory_equal(run.misses.at, before.misses.at, run.misses.n * sizeof(*run.misses.at));
	assert_memory_equal(run.cells.at, before.cells.at, before.cells.n * sizeof(*run.cells.at));
	assert_int_equal(run.evictions.n, before.evictions.n);
	assert_int_equal(run.occupancy.n, before.occupancy.n);
	assert_int_equal(run.instructions, before.instructions);
	assert_int_equal(run.data.n, before.data.n + 1); /* <page faults> */
	ms_run_free(&run);
	ms_run_free(&before);
}

/* Code, lines and data that were not simulated. */
static void test_what_only_the_timer_has_seen(void **state)
{
	struct ms_run run;
	uint64_t references;

	(void)state;
	join(&run);
	assert_int_equal(measured(&run, "<kernel>", "<page faults>", &references), 40);
	assert_int_equal(references, 0);
	const struct ms_run_hardware_compute *last =
		&run.hardware_computes.at[run.hardware_computes.n - 1];
	assert_int_equal(run.lines.at[last->line].line, 33);
	assert_int_equal(run.lines.at[last->line].instructions, 0);
	assert_int_equal(last->time, UINT64_C(10) * SAMPLE_MS);
	assert_string_equal(run.hardware_losses.at[0].reason, "memspy was executing");
	ms_run_free(&run);
}

static void test_it_is_a_run_of_its_own(void **state)
{
	struct ms_run run;

	(void)state;
	join(&run);
	assert_null(run.uid);
	assert_null(run.tag);
	assert_int_equal(run.id, 0);
	assert_int_equal(run.origins.n, 2);
	assert_string_equal(run.origins.at[0].uid, "c0de2233445566778899aabbccddeeff");
	assert_string_equal(run.origins.at[0].tag, "before");
	assert_string_equal(run.origins.at[1].tag, "timer");
	assert_string_equal(run.origins.at[1].started, "2026-11-15T10:32:02Z");
	ms_run_free(&run);
}

/* Data of the same name that is something else keeps a name of its own. */
static void test_names_stay_unique(void **state)
{
	struct ms_run run, measured;

	(void)state;
	sample_simulated_part(&run);
	sample_measured_part(&measured);
	measured.data.at[0].kind = MS_DATA_FILE;
	ms_run_join(&run, &measured);
	assert_string_equal(run.data.at[SAMPLE_COUNTER].name, "counter");
	bool found = false;
	for (size_t i = 0; i < run.data.n; i++)
		found |= strcmp(run.data.at[i].name, "counter#2") == 0 &&
			 run.data.at[i].kind == MS_DATA_FILE;
	assert_true(found);
	ms_run_free(&run);
	ms_run_free(&measured);
}

/* With several processors, samples belong to the cell with most of the references. */
static void test_several_processors(void **state)
{
	struct ms_run run, measured;
	struct ms_err err;
	uint32_t y;

	(void)state;
	sample_simulated_part(&run);
	sample_measured_part(&measured);
	run.processors = 2;
	y = sample_cell_of(&run, SAMPLE_Y);
	struct ms_run_cell more = run.cells.at[y];
	more.processor = 1;
	more.references *= 2;
	SAMPLE_ADD(&run.cells, more);
	ms_run_join(&run, &measured);
	assert_int_equal(ms_run_check(&run, &err), MS_OK);
	bool found = false;
	for (size_t i = 0; i < run.hardware_samples.n; i++) {
		const struct ms_run_cell *c = &run.cells.at[run.hardware_samples.at[i].cell];

		if (c->data == SAMPLE_Y) {
			assert_int_equal(c->processor, 1);
			found = true;
		}
	}
	assert_true(found);
	ms_run_free(&run);
	ms_run_free(&measured);
}

static void other_build(struct ms_run *simulated, struct ms_run *sampled)
{
	(void)simulated;
	sampled->build_id = "0bad";
}

static void unknown_build(struct ms_run *simulated, struct ms_run *sampled)
{
	(void)simulated;
	sampled->build_id = NULL;
}

static void no_builds(struct ms_run *simulated, struct ms_run *sampled)
{
	simulated->build_id = sampled->build_id = NULL;
}

static void other_program(struct ms_run *simulated, struct ms_run *sampled)
{
	no_builds(simulated, sampled);
	sampled->program = "./other";
}

static void both_simulated(struct ms_run *simulated, struct ms_run *sampled)
{
	(void)simulated;
	sampled->hardware.n = 0;
}

static void both_sampled(struct ms_run *simulated, struct ms_run *sampled)
{
	simulated->levels.n = 0;
	SAMPLE_ADD(&simulated->hardware, sampled->hardware.at[0]);
}

static void joined_already(struct ms_run *simulated, struct ms_run *sampled)
{
	SAMPLE_ADD(&simulated->hardware, sampled->hardware.at[0]);
}

static void no_samples(struct ms_run *simulated, struct ms_run *sampled)
{
	(void)simulated;
	sampled->hardware.at[0].samples = 0;
}

static void latencies(struct ms_run *simulated, struct ms_run *sampled)
{
	(void)simulated;
	sampled->hardware.at[0].unit = MS_RUN_CYCLES;
	sampled->hardware.at[0].source = MS_RUN_SPE;
}

static void page_faults(struct ms_run *simulated, struct ms_run *sampled)
{
	(void)simulated;
	sampled->hardware.at[0].unit = MS_RUN_NO_UNIT;
	sampled->hardware.at[0].source = MS_RUN_FAULTS;
}

static void test_refused(void **state)
{
	static const struct {
		int line;
		void (*change)(struct ms_run *simulated, struct ms_run *sampled);
		const char *says; /* NULL: it is accepted */
	} cases[] = {
		{ __LINE__, other_build, "not of the same build" },
		{ __LINE__, unknown_build, "build-id unknown" },
		{ __LINE__, no_builds, NULL },
		{ __LINE__, other_program, "(other, build-id unknown)" },
		{ __LINE__, both_simulated, "is simulated and run @0 is simulated" },
		{ __LINE__, both_sampled, "is sampled on the real machine and" },
		{ __LINE__, joined_already, "is joined already" },
		{ __LINE__, no_samples, "has no samples" },
		{ __LINE__, latencies, "samples of latency (spe), which are not time" },
		{ __LINE__, page_faults, "samples of events (page-faults)" },
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		struct ms_run simulated, sampled;
		struct ms_err err;

		sample_simulated_part(&simulated);
		sample_measured_part(&sampled);
		cases[i].change(&simulated, &sampled);
		int code = ms_run_check_join(&simulated, &sampled, &err);
		if (cases[i].says == NULL && code != MS_OK)
			fail_msg("line %d: %s", cases[i].line, err.text);
		if (cases[i].says != NULL && code != MS_EUSAGE)
			fail_msg("line %d: accepted", cases[i].line);
		if (cases[i].says != NULL && strstr(err.text, cases[i].says) == NULL)
			fail_msg("line %d: \"%s\"", cases[i].line, err.text);
		ms_run_free(&simulated);
		ms_run_free(&sampled);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples_find_their_cells),
		cmocka_unit_test(test_simulation_stays),
		cmocka_unit_test(test_what_only_the_timer_has_seen),
		cmocka_unit_test(test_it_is_a_run_of_its_own),
		cmocka_unit_test(test_names_stay_unique),
		cmocka_unit_test(test_several_processors),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
