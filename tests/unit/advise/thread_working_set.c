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

static const char none[] =
	"No finding. The program waits for memory in 73% of its time; no remedy that memspy looked "
	"for is predicted to gain 3% or more. Not looked for: loop order, blocking, fusion of "
	"loops, working set of successive loops, padding against conflicts, hot and cold members, "
	"structure of arrays, lines of which less than half is used, pointer chasing, gather, "
	"streaming stores, huge pages (several processors are simulated; memspy run --processors 1 "
	"PROGRAM looks for them).\n";

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

/* Half of the second level has 512 KiB; elements are records of 128 bytes, and the parallel loop of
 * OpenMP is a function that cannot be called. */
static void snippets_count_elements(void **state)
{
	static const struct {
		const char *function, *snippet;
	} functions[] = {
		{ "work", "for (first = begin; first < end; first += 4096) /* 512 KiB each */\n"
			  "        work(&level[first], 4096);\n" },
		{ "main._omp_fn.0",
		  "for (first = begin; first < end; first += 4096) /* 512 KiB each */\n"
		  "        for (i = first; i < min(first + 4096, end); i++)\n"
		  "                ... level[i] ...\n" },
	};
	const struct advise_data data = { .name = "record.level",
					  .type = "record",
					  .size = 4,
					  .references = 20,
					  .misses = { 20, 18, 1 },
					  .bytes = MIB(32),
					  .used = 8 };

	(void)state;
	for (size_t i = 0; i < MS_COUNT(functions); i++) {
		struct ms_advise advise;
		struct ms_summary s;
		struct ms_run run;

		advise_run(&run, 50, &data, 1);
		add_use(&run, &cases[0]);
		run.codes.at[0].name = functions[i].function;
		SAMPLE_ADD(&run.members, (struct ms_run_member){ 0, 0, 4, 128, "key", "int" });
		assert_int_equal(ms_summary_make(&s, &run, NULL, NULL, NULL), MS_OK);
		ms_advise_make(&advise, &s);
		assert_int_equal(advise.at.n, 1);
		assert_string_equal(advise.at.at[0].snippet, functions[i].snippet);
		ms_advise_free(&advise);
		ms_summary_free(&s);
		ms_run_free(&run);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(snippets_count_elements),
		cmocka_unit_test(parts_larger_than_private_caches_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
