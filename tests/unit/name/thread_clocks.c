/* How long threads compute, stall and wait: small scenarios with known times. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "name/thread_clocks.h"

struct expected_wait {
	uint32_t thread, reason, path;
	uint64_t times, cycles;
};

static void check(struct ms_name_clocks *c, const uint64_t *instructions, const uint64_t *stalls,
		  const uint64_t *elapsed, const struct expected_wait *waits, size_t n)
{
	struct ms_name_clocks_times times;

	ms_name_clocks_finish(c, instructions, stalls, &times);
	for (size_t i = 0; i < times.threads.n; i++)
		assert_int_equal(times.threads.at[i].elapsed, elapsed[i]);
	assert_int_equal(times.waits.n, n);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(times.waits.at[i].thread, waits[i].thread);
		assert_int_equal(times.waits.at[i].reason, waits[i].reason);
		assert_int_equal(times.waits.at[i].path, waits[i].path);
		assert_int_equal(times.waits.at[i].times, waits[i].times);
		assert_int_equal(times.waits.at[i].cycles, waits[i].cycles);
	}
	ms_name_clocks_times_free(&times);
	ms_name_clocks_close(c);
}

/* One makes another at 100, and waits for its end at 900. */
static void join(void **state)
{
	const uint64_t instructions[] = { 150, 0, 0, 800 }, none[4] = { 0 };
	const struct expected_wait waits[] = { { 0, MS_WAIT_JOIN, 7, 1, 780 } };
	struct ms_name_clocks *c = ms_name_clocks_open();
	uint32_t first = ms_name_clocks_begin(c, MS_NAME_CLOCKS_UNKNOWN);

	(void)state;
	ms_name_clocks_set(c, first, 100, 1);
	uint32_t second = ms_name_clocks_begin(c, first);
	ms_name_clocks_set(c, first, 120, 2);
	ms_name_clocks_wait(c, first, MS_WAIT_JOIN, 7);
	ms_name_clocks_set(c, second, 800, 1);
	ms_name_clocks_end(c, second, false);
	ms_name_clocks_wake(c, first, second);
	ms_name_clocks_set(c, first, 150, 1);
	ms_name_clocks_end(c, first, false);
	check(c, instructions, none, (uint64_t[]){ 930, 800 }, waits, 1);
}

/* The program ends while one waits: it is woken, does nothing more, and ends too. Another could
 * have gone on, a third has ended by itself. */
static void killed(void **state)
{
	const uint64_t instructions[] = { 120, 0, 500, 0, 0, 0 }, none[6] = { 0 };
	struct ms_name_clocks *c = ms_name_clocks_open();
	struct ms_name_clocks_times times;
	uint32_t first = ms_name_clocks_begin(c, MS_NAME_CLOCKS_UNKNOWN);

	(void)state;
	ms_name_clocks_set(c, first, 100, 1);
	uint32_t second = ms_name_clocks_begin(c, first);
	ms_name_clocks_set(c, first, 120, 2);
	ms_name_clocks_wait(c, first, MS_WAIT_JOIN, 7);
	ms_name_clocks_set(c, second, 500, 1);
	ms_name_clocks_wake(c, first, MS_NAME_CLOCKS_UNKNOWN);
	uint32_t third = ms_name_clocks_begin(c, first);
	ms_name_clocks_end(c, first, true);
	ms_name_clocks_end(c, second, true);
	ms_name_clocks_end(c, third, false);
	ms_name_clocks_finish(c, instructions, none, &times);
	assert_int_equal(times.threads.at[0].end, MS_THREAD_WAITING);
	assert_int_equal(times.threads.at[1].end, MS_THREAD_RUNNING);
	assert_int_equal(times.threads.at[2].end, MS_THREAD_ENDED);
	assert_int_equal(times.threads.at[0].elapsed, 600);
	assert_int_equal(times.waits.n, 1);
	assert_int_equal(times.waits.at[0].times, 1);
	assert_int_equal(times.waits.at[0].cycles, 480);
	ms_name_clocks_times_free(&times);
	ms_name_clocks_close(c);
}

/* The same, when the second thread stalls twice as long as it computes. */
static void stalls(void **state)
{
	const uint64_t instructions[] = { 150, 0, 0, 800 }, cycles[] = { 0, 0, 0, 1600 };
	const struct expected_wait waits[] = { { 0, MS_WAIT_JOIN, 7, 1, 2380 } };
	struct ms_name_clocks *c = ms_name_clocks_open();
	uint32_t first = ms_name_clocks_begin(c, MS_NAME_CLOCKS_UNKNOWN);

	(void)state;
	ms_name_clocks_set(c, first, 100, 1);
	uint32_t second = ms_name_clocks_begin(c, first);
	ms_name_clocks_set_company(c, MS_NAME_CLOCKS_TOGETHER);
	ms_name_clocks_set(c, first, 120, 2);
	ms_name_clocks_wait(c, first, MS_WAIT_JOIN, 7);
	ms_name_clocks_set(c, second, 800, 1);
	ms_name_clocks_wake(c, first, second);
	ms_name_clocks_set(c, first, 150, 1);
	check(c, instructions, cycles, (uint64_t[]){ 2530, 2400 }, waits, 1);
}

