/* What data is called from run to run. */
#include "unit/sample_run.h"

#include "base/text.h"
#include "run/key.h"

static const struct key_case {
	int line;
	enum ms_run_data_kind kind;
	const char *name;
	const char *full;
	const char *key;
} cases[] = {
#define CASE(kind, name, full, key)                       \
	{                                                 \
		__LINE__, MS_DATA_##kind, name, full, key \
	}
	CASE(HEAP, "Matrix.Y", "main (matmul.c:40) > NewMatrix (matmul.c:12) > Matrix.Y",
	     "Matrix.Y < NewMatrix < main"),
	CASE(HEAP, "Matrix.Y#2", "main (matmul.c:47) > NewMatrix (matmul.c:12) > Matrix.Y",
	     "Matrix.Y < NewMatrix < main"),
	CASE(HEAP, "insert (tree.c:12) < build:40 < main:7",
	     "main (tree.c:7) > build (tree.c:40) > insert (tree.c:12)", "insert < build < main"),
	CASE(HEAP, "libc.so.6+0x12f0 < main:7", "main (a.c:7) > libc.so.6+0x12f0",
	     "libc.so.6 < main"),
	CASE(HEAP, "strdup (libc.so.6) < main:7", "main (a.c:7) > strdup (libc.so.6)",
	     "strdup < main"),
	CASE(HEAP, "std::set<int>.seen (nodes)", "main (a.cc:7) > std::set<int>.seen (nodes)",
	     "std::set<int>.seen (nodes) < main"),
	CASE(HEAP, "double*.M.nz", "main (a.c:7) > double*.M.nz", "double*.M.nz < main"),
	CASE(HEAP, "void (*)(int).hooks", "main (a.c:7) > void (*)(int).hooks",
	     "void (*)(int).hooks < main"),
	CASE(HEAP, "Box.b",
	     "main (a.cc:7) > make<std::vector<int, std::allocator<int> > > (a.cc:3) > Box.b",
	     "Box.b < make<std::vector<int, std::allocator<int> > > < main"),
	CASE(HEAP, "x", "Pair::Pair(int, int) (a.cc:7) > x", "x < Pair::Pair(int, int)"),
	CASE(HEAP, "<unknown>", "<unknown>", "<unknown>"),
	CASE(HEAP, "odd", "", "odd"),
	CASE(MAPPED, "int.ring", "main (a.c:7) > int.ring", "int.ring < main"),
	CASE(STATIC, "counter", "counter (count.c:12) in /home/u/count", "counter @ count.c"),
	CASE(STATIC, "counter#2", "counter (other.c:3) in /home/u/count", "counter @ other.c"),
	CASE(STATIC, "environ", "environ in /lib/libc.so.6", "environ @ libc.so.6"),
	CASE(STATIC, "operator#3", "operator#3 in /lib/odd.so", "operator#3 @ odd.so"),
	CASE(TLS, "mine", "mine (t.c:1) in /home/u/t", "mine @ t.c"),
	CASE(STACK, "<stack>", "<stack>", "<stack>"),
	CASE(SECTION, "libc.so.6[.data]", ".data of /lib/libc.so.6, outside any variable",
	     "libc.so.6[.data]"),
	CASE(NAMED, "pool", "pool", "pool"),
};

static void test_keys(void **state)
{
	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		struct ms_text key = MS_TEXT_INIT;
		struct ms_run_data data = { .kind = cases[i].kind,
					    .name = cases[i].name,
					    .full_name = cases[i].full };

		ms_run_data_key(&key, &data);
		if (strcmp(ms_text_get(&key), cases[i].key) != 0)
			fail_msg("line %d: \"%s\", expected \"%s\"", cases[i].line,
				 ms_text_get(&key), cases[i].key);
		ms_text_free(&key);
	}
}

static void add_heap(struct ms_run *run, const char *name, const char *full)
{
	SAMPLE_ADD(&run->data,
		   (struct ms_run_data){ .kind = MS_DATA_HEAP, .name = name, .full_name = full });
}

/* The order of the two does not matter, nor does how many digits a line number has. */
static void test_same_keys(void **state)
{
	struct ms_run run = { .id = 1 };
	struct ms_run_keys keys;

	(void)state;
	add_heap(&run, "node.n", "main (a.c:103) > node.n");
	add_heap(&run, "other.o", "main (a.c:50) > other.o");
	add_heap(&run, "node.n#2", "main (a.c:97) > node.n");
	ms_run_keys_make(&keys, &run);
	assert_int_equal(keys.n, 3);
	assert_string_equal(keys.at[0], "node.n < main#2");
	assert_string_equal(keys.at[1], "other.o < main");
	assert_string_equal(keys.at[2], "node.n < main");
	ms_run_keys_free(&keys);
	ms_run_free(&run);
}

static void add_variable(struct ms_run *run, const char *name, const char *full)
{
	SAMPLE_ADD(&run->data,
		   (struct ms_run_data){ .kind = MS_DATA_STATIC, .name = name, .full_name = full });
}

/* A run that used some of them only has the same keys for these. */
static void test_keys_of_symbols_without_source(void **state)
{
	struct ms_run run = { .id = 1 };
	struct ms_run_keys keys;

	(void)state;
	add_variable(&run, "buffer#3", "buffer in /lib/libc.so.6");
	add_variable(&run, "buffer", "buffer in /lib/libc.so.6");
	add_variable(&run, "count#2", "count (b.c:3) in /home/u/prog");
	ms_run_keys_make(&keys, &run);
	assert_string_equal(keys.at[0], "buffer @ libc.so.6#3");
	assert_string_equal(keys.at[1], "buffer @ libc.so.6");
	assert_string_equal(keys.at[2], "count @ b.c");
	ms_run_keys_free(&keys);
	ms_run_free(&run);
}

/* Allocations of code without symbols for its lines: the number in the name decides, not the order.
 */
static void test_same_full_names(void **state)
{
	struct ms_run run = { .id = 1 };
	struct ms_run_keys keys;

	(void)state;
	add_heap(&run, "f (x.so) < main#10", "main (x) > f (x.so)");
	add_heap(&run, "f (x.so) < main#9", "main (x) > f (x.so)");
	add_heap(&run, "f (x.so) < main", "main (x) > f (x.so)");
	ms_run_keys_make(&keys, &run);
	assert_string_equal(keys.at[0], "f < main#3");
	assert_string_equal(keys.at[1], "f < main#2");
	assert_string_equal(keys.at[2], "f < main");
	ms_run_keys_free(&keys);
	ms_run_free(&run);
}

static void test_no_data(void **state)
{
	struct ms_run run = { .id = 1 };
	struct ms_run_keys keys;

	(void)state;
	ms_run_keys_make(&keys, &run);
	assert_int_equal(keys.n, 0);
	ms_run_keys_free(&keys);
}

static void test_plain_name(void **state)
{
	static const char *const names[][2] = {
		{ "list#2", "list" }, { "list", "list" }, { "#2", "#2" }, { "a#", "a#" }
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(names); i++) {
		struct ms_text name = MS_TEXT_INIT;

		ms_run_data_plain_name(&name, &(struct ms_run_data){ .name = names[i][0] });
		assert_string_equal(name.at, names[i][1]);
		ms_text_free(&name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keys),
		cmocka_unit_test(test_same_keys),
		cmocka_unit_test(test_keys_of_symbols_without_source),
		cmocka_unit_test(test_same_full_names),
		cmocka_unit_test(test_no_data),
		cmocka_unit_test(test_plain_name),
	};

	(void)sample_run;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
