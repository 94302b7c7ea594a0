/* symbols/members.c: what lies at an offset in an object. */
#include "unit/symbols/build.h"

static const char c_source[] =
	"typedef struct { int n; double *cells; } Matrix;\n"
	"struct part { long head; char name[3]; };\n"
	"struct whole {\n"
	"	int first;\n"                        /* 0, padding from 4 */
	"	struct part parts[2];\n"             /* 8, 24 */
	"	struct { short a, b; };\n"           /* 40 */
	"	union { int i; float f; } either;\n" /* 44 */
	"	unsigned low : 4, high : 12;\n"      /* 48, 50 */
	"	const volatile struct part *last;\n" /* 56 */
	"} whole;\n"
	"struct { long first; volatile long others[6]; } near;\n"
	"int grid[5][7][2];\n"
	"Matrix matrix;\n"
	"long plain;\n"
	"_Alignas(256) struct { volatile long count; } apart[3];\n"
	"int main(void) { return whole.first + grid[0][0][0] + (int)near.first + matrix.n +\n"
	"	(int)plain + (int)apart[0].count; }\n";

static const struct {
	const char *variable;
	uint64_t offset;
	const char *member; /* NULL: not known */
} c_want[] = {
	{ "whole", 0, ".first" },
	{ "whole", 3, ".first" },
	{ "whole", 5, "" },
	{ "whole", 8, ".parts[0].head" },
	{ "whole", 34, ".parts[1].name[2]" },
	{ "whole", 36, ".parts[1]" },
	{ "whole", 42, ".b" },
	{ "whole", 44, ".either" },
	{ "whole", 48, ".low" },
	{ "whole", 49, ".high" },
	{ "whole", 60, ".last" },
	{ "whole", 64, NULL },
	{ "near", 0, ".first" },
	{ "near", 16, ".others[1]" },
	{ "grid", 0, "[0][0][0]" },
	{ "grid", 4 * (2 * (7 * 3 + 4) + 1), "[3][4][1]" },
	{ "matrix", 8, ".cells" },
	{ "plain", 0, "" },
	{ "apart", 16, "[2].count" },
};

static const struct ms_symbols_variable *find(struct ms_symbols_module *m, const char *name)
{
	size_t n;
	const struct ms_symbols_variable *v = ms_symbols_module_variables(m, &n);

	for (size_t i = 0; i < n; i++)
		if (strcmp(v[i].name, name) == 0)
			return &v[i];
	fail_msg("%s is missing", name);
	return NULL;
}

static void expect(struct ms_symbols_module *m, uint64_t type, uint64_t offset, uint64_t room,
		   const char *member)
{
	struct ms_text text = MS_TEXT_INIT;
	bool known = ms_symbols_module_member(m, type, offset, room, &text);

	if (known != (member != NULL) || (known && strcmp(ms_text_get(&text), member) != 0))
		fail_msg("at %llu: \"%s\", expected \"%s\"", (unsigned long long)offset,
			 known ? ms_text_get(&text) : "unknown", member ? member : "unknown");
	ms_text_free(&text);
}

static void test_c(void **state)
{
	static const char *const options[] = { "-gdwarf-4",
					       "-gdwarf-5",
					       "-gdwarf-5 -O2",
					       "-gdwarf-4 -gstrict-dwarf",
					       "-g -gsplit-dwarf",
					       "-gdwarf-4 -gsplit-dwarf",
					       "-gdwarf-5 -fdebug-types-section",
					       "-gdwarf-4 -fdebug-types-section" };

	(void)state;
	build_write("members.c", c_source);
	for (size_t k = 0; k < MS_COUNT(options); k++) {
		print_message("gcc %s\n", options[k]);
		build_run("gcc %s members.c -o members", options[k]);
		struct ms_symbols_module *m = build_open("members");
		for (size_t i = 0; i < MS_COUNT(c_want); i++)
			expect(m, find(m, c_want[i].variable)->type_die, c_want[i].offset, 0,
			       c_want[i].member);
		ms_symbols_module_close(m);
	}
}

/* Heap memory: the type by its name, and perhaps an array of objects. */
static void test_by_name(void **state)
{
	(void)state;
	build_write("members.c", c_source);
	build_run("gcc -g members.c -o members");
	struct ms_symbols_module *m = build_open("members");
	find(m, "matrix"); /* names are known once they have been given */
	uint64_t type = ms_symbols_module_type(m, "Matrix");
	expect(m, type, 8, 16, ".cells");
	expect(m, type, 8, 31, ".cells");
	expect(m, type, 8, 32, "[0].cells");
	expect(m, type, 16 * 7 + 2, 1600, "[7].n");
	expect(m, ms_symbols_module_type(m, "nothing"), 0, 0, NULL);
	ms_symbols_module_close(m);
}

/* Two types of one name and different sizes: the name is ambiguous. */
static void expect_two_of_one_name(const char *first, const char *second)
{
	build_write("a.c", "struct t { int x; } one; int main(void) { return one.x; }\n");
	build_write("b.c", "struct t { long y, z; } two;\n");
	build_run("gcc -g %s -c a.c && gcc -g %s -c b.c && gcc b.o a.o -o both", first, second);
	struct ms_symbols_module *m = build_open("both");
	expect(m, find(m, "one")->type_die, 0, 0, ".x");
	expect(m, find(m, "two")->type_die, 8, 0, ".z");
	assert_int_equal(ms_symbols_module_type(m, "t"), 0);
	ms_symbols_module_close(m);
}

