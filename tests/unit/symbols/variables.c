/* symbols/variables.c and types.c: variables with a fixed place, their types and sizes. */
#include "unit/symbols/build.h"

struct want {
	const char *name, *type;
	uint64_t size;
	uint32_t line;
	bool tls;
};

static const char c_source[] =
	"typedef struct { int n; double *cells; } Matrix;\n"                   /* 1 */
	"struct node { struct node *next; long value; };\n"                    /* 2 */
	"double grid[100][100];\n"                                             /* 3 */
	"static struct node *head __attribute__((used));\n"                    /* 4 */
	"Matrix matrices[3];\n"                                                /* 5 */
	"char *names[4];\n"                                                    /* 6 */
	"int (*handlers[2])(int, char *);\n"                                   /* 7 */
	"double (*rows)[100];\n"                                               /* 8 */
	"const char *const words[] = { \"a\", \"b\", \"c\" };\n"               /* 9 */
	"_Thread_local int per_thread = 7;\n"                                  /* 10 */
	"static _Thread_local struct node local_node __attribute__((used));\n" /* 11 */
	"volatile unsigned flags;\n"                                           /* 12 */
	"struct { int a, b; } pair;\n"                                         /* 13 */
	"struct flex { int n; int more[]; } flexible = { 2, { 1, 2 } };\n"     /* 14 */
	"int count(int n)\n"                                                   /* 15 */
	"{\n"                                                                  /* 16 */
	"	static long calls;\n"                                          /* 17 */
	"	{\n"                                                           /* 18 */
	"		static short inner[5];\n"                              /* 19 */
	"		inner[n % 5]++;\n"                                     /* 20 */
	"		calls += inner[0];\n"                                  /* 21 */
	"	}\n"                                                           /* 22 */
	"	return (int)++calls + n;\n"                                    /* 23 */
	"}\n"                                                                  /* 24 */
	"int main(int argc, char **argv)\n"
	"{\n"
	"	head = local_node.next;\n"
	"	return count(argc) + per_thread + (int)grid[argc][1] + (names[argc % 4] != "
	"argv[0]) +\n"
	"	       (handlers[1] != 0) + (rows != 0) + (words[argc % 3] != 0) + (int)flags +\n"
	"	       pair.a + matrices[1].n + (head != 0) + flexible.more[argc & 1];\n"
	"}\n";

static const struct want c_want[] = {
	{ "grid", "double[100][100]", 80000, 3, false },
	{ "head", "node *", 8, 4, false },
	{ "matrices", "Matrix[3]", 48, 5, false },
	{ "names", "char *[4]", 32, 6, false },
	{ "handlers", "int (*[2])(int, char *)", 16, 7, false },
	{ "rows", "double (*)[100]", 8, 8, false },
	{ "words", "const char *const[3]", 24, 9, false },
	{ "per_thread", "int", 4, 10, true },
	{ "local_node", "node", 16, 11, true },
	{ "flags", "volatile unsigned int", 4, 12, false },
	{ "pair", "(anonymous struct)", 8, 13, false },
	{ "flexible", "flex", 12, 14, false },
	{ "count::calls", "long int", 8, 17, false },
	{ "count::inner", "short int[5]", 10, 19, false },
};

static const struct ms_symbols_variable *find(const struct ms_symbols_variable *v, size_t n,
					      const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(v[i].name, name) == 0)
			return &v[i];
	return NULL;
}

static void expect_order(const struct ms_symbols_variable *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		assert_true(v[i].size > 0);
		if (i == 0 || v[i].tls != v[i - 1].tls)
			continue;
		assert_true(v[i].offset >= v[i - 1].offset + v[i - 1].size);
	}
}

static void expect_all(const char *program, const char *file, const struct want *want,
		       size_t wanted)
{
	size_t n;
	struct ms_symbols_module *m = build_open(program);
	const struct ms_symbols_variable *v = ms_symbols_module_variables(m, &n);

	expect_order(v, n);
	for (size_t i = 0; i < wanted; i++) {
		const struct ms_symbols_variable *found = find(v, n, want[i].name);

		if (found == NULL)
			fail_msg("%s is missing", want[i].name);
		assert_string_equal(found->type, want[i].type);
		assert_int_equal(found->size, want[i].size);
		assert_int_equal(found->tls, want[i].tls);
		assert_int_equal(found->line, want[i].line);
		assert_string_equal(found->file, build_path(file));
	}
	ms_symbols_module_close(m);
}

