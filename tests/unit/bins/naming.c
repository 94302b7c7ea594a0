/* bins/naming.c: names of heap data by the call paths of real programs. */
#include "bins/naming.h"
#include "unit/symbols/build.h"

struct want {
	const char *name;
	const char *full; /* NULL: not looked at */
};

static void compile(const char *command, const char *file, const char *source)
{
	print_message("%s\n", command);
	build_write("hook.c", build_hook_source);
	build_write(file, source);
	build_run("gcc -O1 -g0 -fno-builtin -c hook.c && %s %s hook.o -o named", command, file);
}

/* Names the paths that have a frame in `file`; they must be what is wanted, in order. */
static void expect_names(const char *file, const struct want *want, size_t wanted)
{
	static struct build_paths paths;
	struct ms_bins_data_name name = { 0 };
	size_t next = 0;

	build_paths_of("named", &paths);
	struct ms_symbols_module *m = build_open("named");
	for (size_t i = 0; i < paths.n; i++) {
		struct ms_bins_path_pc path[BUILD_DEEPEST];
		bool ours = false;

		for (size_t k = 0; k < paths.at[i].n; k++) {
			struct ms_symbols_frame f[32];
			size_t n = ms_symbols_module_frames(m, paths.at[i].pc[k] - 1, f, 32);

			ours |= n > 0 && f[n - 1].file != NULL &&
				strcmp(f[n - 1].file, build_path(file)) == 0;
			path[k] = (struct ms_bins_path_pc){ m, paths.at[i].pc[k] };
		}
		if (!ours)
			continue;
		ms_bins_name_heap(path, paths.at[i].n, &name);
		if (next >= wanted)
			fail_msg("one more than expected: %s", name.full.at);
		if (strcmp(name.name.at, want[next].name) != 0)
			fail_msg("got '%s' (%s), wanted '%s'", name.name.at, name.full.at,
				 want[next].name);
		if (want[next].full != NULL)
			assert_string_equal(name.full.at, want[next].full);
		next++;
	}
	assert_int_equal(next, wanted);
	ms_text_free(&name.name);
	ms_text_free(&name.full);
	ms_symbols_module_close(m);
}

static const char c_source[] =
	"#include <stdlib.h>\n"                                             /* 1 */
	"#include <stdio.h>\n"                                              /* 2 */
	"typedef struct { int n; double *cells; } Matrix;\n"                /* 3 */
	"struct node { struct node *next; };\n"                             /* 4 */
	"static struct node *head;\n"                                       /* 5 */
	"#define HIDE(p) __asm__ volatile(\"\" :: \"r\"(p) : \"memory\")\n" /* 6 */
	"WRAP void *xmalloc(size_t n)\n"                                    /* 7 */
	"{\n"                                                               /* 8 */
	"	void *p = malloc(n);\n"                                     /* 9 */
	"	if (p == NULL)\n"                                           /* 10 */
	"		exit(1);\n"                                         /* 11 */
	"	return p;\n"                                                /* 12 */
	"}\n"                                                               /* 13 */
	"WRAP Matrix *NewMatrix(int n)\n"                                   /* 14 */
	"{\n"                                                               /* 15 */
	"	Matrix *m = xmalloc(sizeof(*m));\n"                         /* 16 */
	"	m->cells = xmalloc(n * n * sizeof(double));\n"              /* 17 */
	"	m->n = n;\n"                                                /* 18 */
	"	return m;\n"                                                /* 19 */
	"}\n"                                                               /* 20 */
	"WRAP Matrix *Identity(int n)\n"                                    /* 21 */
	"{\n"                                                               /* 22 */
	"	return NewMatrix(n);\n"                                     /* 23 */
	"}\n"                                                               /* 24 */
	"WRAP void fill(double **out)\n"                                    /* 25 */
	"{\n"                                                               /* 26 */
	"	*out = xmalloc(8);\n"                                       /* 27 */
	"}\n"                                                               /* 28 */
	"int main(int argc, char **argv)\n"                                 /* 29 */
	"{\n"                                                               /* 30 */
	"	Matrix *X, *Y;\n"                                           /* 31 */
	"	double *r;\n"                                               /* 32 */
	"	(void)argv;\n"                                              /* 33 */
	"	X = NewMatrix(argc);\n"                                     /* 34 */
	"	Y = Identity(argc);\n"                                      /* 35 */
	"	head = xmalloc(sizeof(*head));\n"                           /* 36 */
	"	fill(&r);\n"                                                /* 37 */
	"	HIDE(NewMatrix(4));\n"                                      /* 38 */
	"	HIDE(xmalloc(4));\n"                                        /* 39 */
	"	char *copy = malloc(10);\n"                                 /* 40 */
	"	HIDE(X); HIDE(Y); HIDE(r); HIDE(copy); HIDE(head);\n"       /* 41 */
	"	return 0;\n"                                                /* 42 */
	"}\n";

