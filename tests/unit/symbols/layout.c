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

static const char *const want = "element:\n"
				"0+8 at.x double\n"
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

/* Flexible arrays of structures and of numbers, an array of length 0 in the middle, and nothing
 * before a flexible array. */
static const char flexible_source[] =
	"struct item { double x; int hot, cold; };\n"
	"struct table { long n; int cap; struct item items[]; };\n"
	"struct text { short n; char bytes[]; };\n"
	"struct outer { long key; struct text text; };\n"
	"struct marked { long n; int mark[0]; int last; };\n"
	"struct table table; struct text text; struct outer outer; struct marked marked;\n"
	"int main(void) { return table.cap + text.n + outer.text.n + marked.last; }\n";

static const struct {
	const char *variable;
	uint64_t element, header;
	const char *members;
} flexible[] = {
	{ "table", 16, 16,
	  "0+8 n long int\n8+4 cap int\nelement:\n"
	  "0+8 items[].x double\n8+4 items[].hot int\n12+4 items[].cold int\n" },
	{ "text", 1, 2, "0+2 n short int\nelement:\n0+1 bytes[] char\n" },
	{ "outer", 1, 10,
	  "0+8 key long int\n8+2 text.n short int\nelement:\n0+1 text.bytes[] char\n" },
	{ "marked", 16, 0, "element:\n0+8 n long int\n8+4 last int\n" },
};

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

static void add_members(struct ms_text *text, const struct ms_symbols_member *at, size_t n)
{
	for (size_t i = 0; i < n; i++)
		ms_text_addf(text, "%llu+%llu %s %s\n", (unsigned long long)at[i].offset,
			     (unsigned long long)at[i].size, at[i].name, at[i].type);
}

static void expect(const char *variable, uint64_t element, uint64_t header, const char *members)
{
	struct ms_symbols_module *m = build_open("layout");
	struct ms_symbols_layout layout;
	struct ms_text text = MS_TEXT_INIT;

	assert_true(ms_symbols_module_layout(m, find_type(m, variable), &layout));
	assert_int_equal(layout.element, element);
	assert_int_equal(layout.header, header);
	add_members(&text, layout.header_members.at, layout.header_members.n);
	ms_text_add(&text, "element:\n");
	add_members(&text, layout.members.at, layout.members.n);
	assert_string_equal(ms_text_get(&text), members);
	ms_text_free(&text);
	ms_vec_free(&layout.members);
	ms_vec_free(&layout.header_members);
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
		expect("body", 216, 0, want);
	}
}

static void elements_of_flexible_arrays(void **state)
{
	(void)state;
	build_write("layout.c", flexible_source);
	build_run("gcc -g layout.c -o layout");
	for (size_t i = 0; i < MS_COUNT(flexible); i++)
		expect(flexible[i].variable, flexible[i].element, flexible[i].header,
		       flexible[i].members);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_of_members),
		cmocka_unit_test(elements_of_flexible_arrays),
	};

	return cmocka_run_group_tests(tests, build_setup, build_teardown);
}
