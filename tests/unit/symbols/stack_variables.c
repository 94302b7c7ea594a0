/* symbols/stack_variables.c: arrays and objects on the stack, by function. */
#include "symbols/stack_variables.h"
#include "unit/symbols/build.h"

static const char source[] =
	"struct grid { int width; double cells[1000]; };\n"
	"__attribute__((noinline)) void use(void *p) { __asm__ volatile(\"\" :: \"r\"(p) : "
	"\"memory\"); }\n"
	"static inline __attribute__((always_inline)) void inside(void)\n"
	"{ char bytes[3000]; use(bytes); }\n"
	"__attribute__((noinline)) int outer(int n)\n"
	"{ double lower[2000]; struct grid grid; char small[100];\n"
	"  static int fixed[3000];\n"
	"  use(lower); use(&grid); use(small); use(fixed); return n; }\n"
	"__attribute__((noinline)) int dynamic(int n)\n"
	"{ int *sized[n * 1000]; use(sized); return n; }\n"
	"__attribute__((noinline)) int shared(int n)\n"
	"{ if (n > 1) { char one[4000]; use(one); } else { char two[5000]; use(two); }\n"
	"  return n; }\n"
	"int main(int argc, char **argv)\n"
	"{ (void)argv; inside(); return outer(argc) + dynamic(argc) + shared(argc); }\n";

struct want {
	const char *name;
	uint64_t size;
	bool optional; /* shares memory with another one, or the prologue is not at the entry */
};

static const struct want wants[] = {
	{ "outer.lower", 16000, false }, { "outer.grid", 8008, false },
	{ "inside.bytes", 3000, false }, { "shared.one", 4000, true },
	{ "shared.two", 5000, true },
};

static const struct ms_symbols_stack_variable *find(const struct ms_symbols_stack_list *list,
						    const char *name)
{
	for (size_t i = 0; i < list->variables.n; i++)
		if (strcmp(list->variables.at[i].name, name) == 0)
			return &list->variables.at[i];
	return NULL;
}

static void expect_wanted(const struct ms_symbols_stack_list *list)
{
	for (size_t i = 0; i < MS_COUNT(wants); i++) {
		const struct ms_symbols_stack_variable *v = find(list, wants[i].name);

		if (v == NULL && wants[i].optional)
			continue;
		if (v == NULL)
			fail_msg("%s: not found", wants[i].name);
		else
			assert_int_equal(v->size, wants[i].size);
	}
	assert_null(find(list, "outer.small"));
	assert_null(find(list, "dynamic.sized"));
	assert_null(find(list, "outer.fixed"));
}

static void expect_apart(const struct ms_symbols_stack_list *list,
			 const struct ms_symbols_stack_function *f)
{
	assert_true(f->entry >= f->low && f->entry < f->high);
	for (size_t i = f->first; i < f->first + f->n; i++) {
		const struct ms_symbols_stack_variable *a = &list->variables.at[i];

		assert_true(a->offset < 0 && a->size <= (uint64_t)-a->offset);
		for (size_t k = i + 1; k < f->first + f->n; k++) {
			const struct ms_symbols_stack_variable *b = &list->variables.at[k];

			assert_true(a->offset + (int64_t)a->size <= b->offset ||
				    b->offset + (int64_t)b->size <= a->offset);
		}
	}
}

static void test_functions(void **state)
{
	static const char *const commands[] = { "gcc -g -O0", "gcc -g -O2", "gcc -gdwarf-4 -O1",
						"clang -g -O0", "clang -g -O2" };

	(void)state;
	build_write("frames.c", source);
	for (size_t i = 0; i < MS_COUNT(commands); i++) {
		struct ms_symbols_stack_list list = { 0 };

		if (strncmp(commands[i], "clang", 5) == 0 && !build_has("clang"))
			continue;
		print_message("%s\n", commands[i]);
		build_run("%s frames.c -o frames", commands[i]);
		struct ms_symbols_module *m = build_open("frames");
		ms_symbols_module_stack_variables(m, 1024, &list);
		expect_wanted(&list);
		for (size_t k = 0; k < list.functions.n; k++)
			expect_apart(&list, &list.functions.at[k]);
		ms_symbols_stack_free(&list);
		ms_symbols_module_close(m);
	}
}

static void test_no_debug_information(void **state)
{
	struct ms_symbols_stack_list list = { 0 };

	(void)state;
	build_write("frames.c", source);
	build_run("gcc -O0 frames.c -o frames");
	struct ms_symbols_module *m = build_open("frames");
	ms_symbols_module_stack_variables(m, 1024, &list);
	assert_int_equal(list.functions.n, 0);
	ms_symbols_stack_free(&list);
	ms_symbols_module_close(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_functions),
		cmocka_unit_test(test_no_debug_information),
	};

	return cmocka_run_group_tests(tests, build_setup, build_teardown);
}