static const struct want c_want[] = {
	{ "Matrix.X",
	  "main (named.c:34) > NewMatrix (named.c:16) > xmalloc (named.c:9) > Matrix.X" },
	{ "double.X->cells",
	  "main (named.c:34) > NewMatrix (named.c:17) > xmalloc (named.c:9) > double.X->cells" },
	{ "Matrix.Y", "main (named.c:35) > Identity (named.c:23) > NewMatrix (named.c:16) > "
		      "xmalloc (named.c:9) > Matrix.Y" },
	{ "double.Y->cells", NULL },
	{ "node.head", "main (named.c:36) > xmalloc (named.c:9) > node.head" },
	{ "double.*out",
	  "main (named.c:37) > fill (named.c:27) > xmalloc (named.c:9) > double.*out" },
	/* The caller does not store it: the name inside the wrapper. */
	{ "Matrix.m", NULL },
	{ "double.m->cells", NULL },
	{ "main (named.c:39)", "main (named.c:39) > xmalloc (named.c:9)" },
	{ "char.copy", "main (named.c:40) > char.copy" },
};

static void test_c(void **state)
{
	/* Inlined or not, the names must be the same. */
	static const char *const commands[] = {
		"gcc -fno-builtin -g -O0 -DWRAP=",
		"gcc -fno-builtin -gdwarf-4 -O2 -DWRAP='__attribute__((noinline))'"
		" -fno-optimize-sibling-calls",
		"gcc -fno-builtin -gdwarf-5 -O2"
		" -DWRAP='static inline __attribute__((always_inline))'",
		"gcc -fno-builtin -gdwarf-4 -O2 -no-pie"
		" -DWRAP='static inline __attribute__((always_inline))'",
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(commands); i++) {
		compile(commands[i], "named.c", c_source);
		expect_names("named.c", c_want, MS_COUNT(c_want));
	}
}

/* Functions that members point to are no methods, whatever they are called. */
static const char pointed_source[] =
	"#include <stdlib.h>\n"
	"struct order { int *rows; int n; };\n"
	"static int *seen;\n"
	"static struct order deal(int n)\n"
	"{\n"
	"	struct order o;\n"
	"	o.rows = malloc(n * sizeof(int));\n"
	"	o.n = n;\n"
	"	return o;\n"
	"}\n"
	"static void look(int n)\n"
	"{\n"
	"	seen = malloc(n * sizeof(int));\n"
	"}\n"
	"static const struct version { struct order (*assign)(int n); void (*push)(int n); }\n"
	"	versions[] = { { deal, look }, { NULL, NULL } };\n"
	"int main(int argc, char **argv)\n"
	"{\n"
	"	const struct version *volatile which = versions;\n"
	"	const struct version *version = which;\n"
	"	struct order order = { 0 };\n"
	"	(void)argv;\n"
	"	if (version->assign != NULL)\n"
	"		order = version->assign(argc);\n"
	"	version->push(argc);\n"
	"	return order.rows == seen;\n"
	"}\n";

static const struct want pointed_want[] = { { "int.order.rows", NULL }, { "int.seen", NULL } };

static void test_pointed(void **state)
{
	(void)state;
	for (int level = 0; level < 3; level++) {
		char command[64];

		snprintf(command, sizeof(command), "gcc -fno-builtin -g -O%d", level);
		compile(command, "named.c", pointed_source);
		expect_names("named.c", pointed_want, MS_COUNT(pointed_want));
	}
}

