/* Lines of source: sums, order, inlined code, choices, limits; everything adds up for any run. */
#include "unit/sample_run.h"

#include "analysis/source_lines/lines.h"
#include "analysis/summary/rounded_shares.h"

static const struct ms_lines_wanted everything = { NULL, 0, NULL, 0, NULL };

static void make(struct ms_lines *l, const struct ms_run *run, const char *latency)
{
	assert_int_equal(ms_lines_make(l, run, &everything, latency, NULL), MS_OK);
}

static void test_sums(void **state)
{
	struct ms_run run;
	struct ms_lines l;

	(void)state;
	sample_run(&run);
	make(&l, &run, NULL);
	assert_int_equal(l.files.n, 1);
	assert_string_equal(l.files.at[0].path, "/home/u/src/matmul.c");
	assert_string_equal(l.files.at[0].module, "/home/u/matmul");
	assert_int_equal(l.files.at[0].n, 4);
	assert_int_equal(ms_summary_rw_sum(l.files.at[0].counts.stall), 114143700);
	assert_int_equal(l.files.at[0].counts.instructions, 59900000);

	static const uint32_t numbers[] = { 14, 29, 31, 44 };
	for (size_t i = 0; i < MS_COUNT(numbers); i++)
		assert_int_equal(l.lines.at[i].number, numbers[i]);
	const struct ms_lines_line *hot = &l.lines.at[2];
	assert_int_equal(ms_summary_rw_sum(hot->counts.stall), 105800000);
	assert_int_equal(hot->counts.references[MS_READS], 19320000);
	assert_int_equal(ms_summary_rw_sum(hot->counts.levels[0].misses), 9410000);
	assert_int_equal(ms_summary_rw_sum(hot->counts.levels[1].misses), 130000);
	assert_int_equal(hot->counts.levels[1].causes[MS_CAUSE_FIRST], 10000);
	assert_int_equal(hot->data.at.n, 2);
	assert_int_equal(hot->data.at.at[0].of, SAMPLE_Y);
	assert_int_equal(ms_summary_rw_sum(hot->data.at.at[0].counts.stall), 97000000);
	assert_int_equal(hot->data.at.at[1].of, SAMPLE_Z);
	assert_int_equal(hot->code.at.n, 1);
	assert_int_equal(hot->inlined_into.n, 0);
	/* Equal stall, equal misses: the name decides. */
	assert_int_equal(l.lines.at[3].data.at.at[0].of, SAMPLE_X);

	assert_int_equal(ms_summary_rw_sum(l.unknown.counts.stall), 62500);
	assert_int_equal(l.unknown.counts.instructions, 100000);
	assert_int_equal(l.unknown.code.at.at[0].of, SAMPLE_MEMCPY);
	assert_true(ms_summary_counts_empty(&l.other));
	ms_lines_free(&l);
	ms_run_free(&run);
}