static void test_c(void **state)
{
	static const char *const options[] = { "-g -O0",
					       "-gdwarf-4 -O2",
					       "-gdwarf-5 -O2 -no-pie",
					       "-g -O2 -shared -fPIC",
					       "-g -gsplit-dwarf -O2",
					       "-gdwarf-4 -fdebug-types-section -O2",
					       "-gdwarf-5 -fdebug-types-section" };

	(void)state;
	build_write("vars.c", c_source);
	for (size_t i = 0; i < MS_COUNT(options); i++) {
		print_message("gcc %s\n", options[i]);
		build_run("gcc %s vars.c -o vars", options[i]);
		expect_all("vars", "vars.c", c_want, MS_COUNT(c_want));
	}
}

/* Each name must stand where the linker put it. */
static void test_offsets(void **state)
{
	char line[256], name[128], kind;
	unsigned long address;
	size_t n, compared = 0;

	(void)state;
	build_write("vars.c", c_source);
	build_run("gcc -g -O1 vars.c -o vars && nm vars > nm.txt");
	struct ms_symbols_module *m = build_open("vars");
	const struct ms_symbols_variable *v = ms_symbols_module_variables(m, &n);
	FILE *f = fopen(build_path("nm.txt"), "r");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f) != NULL) {
		if (sscanf(line, "%lx %c %127s", &address, &kind, name) != 3)
			continue;
		const struct ms_symbols_variable *found = find(v, n, name);
		if (found == NULL || found->type == NULL)
			continue;
		assert_int_equal(found->offset, address);
		compared++;
	}
	fclose(f);
	assert_true(compared >= MS_COUNT(c_want) - 2);
	ms_symbols_module_close(m);
}

static void test_symbol_table(void **state)
{
	size_t n;

	(void)state;
	build_write("vars.c", c_source);
	build_run("gcc -g0 -O1 vars.c -o vars");
	struct ms_symbols_module *m = build_open("vars");
	const struct ms_symbols_variable *v = ms_symbols_module_variables(m, &n);
	const struct ms_symbols_variable *grid = find(v, n, "grid"),
					 *tls = find(v, n, "per_thread");
	expect_order(v, n);
	assert_non_null(grid);
	assert_int_equal(grid->size, 80000);
	assert_null(grid->type);
	assert_non_null(tls);
	assert_true(tls->tls);
	assert_true(tls->offset + tls->size <= ms_symbols_module_tls_size(m));
	ms_symbols_module_close(m);

	build_run("gcc -g0 -O1 -shared -fPIC vars.c -o vars && strip vars");
	m = build_open("vars");
	v = ms_symbols_module_variables(m, &n);
	expect_order(v, n);
	assert_non_null(find(v, n, "grid")); /* from .dynsym */
	assert_null(find(v, n, "head"));     /* was local, is gone */
	ms_symbols_module_close(m);
}

static const char cpp_source[] =
	"#include <map>\n"                                                          /* 1 */
	"#include <string>\n"                                                       /* 2 */
	"#include <vector>\n"                                                       /* 3 */
	"namespace geo {\n"                                                         /* 4 */
	"struct Point { double x, y; static int made; struct Tag { int id; }; };\n" /* 5 */
	"int Point::made = 3;\n"                                                    /* 6 */
	"Point points[10][20];\n"                                                   /* 7 */
	"Point::Tag tags[2];\n"                                                     /* 8 */
	"static std::map<std::string, std::vector<int>> index;\n"                   /* 9 */
	"}\n"                                                                       /* 10 */
	"namespace { double hidden[100]; }\n"                                       /* 11 */
	"template <class T> T *next(T *p) { static T *last; T *old = last; last = p; return old; "
	"}\n"
	"int main(int argc, char **)\n"
	"{\n"
	"	geo::index[\"a\"].push_back(argc);\n"
	"	hidden[argc] = argc;\n"
	"	return geo::Point::made + (int)geo::points[1][argc].x + geo::tags[0].id +\n"
	"	       (int)hidden[argc * 2] + (next(&geo::points[0][0]) != nullptr);\n"
	"}\n";

static const struct want cpp_want[] = {
	{ "geo::Point::made", "int", 4, 6, false },
	{ "geo::points", "geo::Point[10][20]", 3200, 7, false },
	{ "geo::tags", "geo::Point::Tag[2]", 8, 8, false },
	{ "geo::index", "std::map<std::string, std::vector<int>>", 48, 9, false },
	{ "(anonymous namespace)::hidden", "double[100]", 800, 11, false },
	{ "next<geo::Point>::last", "geo::Point *", 8, 12, false },
};

