/* Which threads were in windows at the same time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "estimate/concurrency.h"

/* Threads 1 and 2 execute so many instructions in a window of 100 references. */
struct window {
	uint64_t one, other;
	bool ended; /* the second one, before it */
	double alone;
};

static const struct window windows[] = {
	{ 1000, 0, false, 0 },    /* there is no other yet */
	{ 1000, 1000, false, 0 }, /* both all the time */
	{ 1000, 0, false, 100 },  /* one of them only */
	{ 0, 500, false, 100 },   /* the other */
	{ 1000, 250, false, 60 }, /* for three quarters of its time */
	{ 1000, 0, true, 0 },     /* all that there is */
	{ 0, 0, true, 0 },        /* nothing happens */
};

static void finds_threads_alone_in_a_window(void **state)
{
	struct ms_estimate_concurrency together = { MS_VEC_INIT, 0, 0 };
	uint64_t clock[2] = { 0, 0 };
	double alone = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(windows) / sizeof(*windows); i++) {
		const struct window *w = &windows[i];

		if (w->ended)
			ms_estimate_end_thread(&together, 2);
		if (w->one > 0)
			ms_estimate_add_clock(&together, 1, clock[0] += w->one);
		if (w->other > 0)
			ms_estimate_add_clock(&together, 2, clock[1] += w->other);
		ms_estimate_close_window(&together, 100);
		alone += w->alone;
		assert_true(together.alone == alone);
	}
	assert_true(together.references == 700);
	/* Another thread that has its number begins at nothing. */
	ms_estimate_add_clock(&together, 1, clock[0] += 100);
	ms_estimate_add_clock(&together, 2, 100);
	ms_estimate_close_window(&together, 100);
	assert_true(together.alone == alone);
	ms_vec_free(&together.threads);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(finds_threads_alone_in_a_window) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