/* One line, two functions (as templates have), and copies of it in others. */
static void test_inlined(void **state)
{
	static const char f[] = "/src/a.h";
	struct ms_run run;
	struct ms_lines l;

	(void)state;
	sample_head(&run);
	SAMPLE_ADD(&run.codes, (struct ms_run_code){ "get<int>", "/bin/p", f, 3, 0 });
	SAMPLE_ADD(&run.codes, (struct ms_run_code){ "get<long>", "/bin/p", f, 3, 8 });
	SAMPLE_ADD(&run.lines, (struct ms_run_line){ .file = f, .line = 4, .instructions = 10 });
	SAMPLE_ADD(&run.lines,
		   (struct ms_run_line){ .code = 1, .file = f, .line = 4, .instructions = 20 });
	SAMPLE_ADD(&run.data, (struct ms_run_data){ .name = "d", .full_name = "d" });
	static const char *const chains[] = {
		"get<int> (a.h:4) < sum (a.c:9) < main (a.c:20)",
		"get<int> (a.h:4) < main (a.c:21)",
		"bool operator< <int> (b.h:1) < get<int> (a.h:4)",         /* not beside its own */
		"operator< (b.h:1) < f(int (*)(int), g < h) (a (1).c:20)", /* strange names */
		"get<int> (a.h:4)",
		NULL,
	};
	for (uint32_t i = 0; i < MS_COUNT(chains); i++) {
		SAMPLE_ADD(&run.sites, (struct ms_run_site){ 0, MS_SITE_READ, 8, i, chains[i] });
		SAMPLE_ADD(&run.cells, (struct ms_run_cell){ .site = i, .references = 1 });
	}
	SAMPLE_ADD(&run.sites, (struct ms_run_site){ 1, MS_SITE_WRITE, 8, 9, NULL });
	SAMPLE_ADD(&run.cells, (struct ms_run_cell){ .site = MS_COUNT(chains), .references = 70 });
	make(&l, &run, NULL);
	assert_int_equal(l.lines.n, 1);
	const struct ms_lines_line *line = &l.lines.at[0];
	assert_int_equal(ms_summary_rw_sum(line->counts.references), 76);
	assert_int_equal(line->counts.instructions, 30);
	assert_int_equal(line->code.at.n, 2);
	assert_int_equal(line->code.at.at[0].of, 1);
	assert_int_equal(line->code.at.at[0].counts.references[MS_WRITES], 70);
	assert_int_equal(line->code.at.at[1].counts.instructions, 10);
	assert_int_equal(line->inlined_into.n, 2);
	assert_string_equal(line->inlined_into.at[0], "f(int (*)(int), g < h) (a");
	assert_string_equal(line->inlined_into.at[1], "main");
	assert_int_equal(l.unknown.counts.instructions, run.instructions - 30);
	ms_lines_free(&l);
	ms_run_free(&run);
}

static void test_files(void **state)
{
	static const char *const paths[] = { "/a/src/x.c", "/a/lib/x.c", "/a/src/[y].c", "z.c" };
	static const struct {
		const char *name;
		int code;
		const char *chosen; /* a letter per file */
	} cases[] = {
		{ "/a/src/x.c", MS_OK, "s---" }, { "x.c", MS_OK, "sl--" },
		{ "src/x.c", MS_OK, "s---" },    { "z.c", MS_OK, "---z" },
		{ "rc/x.c", MS_OK, "s---" },     { "*.c", MS_OK, "slyz" },
		{ "/a/s*", MS_OK, "s-y-" },      { "[y].c", MS_OK, "--y-" },
		{ "lib/?.c", MS_OK, "-l--" },    { "src", MS_EUSAGE, NULL },
		{ "w.c", MS_ENOENT, NULL },      { "", MS_ENOENT, NULL },
		{ "*.h", MS_ENOENT, NULL },
	};
	struct ms_err err;

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		struct ms_run run;
		struct ms_lines l;
		size_t n = 0;

		sample_run(&run);
		for (size_t k = 0; k < MS_COUNT(paths); k++)
			run.lines.at[k].file = paths[k];
		int code = ms_lines_make(
			&l, &run, &(struct ms_lines_wanted){ NULL, 0, &cases[i].name, 1, NULL },
			NULL, &err);
		assert_int_equal(code, cases[i].code);
		for (size_t k = 0; code == MS_OK && k < MS_COUNT(paths); k++) {
			bool there = false;

			for (size_t f = 0; f < l.files.n; f++)
				there |= strcmp(l.files.at[f].path, paths[k]) == 0;
			assert_int_equal(there, cases[i].chosen[k] != '-');
			n += there;
		}
		if (code == MS_OK) {
			assert_int_equal(n, l.files.n);
			assert_int_equal(ms_summary_rw_sum(l.unknown.counts.references), 0);
			ms_lines_free(&l);
		}
		ms_run_free(&run);
	}
	assert_string_equal(err.text,
			    "there is no source file \"*.h\" in this run; there are /a/src/x.c, "
			    "/a/lib/x.c, /a/src/[y].c, z.c");
}

