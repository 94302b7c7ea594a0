/* Texts that grow, and errors with a sentence. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/text.h"

static void a_text_is_never_null(void **state)
{
	struct ms_text text = MS_TEXT_INIT;

	(void)state;
	assert_string_equal(ms_text_get(&text), "");
	ms_text_clear(&text);
	ms_text_add(&text, "");
	assert_string_equal(ms_text_get(&text), "");
	ms_text_free(&text);
}

static void a_text_grows(void **state)
{
	struct ms_text text = MS_TEXT_INIT;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		ms_text_add(&text, "ab");
		ms_text_add_n(&text, "cdXX", 2);
		ms_text_addf(&text, "%d", i % 10);
	}
	assert_int_equal(text.n, 5000);
	assert_int_equal(strlen(ms_text_get(&text)), 5000);
	assert_memory_equal(ms_text_get(&text) + 4990, "abcd8abcd9", 11);
	ms_text_free(&text);
}

static void growth_at_the_very_edge(void **state)
{
	(void)state;
	for (int n = 60; n < 70; n++) {
		struct ms_text text = MS_TEXT_INIT;

		ms_text_addf(&text, "%*s", n, "x");
		assert_int_equal(text.n, n);
		ms_text_add(&text, "y");
		assert_int_equal(strlen(text.at), n + 1);
		ms_text_free(&text);
	}
}

static void clearing_keeps_the_memory(void **state)
{
	struct ms_text text = MS_TEXT_INIT;

	(void)state;
	ms_text_add(&text, "some words");
	size_t cap = text.cap;
	ms_text_clear(&text);
	assert_string_equal(ms_text_get(&text), "");
	assert_int_equal(text.cap, cap);
	ms_text_add(&text, "x");
	assert_string_equal(ms_text_get(&text), "x");
	ms_text_free(&text);
}

static void errors_carry_a_sentence(void **state)
{
	struct ms_err err;

	(void)state;
	assert_int_equal(ms_fail(&err, MS_EFORMAT, "found %d", 3), MS_EFORMAT);
	assert_int_equal(err.code, MS_EFORMAT);
	assert_string_equal(err.text, "found 3");
	assert_int_equal(ms_fail_in(&err, "%s:%d", "a.ini", 7), MS_EFORMAT);
	assert_string_equal(err.text, "a.ini:7: found 3");
	errno = ENOENT;
	assert_int_equal(ms_fail_errno(&err, "cannot open '%s'", "x"), MS_EIO);
	assert_string_equal(err.text, "cannot open 'x': No such file or directory");
}

static void an_error_without_a_receiver(void **state)
{
	(void)state;
	assert_int_equal(ms_fail(NULL, MS_ENOENT, "x"), MS_ENOENT);
	assert_int_equal(ms_fail_errno(NULL, "x"), MS_EIO);
}

static void a_long_sentence_is_cut(void **state)
{
	struct ms_err err;

	(void)state;
	ms_fail(&err, MS_EIO, "%2000d", 1);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	errno = EIO;
	ms_fail_errno(&err, "%2000d", 1);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	ms_fail_in(&err, "%2000d", 1);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_is_never_null),
		cmocka_unit_test(a_text_grows),
		cmocka_unit_test(growth_at_the_very_edge),
		cmocka_unit_test(clearing_keeps_the_memory),
		cmocka_unit_test(errors_carry_a_sentence),
		cmocka_unit_test(an_error_without_a_receiver),
		cmocka_unit_test(a_long_sentence_is_cut),
	};

	return cmocka_run_group_tests_name("base_text", tests, NULL, NULL);
}
