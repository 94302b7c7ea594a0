/*
 * symbols/receiver.c: the variable that receives the result of a call.
 *
 * The sources contain the expected results: "//= expression|type|R" after the call, R if it is
 * returned, one for each call on that line, separated by " ; "; "-" if there is no receiver.
 */
#include "unit/symbols/build.h"

enum { MOST_LINES = 200 };

struct wants {
	char *next[MOST_LINES]; /* what the next call on each line must give; NULL: nothing left */
	size_t n;               /* how many there are in all */
};

/* Finds the marks in the text, which is cut up for them. */
static void read_wants(char *text, const char *mark, struct wants *w)
{
	size_t line = 1;
	char *save = NULL;

	memset(w, 0, sizeof(*w));
	for (char *p = text; *p != '\0'; p++) {
		if (*p == '\n')
			line++;
		if (line < MOST_LINES && strncmp(p, mark, strlen(mark)) == 0)
			w->next[line] = p + strlen(mark);
	}
	(void)strtok_r(text, "\n", &save);
	while (strtok_r(NULL, "\n", &save) != NULL)
		continue;
	for (line = 1; line < MOST_LINES; line++)
		for (const char *p = w->next[line]; p != NULL; p = strstr(p + 1, " ; "))
			w->n++;
}

static void expect_receiver(struct ms_symbols_module *m, uint64_t pc, struct wants *w)
{
	char got[256] = "-", want[256];
	struct ms_symbols_receiver r;
	struct ms_symbols_frame f;

	assert_true(ms_symbols_module_frames(m, pc - 1, &f, 1) == 1);
	assert_true(f.line < MOST_LINES);
	if (w->next[f.line] == NULL)
		fail_msg("line %u: one more call than expected", f.line);
	char *end = strstr(w->next[f.line], " ; ");
	snprintf(want, sizeof(want), "%.*s",
		 end != NULL ? (int)(end - w->next[f.line]) : (int)strlen(w->next[f.line]),
		 w->next[f.line]);
	w->next[f.line] = end != NULL ? end + 3 : NULL;
	if (ms_symbols_module_receiver(m, pc, &r))
		snprintf(got, sizeof(got), "%s|%s|%s", r.expression, r.type != NULL ? r.type : "",
			 r.returned ? "R" : "");
	if (strcmp(got, want) != 0)
		fail_msg("line %u:%u: got '%s', wanted '%s'", f.line, f.column, got, want);
}

/*
 * Compiles `file` with `command`, runs it and compares every call that it makes; the file that
 * `gone` names is removed before, unless it is NULL.
 */
static void expect_without(const char *gone, const char *file, const char *source,
			   const char *command, const char *mark)
{
	static struct build_paths paths;
	struct wants wants;
	char *text = strdup(source);

	print_message("%s\n", command);
	build_write("hook.c", build_hook_source);
	build_write(file, source);
	read_wants(text, mark, &wants);
	assert_true(wants.n > 0);
	build_run("gcc -O1 -g0 -fno-builtin -c hook.c && %s %s hook.o -o calls", command, file);
	build_paths_of("calls", &paths);
	if (gone != NULL)
		build_run("rm %s", gone);
	struct ms_symbols_module *m = build_open("calls");
	size_t asked = 0;
	for (size_t i = 0; i < paths.n; i++) {
		struct ms_symbols_frame f[8];
		size_t n = paths.at[i].n > 0
				   ? ms_symbols_module_frames(m, paths.at[i].pc[0] - 1, f, 8)
				   : 0;

		/* Calls from the hook itself and from the language's runtime are not ours. */
		if (n == 0 || f[0].file == NULL || strstr(f[0].file, "hook.c") != NULL ||
		    strncmp(f[0].file, build_path(""), strlen(build_path(""))) != 0)
			continue;
		expect_receiver(m, paths.at[i].pc[0], &wants);
		asked++;
	}
	assert_int_equal(asked, wants.n);
	ms_symbols_module_close(m);
	free(text);
}

static void expect_all(const char *file, const char *source, const char *command, const char *mark)
{
	expect_without(NULL, file, source, command, mark);
}

