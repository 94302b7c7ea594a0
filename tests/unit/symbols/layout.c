/* symbols/layout.c: the members of a type with their places and types. */
#include "unit/symbols/build.h"

static const char source[] = "struct pos { double x, y; };\n"
			     "struct body {\n"
			     "	struct pos at;\n"                                /* 0 */
			     "	struct { int hits, miss; } stat[2];\n"           /* 16 */
			     "	union { struct { int lo, hi; }; long both; };\n" /* 32 */
			     "	union { float f; int i; } named;\n"              /* 40 */
			     "	unsigned a : 4, b : 12, : 4, c : 12;\n"          /* 44 */
			     "	struct pos many[9];\n"                           /* 48 */
			     "	int grid[2][2];\n"                               /* 192 */
			     "	struct { short p, q; };\n"                       /* 208 */
			     "	union { int v, w, x, y, z; };\n"                 /* 212 */
			     "} body;\n"
			     "int main(void) { return body.stat[1].miss; }\n";

static const char *const want = "0+8 at.x double\n"
				"8+8 at.y double\n"
				"16+4 stat[0].hits int\n"
				"20+4 stat[0].miss int\n"
				"24+4 stat[1].hits int\n"
				"28+4 stat[1].miss int\n"
				"32+8 lo|hi|both (anonymous union)\n"
				"40+4 named (anonymous union)\n"
				"44+1 a unsigned int:4\n"
				"44+2 b unsigned int:12\n"
				"46+2 c unsigned int:12\n"
				"48+144 many pos[9]\n"
				"192+16 grid int[2][2]\n"
				"208+2 p short int\n"
				"210+2 q short int\n"
				"212+4 v|w|x|y|... (anonymous union)\n";

static uint64_t find_type(struct ms_symbols_module *m, const char *variable)
{
	size_t n;
	const struct ms_symbols_variable *v = ms_symbols_module_variables(m, &n);

	for (size_t i = 0; i < n; i++)
		if (strcmp(v[i].name, variable) == 0)
			return v[i].type_die;
	fail_msg("%s is missing", variable);
	return 0;
}

static void expect(const char *variable, uint64_t element, const char *members)
{
	struct ms_symbols_module *m = build_open("layout");
	struct ms_symbols_layout layout;
	struct ms_text text = MS_TEXT_INIT;

	assert_true(ms_symbols_module_layout(m, find_type(m, variable), &layout));
	assert_int_equal(layout.element, element);
	for (size_t i = 0; i < layout.members.n; i++)
		ms_text_addf(&text, "%llu+%llu %s %s\n",
			     (unsigned long long)layout.members.at[i].offset,
			     (unsigned long long)layout.members.at[i].size,
			     layout.members.at[i].name, layout.members.at[i].type);
	assert_string_equal(ms_text_get(&text), members);
	ms_text_free(&text);
	ms_vec_free(&layout.members);
	ms_symbols_module_close(m);
}

static void members_of_members(void **state)
{
	static const char *const options[] = { "-gdwarf-4", "-gdwarf-5",
					       "-gdwarf-4 -gstrict-dwarf" };

	(void)state;
	build_write("layout.c", source);
	for (size_t i = 0; i < MS_COUNT(options); i++) {
		build_run("gcc %s layout.c -o layout", options[i]);
		expect("body", 216, want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_of_members),
	};

	return cmocka_run_group_tests(tests, build_setup, build_teardown);
}