static void test_two_of_one_name(void **state)
{
	(void)state;
	expect_two_of_one_name("", "");
	/* Units that were split off, beside others and alone. */
	expect_two_of_one_name("-gsplit-dwarf", "");
	expect_two_of_one_name("", "-gsplit-dwarf");
	expect_two_of_one_name("-gsplit-dwarf", "-gsplit-dwarf");
}

/* The file of a split unit is missing: what the program itself has is used. */
static void test_missing_split(void **state)
{
	(void)state;
	build_write("members.c", c_source);
	build_run("gcc -g -gsplit-dwarf members.c -o members && rm *.dwo");
	struct ms_symbols_module *m = build_open("members");
	const char *file;
	assert_int_equal(ms_symbols_module_missing(m, &file), 0); /* not searched yet */
	assert_int_equal(find(m, "plain")->size, 8);
	assert_null(find(m, "plain")->type);
	assert_int_equal(ms_symbols_module_missing(m, &file), 1);
	assert_non_null(strstr(file, ".dwo"));
	ms_symbols_module_close(m);
}

static const char cc_source[] =
	"#include <vector>\n"
	"struct base { long id; static int made; virtual ~base() {} };\n"
	"int base::made;\n"
	"template <class T> struct pair { T a, b; };\n"
	"struct item : base { pair<int> p; };\n"
	"struct left { int x; char flag; };\n"
	"namespace geo { struct right { int x; }; }\n"
	"struct both : left, geo::right { int own; };\n"
	"struct shape : pair<both> { std::vector<int> at; union { int i; float f; }; };\n"
	"struct far : virtual left { long near; };\n"
	"item thing;\n"
	"shape drawn;\n"
	"far distant;\n"
	"int main() { return (int)thing.id + drawn.a.own + (int)distant.near; }\n";

static const struct {
	const char *variable;
	uint64_t offset;
	const char *member;
} cc_want[] = {
	{ "thing", 8, ".base::id" },
	{ "thing", 20, ".p.b" },
	{ "drawn", 0, ".pair<both>::a.left::x" },
	{ "drawn", 4, ".pair<both>::a.left::flag" },
	{ "drawn", 6, ".pair<both>::a" },
	{ "drawn", 8, ".pair<both>::a.right::x" },
	{ "drawn", 27, ".pair<both>::b.right::x" },
	{ "drawn", 28, ".pair<both>::b.own" },
	{ "drawn", 40, ".at._M_impl._M_finish" },
};

static void test_cc(void **state)
{
	(void)state;
	if (!build_has("g++"))
		return;
	build_write("members.cc", cc_source);
	build_run("g++ -g members.cc -o members");
	struct ms_symbols_module *m = build_open("members");
	for (size_t i = 0; i < MS_COUNT(cc_want); i++)
		expect(m, find(m, cc_want[i].variable)->type_die, cc_want[i].offset, 0,
		       cc_want[i].member);
	ms_symbols_module_close(m);
}

/* All members of a type: "offset name" a line each. */
static void expect_layout(struct ms_symbols_module *m, const char *variable, const char *want)
{
	struct ms_symbols_layout layout;
	struct ms_text text = MS_TEXT_INIT;

	assert_true(ms_symbols_module_layout(m, find(m, variable)->type_die, &layout));
	for (size_t i = 0; i < layout.members.n; i++)
		ms_text_addf(&text, "%llu %s\n", (unsigned long long)layout.members.at[i].offset,
			     layout.members.at[i].name);
	assert_string_equal(ms_text_get(&text), want);
	ms_text_free(&text);
	ms_vec_free(&layout.members);
}

static void layouts_name_base_classes(void **state)
{
	static const char *const options[] = { "-gdwarf-4", "-gdwarf-5 -O2",
					       "-gdwarf-5 -fdebug-types-section" };

	(void)state;
	if (!build_has("g++"))
		return;
	build_write("members.cc", cc_source);
	for (size_t k = 0; k < MS_COUNT(options); k++) {
		print_message("g++ %s\n", options[k]);
		build_run("g++ %s members.cc -o members", options[k]);
		struct ms_symbols_module *m = build_open("members");
		expect_layout(m, "thing", "0 base::_vptr.base\n8 base::id\n16 p.a\n20 p.b\n");
		expect_layout(m, "drawn",
			      "0 pair<both>::a.left::x\n4 pair<both>::a.left::flag\n"
			      "8 pair<both>::a.right::x\n12 pair<both>::a.own\n"
			      "16 pair<both>::b.left::x\n20 pair<both>::b.left::flag\n"
			      "24 pair<both>::b.right::x\n28 pair<both>::b.own\n"
			      "32 at._M_impl._M_start\n40 at._M_impl._M_finish\n"
			      "48 at._M_impl._M_end_of_storage\n56 i|f\n");
		/* Where a virtual base is, is known at run time only. */
		expect_layout(m, "distant", "0 _vptr.far\n8 near\n");
		ms_symbols_module_close(m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_c),
		cmocka_unit_test(test_by_name),
		cmocka_unit_test(test_two_of_one_name),
		cmocka_unit_test(test_missing_split),
		cmocka_unit_test(test_cc),
		cmocka_unit_test(layouts_name_base_classes),
	};

	return cmocka_run_group_tests(tests, build_setup, build_teardown);
}