static void test_code(void **state)
{
	const char *const names[] = { "main", "mem*" }, *const wrong[] = { "nothing" };
	struct ms_run run;
	struct ms_lines l;

	(void)state;
	sample_run(&run);
	assert_int_equal(ms_lines_make(&l, &run,
				       &(struct ms_lines_wanted){ names, 2, NULL, 0, NULL }, NULL,
				       NULL),
			 MS_OK);
	assert_int_equal(l.lines.n, 1);
	assert_int_equal(l.lines.at[0].number, 44);
	assert_int_equal(ms_summary_rw_sum(l.unknown.counts.stall), 62500);
	assert_int_equal(ms_summary_rw_sum(l.other.stall), 114206200 - 62500 - 2175800);
	assert_int_equal(l.other.instructions, 60000000 - 8000000 - 100000);
	ms_lines_free(&l);
	assert_int_equal(ms_lines_make(&l, &run,
				       &(struct ms_lines_wanted){ wrong, 1, NULL, 0, NULL }, NULL,
				       NULL),
			 MS_ENOENT);
	assert_int_equal(ms_lines_make(&l, &run, &everything, "L9=1", NULL), MS_EUSAGE);
	ms_run_free(&run);
}

static void test_limits(void **state)
{
	static const struct {
		struct ms_lines_limits limits;
		const char *seen; /* of lines 14 29 31 44: hot, near, or not */
		uint32_t rest;    /* tenths of the file's rest */
	} cases[] = {
		{ { .top = 12, .threshold = 0.001 }, "hhhh", 0 },
		{ { .top = 1, .threshold = 0.001 }, "--h-", 73 },
		{ { .top = 1, .context = 1 }, "--h-", 73 },
		{ { .top = 1, .context = 2 }, "-nh-", 28 },
		{ { .top = 1, .context = 13 }, "-nhn", 9 },
		{ { .top = 1, .context = SIZE_MAX }, "nnhn", 0 },
		{ { .top = 9, .threshold = 0.02 }, "-hh-", 28 },
		{ { .top = 1, .whole_files = true }, "nnhn", 0 },
		{ { .top = 1, .threshold = 1 }, "----", 0 },
		{ { .everything = true }, "hhhh", 0 },
	};
	struct ms_run run;
	struct ms_lines l;

	(void)state;
	sample_run(&run);
	make(&l, &run, NULL);
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		ms_lines_limit(&l, cases[i].limits);
		for (size_t k = 0; k < l.lines.n; k++) {
			assert_int_equal(l.lines.at[k].hot, cases[i].seen[k] == 'h');
			assert_int_equal(l.lines.at[k].shown, cases[i].seen[k] != '-');
		}
		assert_in_range(l.files.at[0].rest.tenths, cases[i].rest, cases[i].rest + 1);
		bool none = strcmp(cases[i].seen, "----") == 0;
		assert_int_equal(l.files.at[0].shown, !none);
		assert_int_equal(l.rest.files, none);
		assert_int_equal(l.rest.lines, none ? 4 : 0);
	}
	ms_lines_free(&l);
	ms_run_free(&run);
}

/* --- random runs --- */

static void spread(struct ms_run *run, uint64_t seed)
{
	static const char *const files[] = { "/a/x.c", "/a/y.c", "/b/x.c", NULL };
	uint64_t random = seed;

	for (size_t i = 0; i < run->lines.n; i++) {
		run->lines.at[i].file = files[sample_random(&random) % MS_COUNT(files)];
		run->lines.at[i].line = (uint32_t)(sample_random(&random) % 40);
	}
}

static void add(uint64_t sums[4], const struct ms_summary_counts *c)
{
	sums[0] += ms_summary_rw_sum(c->stall);
	sums[1] += ms_summary_rw_sum(c->references);
	sums[2] += ms_summary_rw_sum(c->levels[1].misses);
	sums[3] += c->instructions;
}

