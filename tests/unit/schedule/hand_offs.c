/*
 * schedule/hand_offs.h: which records of a chunk come after which of an earlier one.
 *
 * A chunk is a list of tokens: a small letter is a load of the word of that name, a capital letter
 * a store; each is a record of two words. Chunks of a case are executed one after the other, by
 * different threads; " | " is between them. "1:2>0.1": chunk 1 comes, from its record 2 on, after
 * record 1 of chunk 0; all count from 0.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "schedule/hand_offs.h"
#include "wire/wire.h"

enum { LOAD, STORE, MOST_WORDS = 256 };

struct hand_offs_case {
	int line;
	const char *chunks;
	const char *expected; /* "CHUNK:RECORD>CHUNK.RECORD", in order */
};

#define AT .line = __LINE__

static const struct hand_offs_case cases[] = {
	{ AT, "A | b", "" },
	/* What is read comes after what was written; so does all that follows. */
	{ AT, "bAb | bba", "1:2>0.1" },
	{ AT, "A | aaa", "1:0>0.0" },
	{ AT, "AA | a", "1:0>0.1" },
	{ AT, "AB | ba", "1:0>0.1" },
	{ AT, "AB | ab", "1:0>0.0 1:1>0.1" },
	/* What is written comes after what was read or written. */
	{ AT, "aba | cA", "1:1>0.2" },
	{ AT, "aA | A", "1:0>0.1" },
	/* Reads may be in any order. */
	{ AT, "aa | aa", "" },
	/* Of three threads. */
	{ AT, "A | aB | ba", "1:0>0.0 2:0>1.1 2:1>0.0" },
	/* Both use it again and again, and one writes it as often: that is contention. */
	{ AT, "AAAAA | AAAAA", "" },
	{ AT, "AAAAA | aaaaa", "" },
	{ AT, "AAAA | AAAA", "1:0>0.3" },
	{ AT, "aaaaa | aaaaA", "1:4>0.4" },
};

static size_t make_chunk(const char **text, uint64_t *words)
{
	size_t n = 0;

	for (; **text != '\0' && **text != ' '; ++*text) {
		bool stores = **text >= 'A' && **text <= 'Z';

		words[n++] = ms_wire_head(MS_WIRE_EXEC, 2, stores ? STORE : LOAD);
		words[n++] = 0x1000 + (uint64_t)(**text - (stores ? 'A' : 'a')) * 8;
	}
	*text += strspn(*text, " |");
	return n;
}

static bool check(const struct hand_offs_case *c)
{
	/* A bit for the reference that writes; another one, as 0 is "not known". */
	static uint64_t writes[MS_WIRE_EXITS] = { [LOAD] = 2, [STORE] = 1 };
	struct ms_schedule_hand_offs *h = ms_schedule_hand_offs_open(writes);
	struct ms_schedule_hand_off_list list = { .shares = false };
	struct ms_text got = MS_TEXT_INIT;
	uint64_t words[MOST_WORDS];
	const char *at = c->chunks;

	for (uint32_t k = 0; *at != '\0'; k++) {
		const struct ms_schedule_merged_chunk chunk = { k + 2, k, words,
								make_chunk(&at, words) };

		assert_true(ms_schedule_hand_offs_add(h, &chunk, &list));
		for (size_t i = 0; i < list.at.n; i++)
			ms_text_addf(&got, "%s%u:%zu>%u.%zu", ms_text_get(&got)[0] ? " " : "", k,
				     list.at.at[i].at / 2, (unsigned)list.at.at[i].number,
				     list.at.at[i].after / 2);
	}
	bool good = strcmp(ms_text_get(&got), c->expected) == 0;
	if (!good)
		print_error("%s:%d: %s: found \"%s\", expected \"%s\"\n", __FILE__, c->line,
			    c->chunks, ms_text_get(&got), c->expected);
	ms_text_free(&got);
	ms_vec_free(&list.at);
	ms_schedule_hand_offs_close(h);
	return good;
}

static void order_of_uses(void **state)
{
	bool good = true;

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++)
		good = check(&cases[i]) && good;
	assert_true(good);
}

/* After that, nothing is known of earlier chunks. */
static void clearing(void **state)
{
	struct ms_schedule_hand_offs *h = ms_schedule_hand_offs_open(NULL);
	struct ms_schedule_hand_off_list list = { .shares = false };
	const uint64_t words[] = { ms_wire_head(MS_WIRE_EXEC, 2, 0), 0x1000 };
	struct ms_schedule_merged_chunk chunk = { 2, 0, words, 2 };

	(void)state;
	assert_true(ms_schedule_hand_offs_add(h, &chunk, &list));
	chunk.lane = 3;
	chunk.number = 1;
	ms_schedule_hand_offs_clear(h);
	assert_true(ms_schedule_hand_offs_add(h, &chunk, &list));
	assert_int_equal(list.at.n, 0);
	/* Whether exits that are not described write is not known: they count as writes. */
	chunk.lane = 2;
	chunk.number = 2;
	assert_true(ms_schedule_hand_offs_add(h, &chunk, &list));
	assert_int_equal(list.at.n, 1);
	ms_vec_free(&list.at);
	ms_schedule_hand_offs_close(h);
}

/* More words than there is room for. */
static void too_many_words(void **state)
{
	enum { MANY = 1 << 17 };
	static uint64_t words[2 * MANY];
	struct ms_schedule_hand_offs *h = ms_schedule_hand_offs_open(NULL);
	struct ms_schedule_hand_off_list list = { .shares = false };
	const struct ms_schedule_merged_chunk chunk = { 2, 0, words, MS_COUNT(words) };

	(void)state;
	for (size_t i = 0; i < MANY; i++) {
		words[2 * i] = ms_wire_head(MS_WIRE_EXEC, 2, 0);
		words[2 * i + 1] = 0x1000 + i * 8;
	}
	assert_false(ms_schedule_hand_offs_add(h, &chunk, &list));
	ms_vec_free(&list.at);
	ms_schedule_hand_offs_close(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(order_of_uses),
		cmocka_unit_test(clearing),
		cmocka_unit_test(too_many_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
