/* Moments as text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "base/seconds.h"

static void moments_are_in_utc(void **state)
{
	static const struct {
		time_t moment;
		const char *text;
	} cases[] = {
		{ 0, "1970-01-01T00:00:00Z" },
		{ 951782399, "2000-02-28T23:59:59Z" },
		{ 951782400, "2000-02-29T00:00:00Z" },
		{ 1794738662, "2026-11-15T10:31:02Z" },
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		char text[MS_SECONDS_UTC_TEXT];

		ms_seconds_format_utc(cases[i].moment, text);
		assert_string_equal(text, cases[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(moments_are_in_utc) };

	return cmocka_run_group_tests_name("base seconds", tests, NULL, NULL);
}
