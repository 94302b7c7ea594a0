/* Numbers as people write and read them: case tables, exact. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "base/num.h"

static const struct {
	const char *text;
	uint64_t bytes;
} sizes[] = {
	{ "0", 0 },
	{ "64", 64 },
	{ "64B", 64 },
	{ "32K", 32768 },
	{ "32k", 32768 },
	{ "32KB", 32768 },
	{ "32KiB", 32768 },
	{ "32 KiB", 32768 },
	{ "1.5M", 1572864 },
	{ "0.5K", 512 },
	{ "2GiB", UINT64_C(2) << 30 },
	{ "8T", UINT64_C(8) << 40 },
};

static const char *const no_sizes[] = { "",    "K",   "-1",  "+1",  " 1",  "1.3",         "1X",
					"1 2", "x32", "1KK", "nan", "inf", "9999999999T", "1KiBs" };

static void sizes_are_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < MS_COUNT(sizes); i++) {
		uint64_t bytes = 1;

		print_message("size '%s'\n", sizes[i].text);
		assert_true(ms_parse_size(sizes[i].text, &bytes));
		assert_int_equal(bytes, sizes[i].bytes);
	}
}

static void what_is_no_size_is_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < MS_COUNT(no_sizes); i++) {
		uint64_t bytes = 77;

		print_message("no size '%s'\n", no_sizes[i]);
		assert_false(ms_parse_size(no_sizes[i], &bytes));
		assert_int_equal(bytes, 77);
	}
}

static void whole_numbers(void **state)
{
	static const char *const bad[] = { "",   "-1",  "+1",   " 1",
					   "1 ", "1.0", "0x10", "18446744073709551616" };
	uint64_t value;

	(void)state;
	assert_true(ms_parse_u64("0", &value) && value == 0);
	assert_true(ms_parse_u64("007", &value) && value == 7);
	assert_true(ms_parse_u64("18446744073709551615", &value) && value == UINT64_MAX);
	for (size_t i = 0; i < MS_COUNT(bad); i++)
		assert_false(ms_parse_u64(bad[i], &value));
}

static const struct {
	uint64_t value;
	const char *text;
} counts[] = {
	{ 0, "0" },
	{ 412, "412" },
	{ 9999, "9999" },
	{ 10000, "10.0K" },
	{ 649000000, "649.0M" },
	{ 1234567, "1.23M" },
	{ 999949, "999.9K" },
	{ 999950, "1.00M" },
	{ 9994999, "9.99M" },
	{ 9995000, "10.0M" },
	{ UINT64_C(7) * 1000 * 1000 * 1000 * 1000, "7.00T" },
	{ UINT64_MAX, "18.4E" },
};

static void counts_are_shown(void **state)
{
	char out[MS_NUM_TEXT];

	(void)state;
	for (size_t i = 0; i < MS_COUNT(counts); i++)
		assert_string_equal(ms_format_count(counts[i].value, out), counts[i].text);
}

static void sizes_are_shown(void **state)
{
	char out[MS_NUM_TEXT];

	(void)state;
	assert_string_equal(ms_format_size(0, out), "0 B");
	assert_string_equal(ms_format_size(1023, out), "1023 B");
	assert_string_equal(ms_format_size(32768, out), "32 KiB");
	assert_string_equal(ms_format_size(1572864, out), "1.5 MiB");
	assert_string_equal(ms_format_size(UINT64_C(2) << 30, out), "2 GiB");
	assert_string_equal(ms_format_size(UINT64_MAX, out), "16 EiB");
}

static void durations_are_shown(void **state)
{
	char out[MS_NUM_TEXT];

	(void)state;
	assert_string_equal(ms_format_seconds(0, out), "0 ns");
	assert_string_equal(ms_format_seconds(5.01e-05, out), "50.1 us");
	assert_string_equal(ms_format_seconds(0.00123456, out), "1.23 ms");
	assert_string_equal(ms_format_seconds(0.9996, out), "1.00 s");
	assert_string_equal(ms_format_seconds(123.4, out), "123 s");
}

static void comparing(void **state)
{
	(void)state;
	assert_int_equal(ms_cmp_u64(1, 2), -1);
	assert_int_equal(ms_cmp_u64(2, 2), 0);
	assert_int_equal(ms_cmp_u64(UINT64_MAX, 0), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_are_read),  cmocka_unit_test(what_is_no_size_is_refused),
		cmocka_unit_test(whole_numbers),   cmocka_unit_test(counts_are_shown),
		cmocka_unit_test(sizes_are_shown), cmocka_unit_test(durations_are_shown),
		cmocka_unit_test(comparing),
	};

	return cmocka_run_group_tests_name("base_num", tests, NULL, NULL);
}
