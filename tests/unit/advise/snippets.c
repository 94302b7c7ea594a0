/* Snippets of findings: the program's own names and types, in the language of its source. */
#include "unit/advise/advise_run.h"

#define MIB(n) ((uint64_t)(n) << 20)

enum { MEMBERS = 4 }; /* of a record, at most */

/* Half of a record of 32 bytes is used, in order; and 8 bytes of records of two lines. */
static const struct advise_data particles = {
	.name = "particle.all",
	.type = "particle",
	.dependence = MS_RUN_DEPENDENCE_AFFINE,
	.size = 4,
	.references = 8,
	.misses = { 4, 4, 4 },
	.exposed = 0.2,
	.prefetched = 0.7,
	.bytes = MIB(64),
};

static const struct advise_data tasks = {
	.name = "task.all",
	.type = "task",
	.dependence = MS_RUN_DEPENDENCE_AFFINE,
	.size = 4,
	.references = 4,
	.misses = { 4, 4, 4 },
	.exposed = 0.3,
	.prefetched = 0.6,
	.bytes = MIB(64),
};

static const struct advise_data list = {
	.name = "std::list<Item>.l (nodes)",
	.type = "std::list<Item>",
	.dependence = MS_RUN_DEPENDENCE_CHAINED,
	.size = 8,
	.references = 4,
	.misses = { 4, 4, 4 },
	.exposed = 1,
	.bytes = MIB(64),
};

static const struct ms_run_member particle_members[MEMBERS] = {
	{ 0, 0, 4, 32, "at.x", "float" },
	{ 0, 4, 4, 32, "alive", "bool" },
	{ 0, 8, 16, 32, "trace", "double[2]" },
	{ 0, 24, 8, 32, "id", "long" },
};

static const struct ms_run_member derived_members[MEMBERS] = {
	{ 0, 0, 8, 64, "Base::_vptr.Base", "__vtbl_ptr_type *" },
	{ 0, 8, 4, 64, "Base::id", "int" },
	{ 0, 12, 52, 64, "title", "char[52]" },
};

static const struct ms_run_member heir_members[MEMBERS] = {
	{ 0, 0, 4, 32, "Base::x", "float" },
	{ 0, 4, 4, 32, "at.Base::x", "float" },
	{ 0, 8, 16, 32, "trace", "double[2]" },
	{ 0, 24, 8, 32, "id", "long" },
};

static const struct ms_run_member union_members[MEMBERS] = {
	{ 0, 0, 4, 64, "state", "int" },
	{ 0, 8, 4, 64, "u", "(anonymous union)" },
	{ 0, 12, 52, 64, "title", "char[52]" },
};

static const struct ms_run_member bit_members[MEMBERS] = {
	{ 0, 0, 1, 64, "a", "unsigned int:4" },
	{ 0, 8, 2, 64, "b", "ns::word:12" },
	{ 0, 12, 52, 64, "title", "char[52]" },
};

static const struct ms_run_member task_members[MEMBERS] = {
	{ 0, 0, 8, 64, "next", "task *" },
	{ 0, 8, 4, 64, "state", "int" },
	{ 0, 12, 52, 64, "title", "char[52]" },
};

static const struct snippet_case {
	const char *file;
	const struct advise_data *data;
	const struct ms_run_member *members; /* NULL: not known */
	size_t hot;                          /* of these, the first ones */
	const char *snippet;                 /* NULL: it cannot be written */
} cases[] = {
	{ "/home/u/p.c", &particles, particle_members, 2,
	  "struct {\n"
	  "        float *at_x;\n"
	  "        bool *alive;\n"
	  "} all; /* all.at_x[i], not all[i].at.x */\n" },
	{ "/home/u/p.c", &particles, particle_members, 1,
	  "float *at_x;\n"
	  "/* at_x[i], not all[i].at.x */\n" },
	{ "/home/u/p.c", &particles, particle_members, 3,
	  "struct {\n"
	  "        float *at_x;\n"
	  "        bool *alive;\n"
	  "        double (*trace)[2];\n"
	  "} all; /* all.at_x[i], not all[i].at.x */\n" },
	{ "/home/u/p.cc", &particles, particle_members, 3,
	  "struct {\n"
	  "        std::vector<float> at_x;\n"
	  "        std::vector<char> alive;\n"
	  "        std::vector<std::array<double, 2>> trace;\n"
	  "} all; // all.at_x[i], not all[i].at.x\n" },
	{ "/home/u/p.cc", &particles, heir_members, 2,
	  "struct {\n"
	  "        std::vector<float> Base_x;\n"
	  "        std::vector<float> at_Base_x;\n"
	  "} all; // all.Base_x[i], not all[i].Base::x\n" },
	{ "/home/u/p.f90", &particles, particle_members, 3,
	  "float, allocatable :: at_x(:)\n"
	  "bool, allocatable :: alive(:)\n"
	  "double, allocatable :: trace(:, :)\n"
	  "! at_x(i), not all(i)%at.x\n" },
	{ "/home/u/p.rs", &particles, particle_members, 2,
	  "struct particleArrays {\n"
	  "        at_x: Vec<float>,\n"
	  "        alive: Vec<bool>,\n"
	  "} // all.at_x[i], not all[i].at.x\n" },
	{ "/home/u/p.c", &particles, NULL, 0,
	  "struct { T *first, *second; } all; /* all.first[i], not all[i].first */\n" },
	{ "/home/u/p.c", &tasks, task_members, 2,
	  "struct task_hot {\n"
	  "        task *next;\n"
	  "        int state;\n"
	  "};\n"
	  "struct task_cold {\n"
	  "        char title[52];\n"
	  "};\n"
	  "struct task_hot *hot; struct task_cold *cold; /* same index */\n" },
	{ "/home/u/p.cc", &tasks, derived_members, 2, NULL },
	{ "/home/u/p.cc", &tasks, union_members, 2, NULL },
	{ "/home/u/p.c", &tasks, union_members, 1,
	  "struct task_hot {\n"
	  "        int state;\n"
	  "};\n"
	  "struct task_cold {\n"
	  "        char title[52];\n"
	  "        /* 1 more */\n"
	  "};\n"
	  "struct task_hot *hot; struct task_cold *cold; /* same index */\n" },
	{ "/home/u/p.c", &tasks, bit_members, 2,
	  "struct task_hot {\n"
	  "        unsigned int a:4;\n"
	  "        ns::word b:12;\n"
	  "};\n"
	  "struct task_cold {\n"
	  "        char title[52];\n"
	  "};\n"
	  "struct task_hot *hot; struct task_cold *cold; /* same index */\n" },
	{ "/home/u/p.c", &particles, bit_members, 1,
	  "unsigned int *a;\n"
	  "/* a[i], not all[i].a */\n" },
	{ "/home/u/p.cc", &list, NULL, 0, NULL },
	{ "/home/u/p.f90", &tasks, task_members, 2,
	  "type :: task_hot\n"
	  "        task * :: next\n"
	  "        int :: state\n"
	  "end type\n"
	  "type :: task_cold\n"
	  "        char :: title(52)\n"
	  "end type\n"
	  "type(task_hot), allocatable :: hot(:)  ! same index\n"
	  "type(task_cold), allocatable :: cold(:)\n" },
};

