/* Parts of data that are too large for the caches of each thread's processor, and those that are
 * not. */
#include "unit/advise/advise_run.h"

#define MIB(n) ((uint64_t)(n) << 20)

/* Of two processors whose second level has 1 MiB: what differs from parts of 16 MiB that each uses
 * in no order. */
struct part_case {
	const char *what;
	double used;        /* bytes of a line */
	unsigned fits_bits; /* the smallest cache that holds all, of both */
	double reused;      /* millions of misses on lines that the same processor used before */
	uint32_t second_processor;
	uint32_t ipc_milli; /* 0: an in-order core, whose misses do not overlap */
	const char *findings;
};

static const char none[] = "No finding. The program waits for memory in 73% of its time; no remedy "
			   "that memspy knows is predicted to gain 3% or more.\n";

static const struct part_case cases[] = {
	{ "parts of 16 MiB", 8, 25, 19, 1, 4000, "thread-working-set uint32_t.level 0.33\n" },
	{ "misses do not overlap", 8, 25, 19, 1, 0, "thread-working-set uint32_t.level 0.63\n" },
	{ "lines are used as a whole: a stream", 48, 25, 19, 1, 4000, none },
	{ "parts of 1 MiB, which fit", 8, 21, 19, 1, 4000, none },
	{ "parts of 256 MiB", 8, 29, 19, 1, 4000, none },
	{ "processors use the same lines", 8, 25, 10, 1, 4000, none },
	{ "one processor uses all", 8, 25, 19, 0, 4000, none },
};

static void add_use(struct ms_run *run, const struct part_case *c)
{
	const struct ms_run_cell whole = run->cells.at[0];
	const size_t misses = run->misses.n;

	run->processors = 2;
	run->instructions = 1000000000; /* each a cycle */
	run->core = MS_RUN_IN_ORDER;
	run->ipc_milli = c->ipc_milli;
	SAMPLE_ADD(&run->cells, whole);
	run->cells.at[1].processor = c->second_processor;
	for (size_t i = 0; i < misses; i++) {
		SAMPLE_ADD(&run->misses, run->misses.at[i]);
		run->misses.at[misses + i].cell = 1;
	}
	for (uint32_t bits = 12; bits < 28; bits++)
		SAMPLE_ADD(&run->curves,
			   (struct ms_run_curve){ .data = 0,
						  .size_bits = bits,
						  .misses = bits < c->fits_bits ? 40e6 : 1e6 });
	SAMPLE_ADD(&run->reuses, (struct ms_run_reuse){ .data = 0,
							.from_line = 0,
							.to_line = 0,
							.count = 2e6 * c->reused,
							.log2_bytes = 2e6 * c->reused * 24 });
}

static void parts_larger_than_private_caches_are_found(void **state)
{
	int failed = 0;

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		const struct advise_data data = {
			.name = "uint32_t.level",
			.type = "uint32_t",
			.size = 4,
			.references = 20,
			.misses = { 20, 18, 1 },
			.bytes = MIB(32),
			.used = cases[i].used,
		};
		struct ms_run run;

		advise_run(&run, 50, &data, 1);
		add_use(&run, &cases[i]);
		const char *found = advise_findings(&run);

		if (strcmp(found, cases[i].findings) != 0) {
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
		cmocka_unit_test(parts_larger_than_private_caches_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