static const char c_source[] =
	"#include <stdlib.h>\n"
	"#include <string.h>\n"
	"typedef struct Matrix { int n; double *cells; char **names; } Matrix;\n"
	"typedef double *Vector;\n"
	"struct node { struct node *next; int v; };\n"
	"double *table[10];\n"
	"static struct node *head;\n"
	"static Matrix global;\n"
	"__attribute__((noinline)) void use(const void *p) { __asm__ volatile(\"\" :: \"r\"(p) : "
	"\"memory\"); }\n"
	"__attribute__((noinline)) void *same(void *p) { use(p); return p; }\n"
	"#define NEW(T, n) ((T *)malloc((n) * sizeof(T)))\n"
	"#define fill(n, to) ((to) = malloc(n))\n"
	"#define COPY(from, to) ((to) = malloc(8 + ((from) != 0)))\n"
	"__attribute__((noinline)) Matrix *make(int n)\n"
	"{\n"
	"	Matrix *m = malloc(sizeof *m); //= |Matrix|R\n"
	"	use(m);\n"
	"	m->cells = malloc(n * sizeof(double)); //= ->cells|double|R\n"
	"	m->names = calloc(n, sizeof(char *)); //= ->names|char *|R\n"
	"	m->names[1] = malloc(n); //= ->names[1]|char|R\n"
	"	return m;\n"
	"}\n"
	"__attribute__((noinline)) void *direct(int n)\n"
	"{\n"
	"	use(table);\n"
	"	void *tmp = malloc(n); //= ||R\n"
	"	if (tmp == NULL)\n"
	"		exit(1);\n"
	"	return (float *)tmp;\n"
	"}\n"
	"__attribute__((noinline)) struct node *at_once(int n)\n"
	"{\n"
	"	if (n > 100)\n"
	"		return NULL;\n"
	"	return same(malloc(n)); //= -\n"
	"}\n"
	"__attribute__((noinline)) struct node *fresh(int n)\n"
	"{\n"
	"	use(&n);\n"
	"	struct node *p = n > 100 ? NULL : malloc(n); //= |node|R\n"
	"	use(p);\n"
	"	return p;\n"
	"}\n"
	"__attribute__((noinline)) int out(double **result, Matrix *q, void **any)\n"
	"{\n"
	"	*result = malloc(80); //= *result|double|\n"
	"	q->cells = malloc(80); //= q->cells|double|\n"
	"	*any = malloc(sizeof(struct node)); //= *any|node|\n"
	"	return posix_memalign((void **)&q->names, 64, 640) + //= q->names|char *|\n"
	"	       posix_memalign(any, 64, 640); //= *any||\n"
	"}\n"
	"int main(int argc, char **argv)\n"
	"{\n"
	"	int n = argc * 10;\n"
	"	double *a = malloc(n), *b = (double *)malloc(n); //= a|double| ; b|double|\n"
	"	Vector vec = malloc(n * sizeof *vec); //= vec|double|\n"
	"	use(a); use(b); use(vec);\n"
	"	for (int i = 0; i < 1; i++)\n"
	"		table[i] = malloc(8); //= table[]|double|\n"
	"	if ((head = (struct node *)malloc(sizeof *head)) == NULL) //= head|node|\n"
	"		return 1;\n"
	"	head->next = /* x = y(); */ malloc( //= head->next|node|\n"
	"		sizeof(struct node));\n"
	"	global.cells =\n"
	"		malloc(n); //= global.cells|double|\n"
	"	void *any = malloc(n * sizeof(int)); //= any|int|\n"
	"	void *cast = (struct node *)malloc(n); //= cast|node|\n"
	"	void *raw = malloc(n); //= raw||\n"
	"	use(any); use(cast); use(raw);\n"
	"	char *text = strcpy(malloc(20), \"a = b;\"); //= text|char|\n"
	"	use(text);\n"
	"	use(malloc(n)); //= -\n"
	"	int *z = NEW(int, 12); //= z|int|\n"
	"	use(z);\n"
	"	struct node here = { .v = 1, .next = malloc(sizeof here) }; //= here.next|node|\n"
	"	use(&here);\n"
	"	{ float *a = malloc(3); use(a); } //= a|float|\n"
	"	a = realloc(a, 100); //= a|double|\n"
	"	use(a);\n"
	"	Matrix *grid[2][3];\n"
	"	grid[1][n % 3] = malloc(sizeof(Matrix)); //= grid[1][]|Matrix|\n"
	"	use(grid);\n"
	"	static struct node *kept;\n"
	"	kept = malloc(sizeof *kept); //= kept|node|\n"
	"	use(kept);\n"
	"	argv[0] = malloc(3); //= argv[0]|char|\n"
	"	use(argv[0]);\n"
	"	(*argv) = malloc(3); //= (*argv)|char|\n"
	"	use(*argv);\n"
	"	fill(n, *argv); //= *argv|char|\n"
	"	fill(n, global.cells); //= global.cells|double|\n"
	"	COPY(a + n, head->next); //= head->next|node|\n"
	"	use(*argv); use(&global); use(head);\n"
	"	out(&b, make(n), &any); use(fresh(n)); use(at_once(n)); use(direct(n));\n"
	"	return 0;\n"
	"}\n";

