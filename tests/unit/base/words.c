/* Lines as words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/compiler.h"
#include "base/words.h"

static const struct {
	const char *line;
	const char *words; /* "a|b c|"; NULL: a quote has no end */
} cases[] = {
	{ "", "" },
	{ " \t\n", "" },
	{ "show Y", "show|Y|" },
	{ "  show   Y  \n", "show|Y|" },
	{ "rename 'a b' \"c d\"", "rename|a b|c d|" },
	{ "x 'it'\\''s'", "x|it's|" },
	{ "x \"a\\\"b\\\\c\\x41\"", "x|a\"b\\cA|" },
	{ "x '\\x41'", "x|\\x41|" },
	{ "x ''", "x||" },
	{ "x a\\ b", "x|a b|" },
	{ "x # y", "x|" },
	{ "x a#b", "x|a#b|" },
	{ "x 'a", NULL },
	{ "x \"a\\\"", NULL },
	{ "x a\\", "x|a\\|" },
};

static void test_split(void **state)
{
	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		struct ms_arena arena = MS_ARENA_INIT;
		struct ms_words words = { 0 };
		struct ms_text text = MS_TEXT_INIT;
		bool ended = ms_words_split(&words, cases[i].line, &arena);

		for (size_t k = 0; k < words.at.n; k++)
			ms_text_addf(&text, "%s|", words.at.at[k]);
		assert_int_equal(ended, cases[i].words != NULL);
		if (ended)
			assert_string_equal(ms_text_get(&text), cases[i].words);
		ms_text_free(&text);
		ms_vec_free(&words.at);
		ms_arena_free(&arena);
	}
}

static void test_quote(void **state)
{
	static const char *const words[] = { "a",      "a b", "it's", "\"", "a\x1b[31mb",
					     "it's\n", "",    "*",    "\\", "\xc3\xa4" };

	(void)state;
	for (size_t i = 0; i < MS_COUNT(words); i++) {
		struct ms_arena arena = MS_ARENA_INIT;
		struct ms_words back = { 0 };
		struct ms_text text = MS_TEXT_INIT;

		ms_words_quote(&text, words[i]);
		assert_null(strchr(text.at, '\x1b'));
		assert_true(ms_words_split(&back, text.at, &arena));
		assert_int_equal(back.at.n, 1);
		assert_string_equal(back.at.at[0], words[i]);
		ms_text_free(&text);
		ms_vec_free(&back.at);
		ms_arena_free(&arena);
	}
}

static void test_last(void **state)
{
	static const struct {
		const char *line;
		size_t begin;
		const char *word;
	} lasts[] = {
		{ "", 0, "" },
		{ "sh", 0, "sh" },
		{ "show ", 5, "" },
		{ "show Ma", 5, "Ma" },
		{ "show 'a b", 5, "a b" },
		{ "show 'a b' c", 11, "c" },
		{ "show a\\ b", 5, "a b" },
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(lasts); i++) {
		struct ms_text word = MS_TEXT_INIT;

		assert_int_equal(ms_words_last(lasts[i].line, strlen(lasts[i].line), &word),
				 lasts[i].begin);
		assert_string_equal(ms_text_get(&word), lasts[i].word);
		ms_text_free(&word);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_split),
		cmocka_unit_test(test_quote),
		cmocka_unit_test(test_last),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