static const char cpp_source[] =
	"#include <cstdlib>\n"
	"#include <list>\n"
	"#include <map>\n"
	"#include <memory>\n"
	"#include <string>\n"
	"#include <vector>\n"
	"namespace geo {\n"
	"struct P { double x, y; };\n"
	"template <class T> class Grid {\n"
	"      public:\n"
	"	Grid(int n) : n_(n), cells_(new T[n * n]), rows_(n) { extra_ = new int[n]; }\n"
	"	void grow() { more_ = new T[100]; this->other_ = new P; }\n"
	"      private:\n"
	"	int n_;\n"
	"	T *cells_;\n"
	"	std::vector<T *> rows_;\n"
	"	int *extra_;\n"
	"	T *more_;\n"
	"	P *other_;\n"
	"};\n"
	"std::vector<double> table;\n"
	"}\n"
	"struct Owner {\n"
	"	std::vector<int> items;\n"
	"	geo::Grid<float> grid;\n"
	"	Owner(int n) : grid(n) { items.reserve(n); }\n"
	"}; struct Braced { int *p; std::vector<int> q;"
	" Braced(int n) : p{new int[n]}, q{n, n} {} };\n"
	"__attribute__((noinline)) void use(const void *p) { asm volatile(\"\" :: \"r\"(p) : "
	"\"memory\"); }\n"
	"std::vector<int> make_list(int n) { std::vector<int> v; v.resize(n); return v; }\n"
	"std::unique_ptr<geo::P> make_p() { return std::make_unique<geo::P>(); }\n"
	"geo::P *copy(const geo::P &p) { auto *q = new geo::P(p); return q; }\n"
	"int main(int argc, char **)\n"
	"{\n"
	"	int n = argc * 100;\n"
	"	auto x = new geo::P[n];\n"
	"	geo::Grid<double> g(n);\n"
	"	g.grow();\n"
	"	auto *gp = new geo::Grid<int>(n);\n"
	"	auto up = std::make_unique<geo::P>();\n"
	"	auto sp = std::make_shared<geo::P>();\n"
	"	std::unique_ptr<geo::P[]> ua(new geo::P[n]);\n"
	"	std::vector<int> v(n), w(n + 1);\n"
	"	v.push_back(1);\n"
	"	geo::table.resize(n);\n"
	"	std::map<int, int> names;\n"
	"	names[3] = 4;\n"
	"	Owner *op = new Owner(n);\n"
	"	op->items.reserve(n * 7);\n"
	"	auto l = make_list(n);\n"
	"	auto mp = make_p();\n"
	"	geo::P *c = copy(*x);\n"
	"	std::string s = \"another text that is too long for the small buffer\";\n"
	"	std::vector<Owner> owners;\n"
	"	owners.emplace_back(n);\n"
	"	double *d = static_cast<double *>(std::malloc(n)), *e{new double[n]};\n"
	"	std::vector<int> bb{1, 2, 3};\n"
	"	bb = {1, 2, 3, 4, 5};\n"
	"	Braced br(n); use(&br); use(&bb);\n"
	"	use(x); use(&g); use(gp); use(up.get()); use(sp.get()); use(ua.get()); "
	"use(v.data());\n"
	"	use(w.data()); use(op); use(l.data()); use(mp.get()); use(c); use(s.c_str()); "
	"use(d);\n"
	"	use(e);\n"
	"}\n";