/* Stalls that a thread had alone are not those that it has beside others. */
static void others_run_meanwhile(void **state)
{
	const uint64_t instructions[] = { 100, 50, 0, 500 }, cycles[] = { 900, 0, 0, 0 };
	const struct expected_wait waits[] = { { 0, MS_WAIT_JOIN, 7, 1, 480 } };
	struct ms_name_clocks *c = ms_name_clocks_open();
	uint32_t first = ms_name_clocks_begin(c, MS_NAME_CLOCKS_UNKNOWN);

	(void)state;
	ms_name_clocks_set(c, first, 100, 1);
	uint32_t second = ms_name_clocks_begin(c, first);
	ms_name_clocks_set_company(c, MS_NAME_CLOCKS_TOGETHER);
	ms_name_clocks_set(c, first, 120, 2);
	ms_name_clocks_wait(c, first, MS_WAIT_JOIN, 7);
	ms_name_clocks_set(c, second, 500, 1);
	ms_name_clocks_wake(c, first, second);
	ms_name_clocks_set(c, first, 150, 1);
	check(c, instructions, cycles, (uint64_t[]){ 1530, 500 }, waits, 1);
}

/* A thread that is woken by one whose clock is earlier has not waited. */
static void thread_never_returns(void **state)
{
	const uint64_t instructions[] = { 500, 0, 10, 0 }, none[4] = { 0 };
	const struct expected_wait waits[] = { { 0, MS_WAIT_FUTEX, 1, 1, 0 } };
	struct ms_name_clocks *c = ms_name_clocks_open();
	uint32_t first = ms_name_clocks_begin(c, MS_NAME_CLOCKS_UNKNOWN);
	uint32_t second = ms_name_clocks_begin(c, first);

	(void)state;
	ms_name_clocks_set(c, first, 500, 1);
	ms_name_clocks_wait(c, first, MS_WAIT_FUTEX, 1);
	ms_name_clocks_set(c, second, 10, 1);
	ms_name_clocks_wake(c, first, second);
	check(c, instructions, none, (uint64_t[]){ 500, 10 }, waits, 1);
}

/* Two on one processor: the second comes when the first has gone. */
static void one_processor(void **state)
{
	const uint64_t instructions[] = { 500, 0, 100, 0 }, none[4] = { 0 };
	const struct expected_wait waits[] = {
		{ 1, MS_WAIT_SPIN, 3, 1, 40 },
		{ 1, MS_WAIT_PROCESSOR, UINT32_MAX, 1, 300 },
	};
	struct ms_name_clocks *c = ms_name_clocks_open();
	uint32_t first = ms_name_clocks_begin(c, MS_NAME_CLOCKS_UNKNOWN);
	uint32_t second = ms_name_clocks_begin(c, first);

	(void)state;
	ms_name_clocks_set(c, first, 300, 1);
	ms_name_clocks_run(c, second, first);
	ms_name_clocks_set(c, second, 100, 1);
	ms_name_clocks_spin(c, second, 40, 3);
	ms_name_clocks_set(c, first, 500, 1);
	check(c, instructions, none, (uint64_t[]){ 500, 440 }, waits, 2);
}

/* Who waits when all is over has waited until then. */
static void never_woken(void **state)
{
	const uint64_t instructions[] = { 900, 0, 100, 0 }, none[4] = { 0 };
	const struct expected_wait waits[] = { { 1, MS_WAIT_OTHER, 2, 1, 800 } };
	struct ms_name_clocks *c = ms_name_clocks_open();
	uint32_t first = ms_name_clocks_begin(c, MS_NAME_CLOCKS_UNKNOWN);
	uint32_t second = ms_name_clocks_begin(c, first);

	(void)state;
	ms_name_clocks_set(c, second, 100, 2);
	ms_name_clocks_wait(c, second, MS_WAIT_OTHER, 2);
	ms_name_clocks_set(c, first, 900, 1);
	check(c, instructions, none, (uint64_t[]){ 900, 900 }, waits, 1);
}

/* Instructions count by how many processors were busy with them: on average of those that
 * clock records report, whether more came after the last one, or all are an estimate. */
static void weights(void **state)
{
	const uint64_t instructions[] = { 400, 0, 10, 0 }, none[] = { 0, 0, 0, 0 };
	struct ms_name_clocks *c = ms_name_clocks_open();
	uint32_t thread = ms_name_clocks_begin(c, MS_NAME_CLOCKS_UNKNOWN);
	struct ms_name_clocks_times times;

	(void)state;
	ms_name_clocks_begin(c, thread); /* has no clock record */
	ms_name_clocks_set(c, thread, 100, 1);
	ms_name_clocks_set(c, thread, 300, 4);
	ms_name_clocks_finish(c, instructions, none, &times);
	assert_true(times.threads.at[0].weight == 0.5);
	assert_true(times.threads.at[1].weight == 0);
	ms_name_clocks_times_free(&times);
	ms_name_clocks_close(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(join),
		cmocka_unit_test(killed),
		cmocka_unit_test(stalls),
		cmocka_unit_test(others_run_meanwhile),
		cmocka_unit_test(thread_never_returns),
		cmocka_unit_test(one_processor),
		cmocka_unit_test(never_woken),
		cmocka_unit_test(weights),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
