/* Findings follow from the figures of a run: each kind from its own, and none from others. */
#include "unit/advise/advise_run.h"

#define MIB(n) ((uint64_t)(n) << 20)

/* A list in random order: each miss waits for the one before. */
static const struct advise_data list = {
	.name = "node.list",
	.type = "node",
	.dependence = MS_RUN_DEPENDENCE_CHAINED,
	.size = 8,
	.references = 2,
	.misses = { 1, 1, 1 },
	.exposed = 0.9,
	.bytes = MIB(16),
};

/* The same, with page walks. */
static const struct advise_data scattered_list = {
	.name = "node.list",
	.type = "node",
	.dependence = MS_RUN_DEPENDENCE_CHAINED,
	.size = 8,
	.references = 2,
	.misses = { 1, 1, 1 },
	.exposed = 0.9,
	.walks = 3,
	.bytes = MIB(16),
};

static const struct advise_data tree = {
	.name = "node.tree",
	.type = "node",
	.dependence = MS_RUN_DEPENDENCE_CHAINED,
	.size = 8,
	.references = 20,
	.misses = { 2, 1, 1 },
	.exposed = 0.9,
	.bytes = MIB(16),
};

static const struct advise_data table = {
	.name = "double.table",
	.type = "double",
	.dependence = MS_RUN_DEPENDENCE_LED,
	.size = 8,
	.references = 2,
	.misses = { 2, 2, 1.5 },
	.exposed = 0.3,
	.bytes = MIB(64),
};

/* The last level has all of it. */
static const struct advise_data near_table = {
	.name = "double.table",
	.type = "double",
	.dependence = MS_RUN_DEPENDENCE_LED,
	.size = 8,
	.references = 8,
	.misses = { 8, 8, 0 },
	.exposed = 0.5,
	.bytes = MIB(8),
};

static const struct advise_data random_pages = {
	.name = "double.pages",
	.type = "double",
	.dependence = MS_RUN_DEPENDENCE_AFFINE,
	.size = 8,
	.references = 2,
	.misses = { 2, 2, 2 },
	.exposed = 0.01,
	.walks = 10,
	.bytes = MIB(256),
};

/* 8 bytes of each line are used at a time, and the line comes from L2 for the next 8. */
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

/* The same, of the first elements of each row only. */
static const struct advise_data row_heads = {
	.name = "double.heads",
	.type = "double",
	.dependence = MS_RUN_DEPENDENCE_AFFINE,
	.size = 8,
	.references = 16,
	.misses = { 16, 2, 2 },
	.exposed = 0.3,
	.bytes = MIB(64),
	.touched = MIB(1),
};

/* Rows whose pitch is a power of two: the second level has all of them. */
static const struct advise_data rows = {
	.name = "float.rows",
	.type = "float",
	.dependence = MS_RUN_DEPENDENCE_AFFINE,
	.size = 4,
	.references = 100,
	.misses = { 100, 0.01, 0.01 },
	.exposed = 0.1,
	.bytes = MIB(1) / 2,
	.touched = 4096,
	.conflicts = 0.95,
};

static const struct advise_data stream = {
	.name = "double.rows",
	.type = "double",
	.dependence = MS_RUN_DEPENDENCE_AFFINE,
	.size = 8,
	.references = 16,
	.misses = { 2, 2, 2 },
	.exposed = 0.02,
	.prefetched = 0.9,
	.bytes = MIB(64),
};

/* A row that stays in the first level. */
static const struct advise_data resident = {
	.name = "double.row",
	.type = "double",
	.dependence = MS_RUN_DEPENDENCE_AFFINE,
	.size = 8,
	.references = 16,
	.misses = { 0.01, 0.01, 0.01 },
	.prefetched = 0.9,
	.bytes = 24000,
};

static const struct advise_data particles = {
	.name = "particle.all",
	.type = "particle",
	.dependence = MS_RUN_DEPENDENCE_AFFINE,
	.size = 4,
	.references = 16,
	.misses = { 8, 8, 8 },
	.exposed = 0.1,
	.prefetched = 0.9,
	.bytes = MIB(32),
};