static const struct want cpp_want[] = {
	{ "geo::P.x", "main (named.cc:35) > geo::P.x" },
	{ "double.g.cells_",
	  "main (named.cc:36) > geo::Grid<double>::Grid (named.cc:11) > double.g.cells_" },
	{ "std::vector<double*>.g.rows_", NULL },
	{ "int.g.extra_", NULL },
	{ "double.more_", NULL },
	{ "geo::P.other_", NULL },
	{ "geo::Grid<int>.gp", NULL },
	{ "int.gp->cells_", NULL },
	{ "std::vector<int*>.gp->rows_", NULL },
	{ "int.gp->extra_", NULL },
	{ "geo::P.up", NULL },
	{ "geo::P.sp", NULL },
	{ "geo::P.ua", NULL },
	{ "std::vector<int>.v", "main (named.cc:42) > std::vector<int>.v" },
	{ "std::vector<int>.w", "main (named.cc:42) > std::vector<int>.w" },
	{ "std::vector<int>.v", "main (named.cc:43) > std::vector<int>.v" },
	{ "std::vector<double>.geo::table", NULL },
	{ "std::map<int, int>.names (nodes)", NULL },
	{ "Owner.op", NULL },
	{ "float.op->grid.cells_", NULL },
	{ "std::vector<float*>.op->grid.rows_", NULL },
	{ "int.op->grid.extra_", NULL },
	{ "std::vector<int>.op->items", NULL },
	{ "std::vector<int>.op->items", NULL },
	{ "std::vector<int>.l",
	  "main (named.cc:49) > make_list (named.cc:29) > std::vector<int>.l" },
	{ "geo::P.mp", NULL },
	{ "geo::P.c", NULL },
	{ "std::string.s", NULL },
	{ "std::vector<Owner>.owners", NULL },
	{ "float.owners[].grid.cells_", NULL },
	{ "std::vector<float*>.owners[].grid.rows_", NULL },
	{ "int.owners[].grid.extra_", NULL },
	{ "std::vector<int>.owners[].items", NULL },
	{ "double.d", NULL },
	{ "double.e", NULL },
	{ "std::vector<int>.bb", NULL },
	{ "std::vector<int>.bb", NULL },
	{ "int.br.p", NULL },
	{ "std::vector<int>.br.q", NULL },
};

static void test_cpp(void **state)
{
	static const char *const commands[] = { "g++ -g -O0", "g++ -gdwarf-4 -O0", "g++ -g -O2" };

	(void)state;
	if (!build_has("g++"))
		skip();
	for (size_t i = 0; i < MS_COUNT(commands); i++) {
		compile(commands[i], "named.cc", cpp_source);
		expect_names("named.cc", cpp_want, MS_COUNT(cpp_want));
	}
}

static const char rust_source[] =
	"struct Point { x: f64, y: f64 }\n"
	"struct Store { items: Vec<Point> }\n"
	"impl Store {\n"
	"    #[inline(never)]\n"
	"    fn add(&mut self, x: f64) { self.items.push(Point { x, y: x }); }\n"
	"}\n"
	"#[inline(never)]\n"
	"fn make(n: usize) -> Vec<u64> {\n"
	"    let mut v = Vec::with_capacity(n);\n"
	"    v.push(n as u64);\n"
	"    v\n"
	"}\n"
	"#[inline(never)]\n"
	"fn tail(n: usize) -> Vec<u8> { vec![1; n] }\n"
	"#[inline(never)]\n"
	"fn work(n: usize) -> f64 {\n"
	"    let big: Vec<f64> = vec![0.5; n];\n"
	"    let mut w = Vec::<u32>::with_capacity(n);\n"
	"    w.push(3);\n"
	"    let list = make(n);\n"
	"    let t = tail(n);\n"
	"    let b = Box::new(Point { x: 1.0, y: 2.0 });\n"
	"    let mut s = Store { items: Vec::new() };\n"
	"    s.add(3.0);\n"
	"    std::hint::black_box(&b);\n"
	"    big[3] + w[0] as f64 + list[0] as f64 + t[0] as f64 + b.x + b.y + s.items[0].x + "
	"s.items[0].y\n"
	"}\n"
	"fn main() {\n"
	"    std::process::exit((work(100) > 1e9) as i32);\n"
	"}\n";

static const struct want rust_want[] = {
	{ "Vec<f64>.big", NULL },   { "Vec<u32>.w", NULL },
	{ "Vec<u64>.list", NULL },  { "Vec<u8>.t", NULL },
	{ "named::Point.b", NULL }, { "Vec<named::Point>.self.items", NULL },
};

static void test_rust(void **state)
{
	(void)state;
	if (!build_has("rustc"))
		skip();
	build_write("hook.c", build_hook_source);
	build_write("named.rs", rust_source);
	build_run("gcc -O1 -g0 -fno-builtin -c hook.c && "
		  "rustc -g -C link-arg=hook.o named.rs -o named 2>rustc.txt || { cat rustc.txt; "
		  "false; }");
	expect_names("named.rs", rust_want, MS_COUNT(rust_want));
}

