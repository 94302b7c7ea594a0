/* symbols/frames.c: functions, lines and inlined calls of real programs. */
#include "unit/symbols/build.h"

static const char source[] =
	"#include <stdlib.h>\n"                                                 /* 1 */
	"static inline __attribute__((always_inline)) void *inner(size_t n)\n"  /* 2 */
	"{\n"                                                                   /* 3 */
	"	return malloc(n);\n"                                            /* 4 */
	"}\n"                                                                   /* 5 */
	"static inline __attribute__((always_inline)) void *middle(size_t n)\n" /* 6 */
	"{\n"                                                                   /* 7 */
	"	void *p = inner(n + 1);\n"                                      /* 8 */
	"	return p;\n"                                                    /* 9 */
	"}\n"                                                                   /* 10 */
	"__attribute__((noinline)) void *outer(size_t n)\n"                     /* 11 */
	"{\n"                                                                   /* 12 */
	"	void *p =\n"                                                    /* 13 */
	"		middle(n);\n"                                           /* 14 */
	"	((char *)p)[0] = 1;\n"                                          /* 15 */
	"	return p;\n"                                                    /* 16 */
	"}\n"                                                                   /* 17 */
	"int main(void)\n"                                                      /* 18 */
	"{\n"                                                                   /* 19 */
	"	return outer(3) == NULL;\n"                                     /* 20 */
	"}\n";                                                                  /* 21 */

static void compile(const char *options)
{
	build_write("chain.c", source);
	build_write("hook.c", build_hook_source);
	build_run("gcc -O1 -g0 -fno-builtin -c hook.c && gcc %s chain.c hook.o -o chain", options);
}

static void expect_frame(const struct ms_symbols_frame *f, const char *function, uint32_t line,
			 uint32_t decl_line, bool inlined)
{
	assert_string_equal(f->function, function);
	assert_string_equal(f->file, build_path("chain.c"));
	assert_int_equal(f->line, line);
	assert_string_equal(f->decl_file, build_path("chain.c"));
	assert_int_equal(f->decl_line, decl_line);
	assert_int_equal(f->inlined, inlined);
}

static void expect_chain(const char *options)
{
	struct build_paths paths;
	struct ms_symbols_frame f[8];

	compile(options);
	build_paths_of("chain", &paths);
	assert_int_equal(paths.n, 1);
	assert_true(paths.at[0].n >= 2);

	struct ms_symbols_module *m = build_open("chain");
	assert_int_equal(ms_symbols_module_debug(m), MS_DEBUG_DWARF);
	uint64_t pc = paths.at[0].pc[0] - 1;
	assert_int_equal(ms_symbols_module_frames(m, pc, f, 8), 3);
	expect_frame(&f[0], "inner", 4, 2, true);
	expect_frame(&f[1], "middle", 8, 6, true);
	expect_frame(&f[2], "outer", 14, 11, false);
	if (strstr(options, "no-column") == NULL) {
		assert_int_equal(f[0].column, 9);
		assert_int_equal(f[1].column, 12);
		assert_int_equal(f[2].column, 3);
	}
	/* The entries nest, and the instruction follows the function's first. */
	assert_true(f[2].entry <= f[1].entry && f[1].entry <= f[0].entry && f[0].entry <= pc);
	uint64_t entry = f[2].entry;
	assert_true(ms_symbols_module_frames(m, entry, f, 8) >= 1);
	assert_int_equal(ms_symbols_module_frames(m, pc, f, 2), 2); /* no more than asked for */
	assert_string_equal(f[1].function, "middle");
	assert_int_equal(ms_symbols_module_frames(m, paths.at[0].pc[1] - 1, f, 8), 1);
	expect_frame(&f[0], "main", 20, 18, false);
	assert_int_equal(ms_symbols_module_frames(m, 1, f, 8), 0);
	assert_int_equal(ms_symbols_module_frames(m, UINT64_MAX, f, 8), 0);
	assert_int_equal(ms_symbols_module_frames(m, pc, f, 0), 0);
	ms_symbols_module_close(m);
}

static void test_inline_chain(void **state)
{
	static const char *const options[] = {
		"-g -O2",
		"-gdwarf-4 -O2",
		"-gdwarf-5 -O2",
		"-g -O2 -no-pie",
		"-g -O2 -gz",
		"-g -O2 -gno-column-info",
		"-gdwarf-4 -O1 -fPIE -pie",
		"-g -O2 -gsplit-dwarf",
		"-gdwarf-4 -O2 -gsplit-dwarf",
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(options); i++) {
		print_message("gcc %s\n", options[i]);
		expect_chain(options[i]);
	}
}

