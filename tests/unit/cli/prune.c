/* memspy runs prune and --db-limit: which runs go. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "base/text.h"
#include "cli/prune.h"

/* Oldest first; all of them take a tenth of the database. */
static const struct {
	const char *program, *tag, *note;
} runs[] = {
	{ "./solver", NULL, NULL }, { "./solver", "base", NULL }, { "./other", NULL, NULL },
	{ "./solver", NULL, NULL }, { "./solver", NULL, "keep" }, { "./other", NULL, NULL },
	{ "./solver", NULL, NULL }, { "./third", NULL, NULL },    { "./solver", NULL, NULL },
	{ "./other", NULL, NULL },
};

enum { SIZE = 10000 };

static void expect(struct ms_cli_prune prune, const char *wanted)
{
	struct ms_run_list heads = { .at = MS_VEC_INIT };
	struct ms_text found = MS_TEXT_INIT;
	struct ms_store_run_ids ids;

	for (size_t i = 0; i < MS_COUNT(runs); i++)
		*ms_vec_add(&heads.at) = (struct ms_run_list_entry){ .id = (int64_t)i + 1,
								     .program = runs[i].program,
								     .tag = runs[i].tag,
								     .note = runs[i].note,
								     .bytes = 100 };
	*ms_vec_add(&heads.at.at[6].tags) = "second";
	ms_cli_prune_choose(&prune, &heads, SIZE, &ids);
	for (size_t i = 0; i < ids.at.n; i++)
		ms_text_addf(&found, "%s%d", i > 0 ? " " : "", (int)ids.at.at[i]);
	assert_string_equal(ms_text_get(&found), wanted);
	ms_text_free(&found);
	ms_vec_free(&ids.at);
	ms_vec_free(&heads.at.at[6].tags);
	ms_vec_free(&heads.at);
}

static void newest_of_each_program_stay(void **state)
{
	(void)state;
	expect((struct ms_cli_prune){ .keep = 1 }, "1 3 4 6");
	expect((struct ms_cli_prune){ .keep = 2 }, "1 3 4");
	expect((struct ms_cli_prune){ .keep = 3 }, "1 4");
	expect((struct ms_cli_prune){ .keep = 100 }, "");
}

static void tags_and_notes_protect(void **state)
{
	(void)state;
	expect((struct ms_cli_prune){ .keep = 1, .all = true }, "1 2 3 4 5 6 7");
	expect((struct ms_cli_prune){ .keep = 0 }, "1 3 4 6 8 9 10");
}

static void oldest_go_until_it_is_small_enough(void **state)
{
	(void)state;
	expect((struct ms_cli_prune){ .limit = SIZE }, "");
	expect((struct ms_cli_prune){ .limit = SIZE - 1 }, "1");
	expect((struct ms_cli_prune){ .limit = SIZE - 2500 }, "1 3 4");
	expect((struct ms_cli_prune){ .limit = 1, .keep = 1 }, "1 3 4 6");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(newest_of_each_program_stay),
		cmocka_unit_test(tags_and_notes_protect),
		cmocka_unit_test(oldest_go_until_it_is_small_enough),
	};

	return cmocka_run_group_tests_name("cli prune", tests, NULL, NULL);
}