static void test_cpp(void **state)
{
	(void)state;
	if (!build_has("g++"))
		skip();
	build_write("vars.cc", cpp_source);
	build_run("g++ -g -O0 vars.cc -o varscc");
	expect_all("varscc", "vars.cc", cpp_want, MS_COUNT(cpp_want));
	build_run("g++ -gdwarf-4 -O0 vars.cc -o varscc");
	expect_all("varscc", "vars.cc", cpp_want, MS_COUNT(cpp_want));
}

static const struct want fortran_want[] = {
	{ "solver::counter", "integer(kind=4)[10][20]", 800, 3, false },
	{ "MAIN__::x", "integer(kind=4)[10]", 40, 8, false },
	{ "MAIN__::y", "real(kind=8)", 8, 9, false },
};

static void test_fortran(void **state)
{
	(void)state;
	if (!build_has("gfortran"))
		skip();
	build_write("vars.f90", "module solver\n"
				"  implicit none\n"
				"  integer :: counter(10, 20)\n"
				"end module\n"
				"program main\n"
				"  use solver\n"
				"  implicit none\n"
				"  integer :: x(10)\n"
				"  real(8) :: y\n"
				"  common /blk/ x, y\n"
				"  counter(1, 1) = 1\n"
				"  x(1) = counter(1, 1)\n"
				"  y = x(1)\n"
				"  print *, x, y\n"
				"end program\n");
	build_run("gfortran -g -O0 vars.f90 -o varsf");
	expect_all("varsf", "vars.f90", fortran_want, MS_COUNT(fortran_want));
}

/* Libraries of the system, with and without debug information: only that the rules hold. */
static void test_system_libraries(void **state)
{
	static const char *const paths[] = {
		"/lib/x86_64-linux-gnu/libc.so.6",
		"/lib/aarch64-linux-gnu/libc.so.6",
		"/usr/lib/x86_64-linux-gnu/libstdc++.so.6",
		"/usr/lib/aarch64-linux-gnu/libstdc++.so.6",
		"/usr/bin/python3.11",
	};
	unsigned seed = 1, opened = 0;

	(void)state;
	for (size_t i = 0; i < MS_COUNT(paths); i++) {
		struct ms_symbols_module *m;
		struct ms_symbols_frame f[32];
		size_t n, known = 0;

		if (ms_symbols_module_open(&m, paths[i], NULL) != MS_OK)
			continue;
		opened++;
		const struct ms_symbols_variable *v = ms_symbols_module_variables(m, &n);
		expect_order(v, n);
		for (int k = 0; k < 5000; k++) {
			size_t got = ms_symbols_module_frames(m, (uint64_t)rand_r(&seed) % 0x700000,
							      f, 32);

			known += got > 0;
			for (size_t j = 0; j < got; j++)
				assert_non_null(f[j].function);
		}
		print_message("%s: %zu variables, %zu of 5000 known\n", paths[i], n, known);
		ms_symbols_module_close(m);
	}
	if (opened == 0)
		skip();
}

static const char parts_source[] =
	"int used = 3;\n"
	"int dropped[1000] = { 1 }, empty[0];\n"
	"extern char marker, holder[64];\n"
	"__asm__(\".data\\n\\t.globl marker, holder\\n\\t.type marker, "
	"%object\\n\\t.size marker, 0\\n\"\n"
	"	\"marker:\\n\\t.zero 16\\n\\t.type holder, %object\\n\\t.size holder, "
	"64\\nholder:\\n\\t.zero 64\\n\\t.text\");\n"
	"int main(void) { return used + marker + holder[3] + (empty == &used); }\n";

/* Debug information contains what the linker has dropped; labels and empty arrays have no size. */
static void test_what_is_not_there(void **state)
{
	size_t n;

	(void)state;
	build_write("parts.c", parts_source);
	build_run("gcc -g -O1 -fdata-sections -Wl,--gc-sections parts.c -o parts");
	struct ms_symbols_module *m = build_open("parts");
	const struct ms_symbols_variable *v = ms_symbols_module_variables(m, &n);

	expect_order(v, n);
	assert_non_null(find(v, n, "used"));
	assert_null(find(v, n, "dropped"));
	assert_null(find(v, n, "marker"));
	assert_null(find(v, n, "empty"));
	assert_int_equal(find(v, n, "holder")->size, 64);
	ms_symbols_module_close(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_c),
		cmocka_unit_test(test_offsets),
		cmocka_unit_test(test_symbol_table),
		cmocka_unit_test(test_what_is_not_there),
		cmocka_unit_test(test_cpp),
		cmocka_unit_test(test_fortran),
		cmocka_unit_test(test_system_libraries),
	};

	return cmocka_run_group_tests(tests, build_setup, build_teardown);
}
