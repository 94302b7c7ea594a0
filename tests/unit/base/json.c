/* The JSON writer: nesting, escapes, numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

static char *text;
static size_t size;

static struct ms_json start(void)
{
	struct ms_json j;

	ms_json_init(&j, open_memstream(&text, &size));
	return j;
}

static void expect(struct ms_json *j, const char *wanted)
{
	fclose(j->out);
	assert_string_equal(text, wanted);
	free(text);
}

static void test_nesting(void **state)
{
	struct ms_json j = start();

	(void)state;
	ms_json_object(&j, NULL);
	ms_json_u64(&j, "id", 3);
	ms_json_array(&j, "list");
	for (int i = 0; i < 2; i++) {
		ms_json_object(&j, NULL);
		ms_json_i64(&j, "a", -i);
		ms_json_array(&j, "b");
		ms_json_bool(&j, NULL, true);
		ms_json_null(&j, NULL);
		ms_json_end(&j);
		ms_json_end(&j);
	}
	ms_json_end(&j);
	ms_json_array(&j, "empty");
	ms_json_end(&j);
	ms_json_object(&j, "none");
	ms_json_end(&j);
	ms_json_end(&j);
	expect(&j, "{\n \"id\": 3,\n \"list\": [\n  {\"a\": 0, \"b\": [true, null]},\n"
		   "  {\"a\": -1, \"b\": [true, null]}\n ],\n \"empty\": [],\n \"none\": {}\n}\n");
}

static void test_texts(void **state)
{
	static const struct {
		const char *text, *json;
	} cases[] = {
		{ "plain", "\"plain\"" },
		{ "", "\"\"" },
		{ NULL, "null" },
		{ "q\"b\\s/", "\"q\\\"b\\\\s/\"" },
		{ "\b\f\n\r\t\x01\x1f\x7f", "\"\\b\\f\\n\\r\\t\\u0001\\u001f\\u007f\"" },
		{ "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80",
		  "\"gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80\"" },
		{ "a\xff"
		  "b",
		  "\"a\\ufffdb\"" },
		{ "cut\xe2\x82", "\"cut\\ufffd\\ufffd\"" },      /* ends inside a character */
		{ "\xc0\x80", "\"\\ufffd\\ufffd\"" },            /* overlong */
		{ "\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"" }, /* a surrogate */
		{ "\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"" }, /* beyond Unicode */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct ms_json j = start();

		ms_json_text(&j, NULL, cases[i].text);
		expect(&j, cases[i].json);
	}
}

static void check_numbers(void)
{
	static const struct {
		double value;
		const char *json;
	} cases[] = {
		{ 0, "0" },
		{ 0.1, "0.1" },
		{ -1.5, "-1.5" },
		{ 1e300, "1e+300" },
		{ 1.0 / 3, "0.3333333333333333" },
		{ 5e-324, "4.94065645841247e-324" },
		{ 1234567.25, "1234567.25" },
		{ NAN, "null" },
		{ INFINITY, "null" },
		{ -INFINITY, "null" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct ms_json j = start();

		ms_json_real(&j, NULL, cases[i].value);
		expect(&j, cases[i].json);
	}
}

static void test_numbers(void **state)
{
	struct ms_json j = start();

	(void)state;
	check_numbers();
	ms_json_u64(&j, NULL, UINT64_MAX);
	expect(&j, "18446744073709551615");
	j = start();
	ms_json_i64(&j, NULL, INT64_MIN);
	expect(&j, "-9223372036854775808");
}

/* Any locale that writes 0,1 will do; without one there is nothing to test. */
static void test_numbers_in_another_locale(void **state)
{
	static const char *const names[] = { "de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "ps_AF.UTF-8" };
	bool found = false;

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (setlocale(LC_NUMERIC, names[i]) == NULL)
			continue;
		found = true;
		check_numbers();
	}
	setlocale(LC_NUMERIC, "C");
	if (!found)
		skip();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nesting),
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_numbers_in_another_locale),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