/* No caller stores what is allocated: the top three functions distinguish it from others. */
static void test_functions(void **state)
{
	static const char source[] =
		"#include <stdlib.h>\n"                                             /* 1 */
		"#define HIDE(p) __asm__ volatile(\"\" :: \"r\"(p) : \"memory\")\n" /* 2 */
		"#define WRAP __attribute__((noinline))\n"                          /* 3 */
		"WRAP void one(void) { HIDE(malloc(1)); HIDE(0); }\n"               /* 4 */
		"WRAP void two(void) { one(); HIDE(0); }\n"                         /* 5 */
		"WRAP void three(void) { two(); HIDE(0); }\n"                       /* 6 */
		"int main(void)\n"                                                  /* 7 */
		"{\n"                                                               /* 8 */
		"	one();\n"                                                   /* 9 */
		"	two();\n"                                                   /* 10 */
		"	three();\n"                                                 /* 11 */
		"	return 0;\n"                                                /* 12 */
		"}\n";
	static const struct want want[] = {
		{ "one (named.c:4) < main:9", "main (named.c:9) > one (named.c:4)" },
		{ "one (named.c:4) < two:5 < main:10", NULL },
		{ "one (named.c:4) < two:5 < three:6",
		  "main (named.c:11) > three (named.c:6) > two (named.c:5) > one (named.c:4)" },
	};

	(void)state;
	compile("gcc -fno-builtin -g -O1 -fno-optimize-sibling-calls", "named.c", source);
	expect_names("named.c", want, MS_COUNT(want));
}

/* Without debug information: functions of the symbol table; without any: module and offset. */
static void test_no_debug_information(void **state)
{
	static struct build_paths paths;
	struct ms_bins_data_name name = { 0 };
	char want[64];

	(void)state;
	compile("gcc -fno-builtin -g0 -O0 -DWRAP=", "named.c", c_source);
	build_paths_of("named", &paths);
	struct ms_symbols_module *m = build_open("named");
	struct ms_bins_path_pc path[2] = { { m, paths.at[0].pc[0] }, { m, paths.at[0].pc[1] } };
	ms_bins_name_heap(path, 2, &name);
	assert_string_equal(name.name.at, "xmalloc (named) < NewMatrix");
	assert_string_equal(name.full.at, "NewMatrix (named) > xmalloc (named)");
	assert_null(name.type);
	ms_symbols_module_close(m);

	build_run("strip named");
	m = build_open("named");
	path[0].module = m;
	ms_bins_name_heap(path, 1, &name);
	snprintf(want, sizeof(want), "named+0x%lx", (unsigned long)path[0].offset);
	assert_string_equal(name.name.at, want);
	assert_string_equal(name.full.at, want);
	ms_symbols_module_close(m);

	path[0] = (struct ms_bins_path_pc){ NULL, 0x1234 };
	ms_bins_name_heap(path, 1, &name);
	assert_string_equal(name.name.at, "0x1234");
	ms_bins_name_heap(path, 0, &name);
	assert_string_equal(name.name.at, "<unknown>");
	ms_text_free(&name.name);
	ms_text_free(&name.full);
}

/* A line of a header may belong to a function of the user's, by a macro; and the other way round.
 */
static void test_library_functions(void **state)
{
	static const struct {
		struct ms_symbols_frame frame;
		bool library;
	} cases[] = {
		{ { .function = "f", .file = "/home/u/a.c", .decl_file = "/home/u/a.c" }, false },
		{ { .function = "f", .file = "/usr/include/x.h", .decl_file = "/home/u/a.c" },
		  false },
		{ { .function = "f", .file = "/home/u/a.c", .decl_file = "/usr/include/x.h" },
		  true },
		{ { .function = "f", .file = "/usr/include/x.h" }, true },
		{ { .function = "f", .file = "/home/u/a.c" }, false },
		{ { .function = "malloc", .file = "/home/u/a.c" }, true },
		{ { .function = "std::vector<int>::grow", .file = "/home/u/a.cc" }, true },
		{ { .function = "stdio", .file = NULL }, false },
		{ { .function = NULL, .file = "/usr/include/x.h" }, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		if (ms_bins_is_library_name(&cases[i].frame) != cases[i].library)
			fail_msg("case %zu", i);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_library_functions),
		cmocka_unit_test(test_c),
		cmocka_unit_test(test_pointed),
		cmocka_unit_test(test_cpp),
		cmocka_unit_test(test_rust),
		cmocka_unit_test(test_functions),
		cmocka_unit_test(test_no_debug_information),
	};

	return cmocka_run_group_tests(tests, build_setup, build_teardown);
}