static const struct advise_data customers = {
	.name = "customer.all",
	.type = "customer",
	.dependence = MS_RUN_DEPENDENCE_AFFINE,
	.size = 4,
	.references = 8,
	.misses = { 8, 8, 8 },
	.exposed = 0.1,
	.bytes = MIB(64),
};

/* Most bytes of each line are used. */
static const struct advise_data whole_records = {
	.name = "body.all",
	.type = "body",
	.dependence = MS_RUN_DEPENDENCE_AFFINE,
	.size = 8,
	.references = 48,
	.misses = { 8, 8, 8 },
	.exposed = 0.1,
	.prefetched = 0.9,
	.bytes = MIB(64),
};

static const struct {
	const char *what;
	double compute;
	struct advise_data data[3];
	size_t n;
	const char *findings;
} cases[] = {
	{ "a list is laid out in the order of its traversal",
	  10,
	  { list },
	  1,
	  "pointer-chasing node.list 0.97\n" },
	{ "page walks vanish with the layout: huge pages are not advised, too",
	  10,
	  { scattered_list },
	  1,
	  "pointer-chasing node.list 0.98\n" },
	{ "lookups in a tree proceed together",
	  50,
	  { tree },
	  1,
	  "pointer-chasing node.tree 0.60\n" },
	{ "a gather is sorted", 50, { table }, 1, "gather double.table 0.65\n" },
	{ "in the order of memory, no latency remains",
	  5,
	  { near_table },
	  1,
	  "gather double.table 0.83\n" },
	{ "walks need huge pages, and latencies remain",
	  50,
	  { random_pages },
	  1,
	  "huge-pages double.pages 0.88\n" },
	{ "columns: the loops are exchanged",
	  50,
	  { columns, resident },
	  2,
	  "loop-order double.matrix 0.83\n" },
	{ "rows that are not used as a whole have no better order",
	  50,
	  { row_heads },
	  1,
	  "No finding. The program waits for memory in 83% of its time; no remedy that memspy "
	  "knows "
	  "is predicted to gain 3% or more.\n" },
	{ "a transposition is tiled", 50, { columns, stream }, 2, "blocking double.matrix 0.79\n" },
	{ "rows that share sets are padded", 50, { rows }, 1, "padding float.rows 0.63\n" },
	{ "small records become arrays", 50, { particles }, 1, "soa particle.all 0.84\n" },
	{ "cold members of large records move away",
	  50,
	  { customers },
	  1,
	  "split customer.all 0.68\n" },
	{ "a stream that computes has no finding",
	  100,
	  { stream },
	  1,
	  "No finding. The program waits for memory in 12% of its time; no remedy that memspy "
	  "knows "
	  "is predicted to gain 3% or more.\n" },
	{ "records that are used as a whole stay",
	  50,
	  { whole_records },
	  1,
	  "No finding. The program waits for memory in 84% of its time; no remedy that memspy "
	  "knows "
	  "is predicted to gain 3% or more.\n" },
	{ "compute bound",
	  20000,
	  { list },
	  1,
	  "Nothing to gain: compute bound. The program waits for memory in 2% of its time.\n" },
	{ "what hangs on a chain has no finding of its own",
	  10,
	  { table, list },
	  2,
	  "pointer-chasing node.list 0.98\n" },
};

static void each_kind_follows_from_its_figures(void **state)
{
	int failed = 0;

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		struct ms_run run;

		advise_run(&run, cases[i].compute, cases[i].data, cases[i].n);
		const char *found = advise_findings(&run);

		if (strcmp(found, cases[i].findings) != 0) {
			print_message("%s: %s", cases[i].what, found);
			failed++;
		}
		ms_run_free(&run);
	}
	assert_int_equal(failed, 0);
}