static void test_c(void **state)
{
	(void)state;
	expect_all("calls.c", c_source, "gcc -fno-builtin -g -O0", "//= ");
	expect_all("calls.c", c_source, "gcc -fno-builtin -gdwarf-4 -O0", "//= ");
	expect_all("calls.c", c_source, "gcc -fno-builtin -gdwarf-5 -O2", "//= ");
	expect_all("calls.c", c_source, "gcc -fno-builtin -gdwarf-4 -O2", "//= ");
}

static void test_clang(void **state)
{
	(void)state;
	if (!build_has("clang"))
		skip();
	expect_all("calls.c", c_source, "clang -fno-builtin -g -O0", "//= ");
	expect_all("calls.c", c_source, "clang -fno-builtin -g -O2", "//= ");
}

static void test_without_columns(void **state)
{
	static const char source[] = "#include <stdlib.h>\n"
				     "void *one(int n) { void *p = malloc(n); return p; } //= ||R\n"
				     "int main(void)\n"
				     "{\n"
				     "	int *x = malloc(3); //= x|int|\n"
				     "	if ((*x = 3) == 3)\n"
				     "		x = calloc(3, //= x|int|\n"
				     "			   sizeof(int));\n"
				     "	double *y = one(3);\n"
				     "	return x == NULL && y == NULL;\n"
				     "}\n";

	(void)state;
	expect_all("nocol.c", source, "gcc -fno-builtin -g -O0 -gno-column-info", "//= ");
}

static void test_missing_source(void **state)
{
	static struct build_paths paths;
	struct ms_symbols_receiver r;

	(void)state;
	build_write("hook.c", build_hook_source);
	build_write("gone.c", "#include <stdlib.h>\n\n\n\nint main(void)\n{\n"
			      "	int *x = malloc(3);\n	return x == NULL;\n}\n");
	build_run("gcc -O1 -g0 -fno-builtin -c hook.c && "
		  "gcc -g -fno-builtin gone.c hook.o -o gone && cp gone.c kept.c");
	build_paths_of("gone", &paths);
	assert_int_equal(paths.n, 1);

	struct ms_symbols_module *m = build_open("gone");
	assert_true(ms_symbols_module_receiver(m, paths.at[0].pc[0], &r));
	assert_string_equal(r.expression, "x");
	assert_string_equal(r.type, "int");
	ms_symbols_module_close(m);

	build_write("gone.c", "int other;\n"); /* shorter than the line asked for */
	m = build_open("gone");
	assert_true(ms_symbols_module_receiver(m, paths.at[0].pc[0], &r));
	assert_string_equal(r.expression, "x");
	ms_symbols_module_close(m);

	const char *missing = NULL;
	build_run("rm gone.c");
	m = build_open("gone");
	assert_int_equal(ms_symbols_module_missing_sources(m, &missing), 0); /* none was needed */
	assert_true(ms_symbols_module_receiver(m, paths.at[0].pc[0], &r));
	assert_string_equal(r.expression, "x");
	assert_string_equal(r.type, "int");
	assert_int_equal(ms_symbols_module_missing_sources(m, &missing), 1);
	assert_string_equal(missing, build_path("gone.c"));
	ms_symbols_module_close(m);

	build_run("cp kept.c gone.c && strip gone");
	m = build_open("gone");
	assert_false(ms_symbols_module_receiver(m, paths.at[0].pc[0], &r));
	assert_false(ms_symbols_module_receiver(m, 0, &r));
	ms_symbols_module_close(m);
}

static const char generated_source[] =
	"#include <stdlib.h>\n"
	"struct matrix { double *cells; };\n"
	"static struct matrix *table;\n"
	"__attribute__((noinline)) struct matrix *make(int n)\n"
	"{\n"
	"	struct matrix *m = malloc(sizeof(*m)); //? |matrix|R\n"
	"	if (n > 3) n++;\n"
	"	m->cells = malloc(n); //? ->cells|double|R\n"
	"	return m;\n"
	"}\n"
	"int main(void)\n"
	"{\n"
	"	int *a = malloc(3), *b = malloc(4); //? a|int| ; b|int|\n"
	"	int n = 0, *odd = malloc(5); //? odd|int|\n"
	"	double *late;\n"
	"	a[0] = 3;\n"
	"	late = malloc(a[0]); //? late|double|\n"
	"	b[0] = 2;\n"
	"	late[0] = 2;\n"
	"	__asm__ volatile(\"\" : : \"r\"(a), \"r\"(b), \"r\"(late) : \"memory\");\n"
	"	table = make(n);\n"
	"	return a[0] + b[0] + odd[0] == 1 && late[0] == table->cells[0];\n"
	"}\n";