/* Members of which the first ones have all references. */
static void add_members(struct ms_run *run, const struct snippet_case *c)
{
	for (size_t i = 0; i < MEMBERS && c->members != NULL && c->members[i].name != NULL; i++) {
		const struct ms_run_member *m = &c->members[i];

		SAMPLE_ADD(&run->members, *m);
		if (i < c->hot)
			SAMPLE_ADD(
				&run->member_accesses,
				(struct ms_run_member_access){
					.cell = 0,
					.offset = m->offset,
					.size = m->size,
					.references = 1e6 * c->data->references / (double)c->hot });
	}
}

static void declarations_have_the_names_of_the_program(void **state)
{
	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		struct ms_advise advise;
		struct ms_summary s;
		struct ms_run run;

		advise_run(&run, 50, cases[i].data, 1);
		run.lines.at[0].file = cases[i].file;
		add_members(&run, &cases[i]);
		assert_int_equal(ms_summary_make(&s, &run, NULL, NULL, NULL), MS_OK);
		ms_advise_make(&advise, &s);
		assert_true(advise.at.n > 0);
		const char *snippet = advise.at.at[0].snippet;

		if (cases[i].snippet == NULL || snippet == NULL
			    ? snippet != cases[i].snippet
			    : strcmp(snippet, cases[i].snippet) != 0)
			fail_msg("case %zu: found\n%s", i, snippet != NULL ? snippet : "none");
		ms_advise_free(&advise);
		ms_summary_free(&s);
		ms_run_free(&run);
	}
}

static const struct advise_data filled = {
	.name = "double.frame",
	.type = "double",
	.dependence = MS_RUN_DEPENDENCE_AFFINE,
	.size = 8,
	.references = 64,
	.misses = { 8, 8, 8 },
	.prefetched = 1,
	.kind = MS_SITE_WRITE,
	.waited = 600,
	.bytes = MIB(64),
	.used = 64,
	.written = 64,
};

/* Fortran and Rust have no intrinsics of C. */
static void streaming_stores_are_in_the_language_of_the_source(void **state)
{
	static const struct {
		const char *file, *has;
	} languages[] = {
		{ "p.c", "_mm_stream_si128((__m128i *)&frame[i], v);" },
		{ "p.f90", "!$omp simd nontemporal(frame)" },
		{ "p.rs", "core::arch: _mm_stream_si128(to, v);" },
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(languages); i++) {
		struct ms_advise advise;
		struct ms_summary s;
		struct ms_run run;

		advise_run(&run, 50, &filled, 1);
		run.lines.at[0].file = languages[i].file;
		assert_int_equal(ms_summary_make(&s, &run, NULL, NULL, NULL), MS_OK);
		ms_advise_make(&advise, &s);
		assert_int_equal(advise.at.n, 1);
		assert_int_equal(advise.at.at[0].kind, MS_ADVISE_STREAMING_STORES);
		assert_non_null(strstr(advise.at.at[0].snippet, languages[i].has));
		assert_true((strstr(advise.at.at[0].snippet, "__m128i") != NULL) == (i == 0));
		ms_advise_free(&advise);
		ms_summary_free(&s);
		ms_run_free(&run);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(streaming_stores_are_in_the_language_of_the_source),
		cmocka_unit_test(declarations_have_the_names_of_the_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
