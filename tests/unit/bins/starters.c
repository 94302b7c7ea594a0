/* bins/starters.c: what calls main() and the functions of threads, and what only looks like it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "bins/starters.h"

static const struct {
	const char *function, *file;
	bool called;    /* where somebody has called it */
	bool outermost; /* where no frame matches */
} cases[] = {
	{ "_start", NULL, true, true },
	{ "__libc_start_main@@GLIBC_2.34", NULL, true, true },
	{ "__libc_start_call_main", "../sysdeps/nptl/libc_start_call_main.h", true, true },
	{ "start_thread", "./nptl/pthread_create.c", true, true },
	{ "clone3", NULL, true, true },
	{ "main", "a.c", false, false },
	{ "start_threads", "a.c", false, false },
	{ "clone_tree", NULL, false, false },
	/* Within clone() on aarch64; and how programs call their own functions. */
	{ "thread_start", "../sysdeps/unix/sysv/linux/aarch64/clone.S", false, true },
	{ "thread_start", NULL, false, true },
	{ "thread_start", "a.c", false, false },
	{ NULL, NULL, false, false },
};

static void test_starters(void **state)
{
	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		struct ms_symbols_frame frame = { .function = cases[i].function,
						  .file = cases[i].file };

		print_message("%s in %s\n", frame.function ? frame.function : "nothing",
			      frame.file ? frame.file : "no file");
		assert_int_equal(ms_bins_is_starter(&frame, false), cases[i].called);
		assert_int_equal(ms_bins_is_starter(&frame, true), cases[i].outermost);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_starters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