static void test_symbol_table_only(void **state)
{
	struct build_paths paths;
	struct ms_symbols_frame f[4];

	(void)state;
	compile("-g0 -O2");
	build_paths_of("chain", &paths);
	struct ms_symbols_module *m = build_open("chain");
	assert_int_equal(ms_symbols_module_debug(m), MS_DEBUG_SYMTAB);
	assert_int_equal(ms_symbols_module_frames(m, paths.at[0].pc[0] - 1, f, 4), 1);
	assert_string_equal(f[0].function, "outer");
	assert_null(f[0].file);
	assert_int_equal(f[0].line, 0);
	assert_false(f[0].inlined);
	assert_int_equal(ms_symbols_module_frames(m, f[0].entry, f, 4), 1);
	assert_string_equal(f[0].function, "outer");
	ms_symbols_module_close(m);
}

static void test_stripped(void **state)
{
	struct build_paths paths;
	struct ms_symbols_frame f[4];

	(void)state;
	compile("-g -O2");
	build_paths_of("chain", &paths);
	build_run("strip chain");
	struct ms_symbols_module *m = build_open("chain");
	assert_int_equal(ms_symbols_module_debug(m), MS_DEBUG_SYMTAB); /* .dynsym remains */
	assert_int_equal(ms_symbols_module_frames(m, paths.at[0].pc[0] - 1, f, 4), 1);
	assert_true(f[0].nameless); /* found by the unwind tables */
	ms_symbols_module_close(m);
}

static void test_plt(void **state)
{
	struct ms_symbols_frame f[2];
	unsigned long address = 0;

	(void)state;
	build_write("plt.c",
		    "#include <stdio.h>\n#include <string.h>\n"
		    "int main(int c, char **v) { return puts(v[0]) + (int)strlen(v[c - 1]); }\n");
	build_run("gcc -O1 -g -fno-builtin plt.c -o plt -Wl,-z,lazy && strip plt && "
		  "objdump -d plt | sed -n 's/^0*\\([0-9a-f]*\\) <strlen@plt>:/\\1/p' > plt.txt");
	FILE *in = fopen(build_path("plt.txt"), "r");
	assert_non_null(in);
	assert_int_equal(fscanf(in, "%lx", &address), 1);
	fclose(in);
	struct ms_symbols_module *m = build_open("plt");
	assert_int_equal(ms_symbols_module_frames(m, address, f, 2), 1);
	assert_string_equal(f[0].function, "strlen@plt");
	assert_int_equal(f[0].entry, address);
	ms_symbols_module_close(m);
}

static void test_cpp_names(void **state)
{
	static const char *const want[] = { "geo::Grid<double>::fill<int>",
					    "(anonymous namespace)::go", "main" };
	struct build_paths paths;
	struct ms_symbols_frame f[4];

	(void)state;
	if (!build_has("g++"))
		skip();
	build_write("hook.c", build_hook_source);
	build_write(
		"names.cc",
		"#include <cstdlib>\n"
		"#include <vector>\n"
		"namespace geo { template <class T> struct Grid {\n"
		"template <class U> __attribute__((noinline)) void *fill(U n, std::vector<T> &)\n"
		"{ void *p = malloc(n); asm volatile(\"\" :: \"r\"(p)); return p; } }; }\n"
		"namespace { __attribute__((noinline)) void *go(geo::Grid<double> &g)\n"
		"{ std::vector<double> v; void *p = g.fill(3, v); asm volatile(\"\" :: \"r\"(p));\n"
		"return p; } }\n"
		"int main() { geo::Grid<double> g; return go(g) == nullptr; }\n");
	build_run("gcc -O1 -g0 -fno-builtin -c hook.c && g++ -O0 -g names.cc hook.o -o names");
	build_paths_of("names", &paths);
	assert_int_equal(paths.n, 1);
	for (int stripped = 0; stripped < 2; stripped++) {
		if (stripped)
			build_run("strip -g names");
		struct ms_symbols_module *m = build_open("names");
		for (size_t i = 0; i < MS_COUNT(want); i++) {
			assert_int_equal(ms_symbols_module_frames(m, paths.at[0].pc[i] - 1, f, 4),
					 1);
			assert_string_equal(f[0].function, want[i]);
		}
		ms_symbols_module_close(m);
	}
}

/* The same file has one name, however the compiler was given it. */
static void test_dots_in_paths(void **state)
{
	struct build_paths paths;
	struct ms_symbols_frame f[8];

	(void)state;
	compile("-fno-builtin -g -O0");
	build_run("gcc -fno-builtin -g -O0 $PWD/././chain.c hook.o -o chain");
	build_paths_of("chain", &paths);
	struct ms_symbols_module *m = build_open("chain");
	assert_true(ms_symbols_module_frames(m, paths.at[0].pc[0] - 1, f, 8) > 0);
	assert_string_equal(f[0].file, build_path("chain.c"));
	ms_symbols_module_close(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dots_in_paths),
		cmocka_unit_test(test_inline_chain),
		cmocka_unit_test(test_symbol_table_only),
		cmocka_unit_test(test_stripped),
		cmocka_unit_test(test_plt),
		cmocka_unit_test(test_cpp_names),
	};

	return cmocka_run_group_tests(tests, build_setup, build_teardown);
}
