/* The kernel's time for page faults counts, and lines of code without the problem do not. */
#include "unit/advise/advise_run.h"

#define MIB(n) ((uint64_t)(n) << 20)

static const struct advise_data random_pages = {
	.name = "double.pages",
	.type = "double",
	.dependence = MS_RUN_DEPENDENCE_AFFINE,
	.size = 8,
	.references = 2,
	.misses = { 2, 2, 2 },
	.exposed = 0.01,
	.walks = 1,
	.bytes = MIB(100),
};

static const struct advise_data columns = {
	.name = "double.matrix",
	.type = "double",
	.dependence = MS_RUN_DEPENDENCE_AFFINE,
	.size = 8,
	.references = 16,
	.misses = { 16, 2, 2 },
	.exposed = 0.3,
	.bytes = MIB(64),
};

/* 25600 pages of 1 us are 77 million cycles at 3 GHz; huge pages save 0.6 of them. */
static void first_uses_of_pages_take_time_that_huge_pages_save(void **state)
{
	static const struct {
		uint32_t clock_mhz;
		const char *findings;
	} clocks[] = {
		{ 0, "huge-pages double.pages 0.41\n" },
		{ 3000, "huge-pages double.pages 0.50\n" },
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(clocks); i++) {
		struct ms_run run;

		advise_run(&run, 50, &random_pages, 1);
		run.clock_mhz = clocks[i].clock_mhz;
		assert_string_equal(advise_findings(&run), clocks[i].findings);
		ms_run_free(&run);
	}
}

/* The cell of the data moves to a line of code of its own. */
static void move_to_line(struct ms_run *run, size_t cell, const char *data_of)
{
	uint32_t data = 0;

	while (strcmp(run->data.at[data].name, data_of) != 0)
		data++;
	SAMPLE_ADD(&run->lines,
		   (struct ms_run_line){ .code = 0, .file = "/home/u/p.c", .line = 20 });
	run->sites.at[run->cells.at[cell].site].line = (uint32_t)run->lines.n - 1;
	run->cells.at[cell].data = data;
}

/* Its loop over rows stalls as long as the one over columns, and has nothing to gain. */
static void lines_that_walk_along_rows_do_not_count_for_loop_order(void **state)
{
	struct advise_data both[] = { columns, columns };
	struct ms_run run;

	(void)state;
	both[1].name = "double.other";
	both[1].misses[0] = 2;
	both[1].exposed = 0.9;
	advise_run(&run, 50, both, 2);
	move_to_line(&run, 1, "double.matrix");
	run.data.n = 1;
	assert_string_equal(advise_findings(&run), "loop-order double.matrix 0.27\n");
	ms_run_free(&run);
}

/* Another function, with compute time and half of the stall. */
static void add_polling(struct ms_run *run, const char *name, const char *module)
{
	SAMPLE_ADD(&run->codes, (struct ms_run_code){ .name = name, .module = module });
	move_to_line(run, 1, "double.pages");
	run->lines.at[1].code = 1;
	run->lines.at[1].cycles = 900000000;
	run->compute_cycles += 900000000;
	run->data.n = 1;
}

/* 34 of 84 million cycles; the polling of MPI is no part of them. */
static void polling_of_mpi_is_no_time_that_a_remedy_saves(void **state)
{
	static const struct {
		const char *name, *module, *findings;
	} cases[] = {
		{ "opal_progress", "/lib/libopen-pal.so.80", "huge-pages double.pages 0.41\n" },
		{ "<MPI waiting>", "<MPI waiting>", "huge-pages double.pages 0.41\n" },
		{ "poll", "/home/u/p",
		  "Nothing to gain: compute bound. The program waits for memory in 9% of its "
		  "time.\n" },
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		const struct advise_data both[] = { random_pages, random_pages };
		struct ms_run run;

		advise_run(&run, 50, both, 2);
		add_polling(&run, cases[i].name, cases[i].module);
		assert_string_equal(advise_findings(&run), cases[i].findings);
		ms_run_free(&run);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_uses_of_pages_take_time_that_huge_pages_save),
		cmocka_unit_test(lines_that_walk_along_rows_do_not_count_for_loop_order),
		cmocka_unit_test(polling_of_mpi_is_no_time_that_a_remedy_saves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
