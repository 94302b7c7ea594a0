/* Loops that use the same data one after the other: when one loop is advised. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "unit/advise/advise_run.h"

#define MIB(n) ((uint64_t)(n) << 20)

static const struct advise_data stream = {
	.name = "double.value",
	.type = "double",
	.dependence = MS_RUN_DEPENDENCE_AFFINE,
	.size = 8,
	.references = 64,
	.misses = { 8, 8, 8 },
	.exposed = 0,
	.prefetched = 1,
	.bytes = MIB(64),
};

struct second_loop {
	const char *what;
	uint32_t line;       /* the first loop is at line 10 */
	double compute;      /* cycles for each cache line */
	double share;        /* of its misses that are on lines of the first loop */
	uint32_t log2_bytes; /* in between */
	const char *findings;
};

/* The first loop computes 80 million cycles; both fetch 8 million lines. */
static const struct second_loop cases[] = {
	{ "light loops become one", 20, 10, 1, 26, "fusion double.value 0.50\n" },
	{ "most of its lines are those of the first", 20, 10, 0.6, 26,
	  "fusion double.value 0.30\n" },
	{ "few of its lines are those of the first", 20, 10, 0.4, 26, "" },
	{ "the data stays in the last level", 20, 10, 1, 20, "" },
	{ "an earlier line: the next round of an outer loop", 5, 10, 1, 26, "" },
	{ "what it computes remains", 20, 2000, 1, 26, "" },
};

static void add_second_loop(struct ms_run *run, const struct second_loop *loop)
{
	uint64_t lines = 8000000, cycles = (uint64_t)(loop->compute * (double)lines);

	run->compute_cycles += cycles;
	SAMPLE_ADD(&run->lines, (struct ms_run_line){ .code = 0,
						      .file = "/home/u/p.c",
						      .line = loop->line,
						      .instructions = 4 * cycles,
						      .cycles = cycles });
	SAMPLE_ADD(&run->sites, (struct ms_run_site){ 1, MS_SITE_READ, 8, 0x200, NULL });
	SAMPLE_ADD(&run->cells,
		   (struct ms_run_cell){ .site = 1, .data = 0, .references = 8 * lines });
	run->cells.at[1].dependences[MS_RUN_DEPENDENCE_AFFINE] = lines;
	for (uint32_t level = 0; level < 3; level++)
		SAMPLE_ADD(&run->misses, (struct ms_run_miss){ .cell = 1,
							       .level = level,
							       .causes = { 0, lines, 0 } });
	SAMPLE_ADD(&run->reuses, (struct ms_run_reuse){ .data = 0,
							.from_line = 0,
							.to_line = 1,
							.count = loop->share * (double)lines,
							.log2_bytes = loop->share * (double)lines *
								      loop->log2_bytes });
}

static void loops_that_fetch_the_same_lines_become_one(void **state)
{
	int failed = 0;

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		struct ms_run run;

		advise_run(&run, 80, &stream, 1);
		add_second_loop(&run, &cases[i]);
		const char *found = advise_findings(&run);
		bool is_none = strncmp(found, "fusion", 6) != 0;

		if (*cases[i].findings == 0 ? !is_none : strcmp(found, cases[i].findings) != 0) {
			print_message("%s: %s", cases[i].what, found);
			failed++;
		}
		ms_run_free(&run);
	}
	assert_int_equal(failed, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loops_that_fetch_the_same_lines_become_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