/* malloc() takes as long as the program itself. */
static void add_allocator(struct ms_run *run, const char *module)
{
	uint32_t code = (uint32_t)run->codes.n;

	SAMPLE_ADD(&run->codes, (struct ms_run_code){ "malloc", module, NULL, 0, 0x9000 });
	SAMPLE_ADD(&run->lines, (struct ms_run_line){ .code = code,
						      .instructions = 400000000,
						      .cycles = 100000000 });
	run->compute_cycles += 100000000;
}

static void many_small_objects_need_fewer_allocations(void **state)
{
	static const struct {
		const char *module;
		uint64_t objects;
		const char *findings;
	} allocators[] = {
		{ "/lib/libc.so.6", 1000000, "allocation double.row 0.47\n" },
		{ "/lib/libc.so.6", 100, "Nothing to gain: compute bound. " },
		{ "/home/u/p", 1000000, "Nothing to gain: compute bound. " },
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(allocators); i++) {
		struct advise_data data = resident;
		struct ms_run run;

		data.objects = allocators[i].objects;
		advise_run(&run, 100, &data, 1);
		add_allocator(&run, allocators[i].module);
		assert_non_null(strstr(advise_findings(&run), allocators[i].findings));
		ms_run_free(&run);
	}
}

static const char *find_allocation_remedy(struct ms_run *run)
{
	const char *remedy = "none";
	struct ms_advise advise;
	struct ms_summary s;

	assert_int_equal(ms_summary_make(&s, run, NULL, NULL, NULL), MS_OK);
	ms_advise_make(&advise, &s);
	for (size_t i = 0; i < advise.at.n; i++)
		if (advise.at.at[i].kind == MS_ADVISE_ALLOCATION)
			remedy = ms_arena_strdup(&run->arena, advise.at.at[i].remedy);
	ms_advise_free(&advise);
	ms_summary_free(&s);
	return remedy;
}

static void objects_that_exist_together_are_not_declared_before_the_loop(void **state)
{
	(void)state;
	for (int kept = 0; kept <= 1; kept++) {
		struct advise_data data = resident;
		struct ms_run run;

		data.objects = 1000000;
		advise_run(&run, 100, &data, 1);
		add_allocator(&run, "/lib/libc.so.6");
		if (!kept)
			run.data.at[0].peak_bytes /= 100;
		const char *remedy = find_allocation_remedy(&run);

		assert_int_equal(strstr(remedy, "before the loop") != NULL, !kept);
		assert_non_null(strstr(remedy, "pool"));
		ms_run_free(&run);
	}
}

/* In-order cores charge all latencies, and their front-ends may not describe registers. */
static void without_dependences_there_is_no_finding_about_them(void **state)
{
	struct ms_run run;

	(void)state;
	sample_run(&run);
	assert_non_null(strstr(advise_findings(&run), "No finding. "));
	ms_run_free(&run);
}

static void allocations_are_placed_in_the_code_of_the_user(void **state)
{
	static const char *const libraries[] = { "/rustc/79e9716c98/library/alloc/src/alloc.rs",
						 "/usr/include/c++/12/bits/new_allocator.h" };

	(void)state;
	for (size_t i = 0; i < MS_COUNT(libraries); i++) {
		struct advise_data data = resident;
		struct ms_run run;

		data.objects = 1000000;
		advise_run(&run, 100, &data, 1);
		add_allocator(&run, "/lib/libc.so.6");
		SAMPLE_ADD(&run.frames, (struct ms_run_frame){ .function = "allocate",
							       .file = libraries[i],
							       .line = 95 });
		SAMPLE_ADD(&run.frames, (struct ms_run_frame){ .function = "graph::build",
							       .file = "/home/u/main.rs",
							       .line = 7 });
		assert_non_null(
			strstr(find_allocation_remedy(&run), " in graph::build (main.rs:7)"));
		ms_run_free(&run);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_follows_from_its_figures),
		cmocka_unit_test(many_small_objects_need_fewer_allocations),
		cmocka_unit_test(allocations_are_placed_in_the_code_of_the_user),
		cmocka_unit_test(objects_that_exist_together_are_not_declared_before_the_loop),
		cmocka_unit_test(without_dependences_there_is_no_finding_about_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