static void check_parts(const struct ms_lines_line *line)
{
	uint64_t whole[4] = { 0 }, code[4] = { 0 }, data[4] = { 0 };

	add(whole, &line->counts);
	for (size_t i = 0; i < line->code.at.n; i++)
		add(code, &line->code.at.at[i].counts);
	for (size_t i = 0; i < line->data.at.n; i++)
		add(data, &line->data.at.at[i].counts);
	assert_memory_equal(whole, code, 3 * sizeof(*whole));
	assert_memory_equal(whole, data, 3 * sizeof(*whole));
}

static void check_sums(const struct ms_lines *l)
{
	uint64_t sums[4] = { 0 }, whole[4] = { 0 };
	uint32_t tenths = l->rest.tenths + l->unknown.tenths + l->other_tenths;

	add(whole, &l->whole.total.counts);
	whole[3] = l->whole.run->instructions;
	for (size_t f = 0; f < l->files.n; f++) {
		const struct ms_lines_file *file = &l->files.at[f];
		uint32_t in_file = file->rest.tenths;

		if (!file->shown)
			continue;
		for (size_t i = file->first; i < file->first + file->n; i++) {
			const struct ms_lines_line *line = &l->lines.at[i];

			assert_int_equal(line->file, f);
			assert_true(i == file->first || line[-1].number < line->number);
			check_parts(line);
			if (line->shown) {
				add(sums, &line->counts);
				in_file += line->tenths;
			}
		}
		add(sums, &file->rest.counts);
		assert_int_equal(in_file, file->tenths);
		tenths += in_file;
	}
	add(sums, &l->rest.counts);
	add(sums, &l->unknown.counts);
	add(sums, &l->other);
	assert_memory_equal(sums, whole, sizeof(sums));
	assert_int_equal(tenths, ms_lines_weight(l, &l->whole.total.counts) ? MS_WHOLE : 0);
}

static void test_random_runs_add_up(void **state)
{
	static const char *const code[] = { "*1*" }, *const file[] = { "/a/*" };

	(void)state;
	for (uint64_t seed = 1; seed < 150; seed++) {
		struct ms_run run;
		struct ms_lines l;
		struct ms_lines_wanted wanted = { code, seed % 2, file, seed / 2 % 2, NULL };
		const char *latency = seed % 7 == 0 ? "L2=0,memory=0" : NULL;

		sample_random_run(&run, seed, 2 + seed % 60, 1 + seed % 23, (uint32_t)(seed * 5));
		spread(&run, seed);
		if (ms_lines_make(&l, &run, &wanted, latency, NULL) != MS_OK) {
			ms_run_free(&run); /* too small for /a/ */
			continue;
		}
		assert_int_equal(l.by_references, latency != NULL);
		ms_lines_limit(&l, (struct ms_lines_limits){ .top = 12, .threshold = 0.001 });
		check_sums(&l);
		ms_lines_limit(&l, (struct ms_lines_limits){ .top = seed % 9, .context = 3 });
		check_sums(&l);
		ms_lines_limit(&l, (struct ms_lines_limits){ .top = 2, .whole_files = true });
		check_sums(&l);
		ms_lines_limit(&l, (struct ms_lines_limits){ .everything = true });
		check_sums(&l);
		ms_lines_free(&l);
		ms_run_free(&run);
	}
}

static void test_nothing(void **state)
{
	struct ms_run run;
	struct ms_lines l;

	(void)state;
	sample_head(&run);
	make(&l, &run, NULL);
	ms_lines_limit(&l, (struct ms_lines_limits){ .top = 12 });
	assert_null(ms_lines_hottest(&l));
	assert_int_equal(l.unknown.counts.instructions, run.instructions);
	ms_lines_free(&l);
	ms_run_free(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums),    cmocka_unit_test(test_inlined),
		cmocka_unit_test(test_files),   cmocka_unit_test(test_code),
		cmocka_unit_test(test_limits),  cmocka_unit_test(test_random_runs_add_up),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