static void test_without_source(void **state)
{
	static const char *const commands[] = {
		"gcc -fno-builtin -g -O0",        "gcc -fno-builtin -g -O2",
		"gcc -fno-builtin -gdwarf-4 -O3", "clang -fno-builtin -g -O0",
		"clang -fno-builtin -g -O2",
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(commands); i++)
		if (commands[i][0] != 'c' || build_has("clang"))
			expect_without("gen.c", "gen.c", generated_source, commands[i], "//? ");
}

static const char fortran_source[] =
	"module solver\n"
	"  implicit none\n"
	"  real(8), allocatable :: grid(:,:)\n"
	"  type field\n"
	"    real(4), allocatable :: values(:)\n"
	"  end type\n"
	"contains\n"
	"  subroutine setup(f, n)\n"
	"    type(field), intent(inout) :: f\n"
	"    integer, intent(in) :: n\n"
	"    ALLOCATE(f%values(n)) !!= f%values|real(kind=4)|\n"
	"    deallocate(f%values)\n"
	"    allocate(F%VALUES(n)) !!= F%VALUES|real(kind=4)|\n"
	"    allocate( & ! (the comment\n"
	"      Grid(n, n)) !!= Grid|real(kind=8)|\n"
	"  end subroutine\n"
	"end module\n"
	"program main\n"
	"  use solver\n"
	"  implicit none\n"
	"  integer, allocatable :: a(:), c(:), d(:)\n"
	"  type(field) :: fld\n"
	"  allocate(a(100)) !!= a|integer(kind=4)|\n"
	"  allocate(c(10), d(20)) !!= c|integer(kind=4)| ; d|integer(kind=4)|\n"
	"  call setup(fld, 100)\n"
	"  a(1) = 3\n"
	"  if (a(1) > 4) print *, a, c, d, fld%values, grid\n"
	"end program\n";

static void test_fortran(void **state)
{
	(void)state;
	if (!build_has("gfortran"))
		skip();
	expect_all("calls.f90", fortran_source, "gfortran -g -O0", "!!= ");
}

/* What is not what it looks like. */
static const char edges_source[] =
	"#include <stdint.h>\n"
	"#include <stdlib.h>\n"
	"typedef struct { int n; double *cells; struct { double *inside; }; } Matrix;\n"
	"static double *late, *split;\n"
	"static Matrix outer;\n"
	"static uintptr_t number;\n"
	"void use(const void *p) { __asm__ volatile(\"\" :: \"r\"(p) : \"memory\"); }\n"
	"double *cells(int n)\n"
	"{\n"
	"	Matrix *m = malloc(sizeof *m); //= m|Matrix|\n"
	"	m->cells = malloc(n); //= m->cells|double|\n"
	"	return m->cells;\n"
	"}\n"
	"int main(int argc, char **argv)\n"
	"{\n"
	"	late = malloc(argc); //= late|double|\n"
	"	char *late = argv[0];\n"
	"	number = malloc(argc); //= -\n"
	"	split = // other = f(\n"
	"		malloc(argc); //= split|double|\n"
	"	outer.inside = malloc(argc); //= outer.inside|double|\n"
	"	use(late); use(&number); use(split); use(&outer); use(cells(argc));\n"
	"	return 0;\n"
	"}\n";

static void test_edges(void **state)
{
	(void)state;
	expect_all("edges.c", edges_source, "gcc -fno-builtin -w -g -O0", "//= ");
}

static const char cpp_source[] =
	"#include <cstdlib>\n"
	"static void *(*get)(size_t) = malloc;\n"
	"static char *digits;\n"
	"int main(int argc, char **)\n"
	"{\n"
	"	get(3); //= -\n"
	"	digits = 1'000 > argc ? (char *)malloc(8) : 0; //= digits|char|\n"
	"	__asm__ volatile(\"\" :: \"r\"(digits) : \"memory\");\n"
	"	return 0;\n"
	"}\n";

static void test_cpp_edges(void **state)
{
	(void)state;
	expect_all("edges.cc", cpp_source, "g++ -fno-builtin -g -O0", "//= ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_c),
		cmocka_unit_test(test_edges),
		cmocka_unit_test(test_cpp_edges),
		cmocka_unit_test(test_clang),
		cmocka_unit_test(test_without_columns),
		cmocka_unit_test(test_missing_source),
		cmocka_unit_test(test_without_source),
		cmocka_unit_test(test_fortran),
	};

	return cmocka_run_group_tests(tests, build_setup, build_teardown);
}
