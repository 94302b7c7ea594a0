/*
 * schedule/hand_offs.h: which records of a chunk come after which of an earlier one.
 *
 * A chunk is a list of tokens: a small letter is a load of the word of that name, a capital letter
 * a store; each is a record of two words. "!" before it: by an atomic instruction; "=": of 16
 * bytes, also the next word; "#": of 512 bytes, as of xsave. Chunks of a case are executed one
 * after the other, by different threads; " | " is between them. "0" at the start: by the thread of
 * chunk 0; "^": all before the previous chunk have been merged.
 *
 * "1:2>0.1": chunk 1 comes, from its record 2 on, after record 1 of chunk 0; all count from 0.
 * "1:2>0": after all of chunk 0. "1:all": after all earlier chunks. "1:[2-4]": the records 2 to 4
 * of chunk 1 are not divided.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/text.h"
#include "schedule/hand_offs.h"
#include "wire/wire.h"

enum { MOST_CHUNKS = 8, MOST_WORDS = 256, WRITES = 1, ATOMIC = 2, WIDE = 4, STATE = 8, EXITS = 16 };

struct hand_offs_case {
	int line;
	const char *chunks;
	const char *expected; /* "CHUNK:RECORD>CHUNK.RECORD", in order */
};

#define AT .line = __LINE__
/* L is known as a synchronisation word after that. */
#define LOCK    "!L | !L"
#define LOCKED  "1:all 1:0>0.0 2:0>1.0"
#define CONTEND "!LA!L!LA!L!LA!L!LA!L!LA!L"
#define UNITS(chunk) \
#chunk ":[0-2] " #chunk ":[3-5] " #chunk ":[6-8] " #chunk ":[9-11] " #chunk ":[12-14]"

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
	/* A chunk that only reads does not hide what an earlier one of the thread has written. */
	{ AT, "Aa | b | 0aB | ab", "2:1>1.0 3:0>0.0 3:1>2.1" },
	/* Chunks between them share no word. */
	{ AT, "bA | c | d | aa", "3:0>0.1" },
	{ AT, "A | c | 0bA | d | A", "4:0>2.1" },
	{ AT, "AAAAA | c | ^d | aaaaa", "" },
	{ AT, "!Lb!L | !Lc!L | ^!Lb!L | ^d!K | !LB!L",
	  "1:all 1:0>0.2 2:0>1.2 4:0>0.2 4:0>1.2 4:0>2.2" },
	/* References that begin elsewhere. */
	{ AT, "=A | b", "1:0>0.0" },
	{ AT, "B | =a", "1:0>0.0" },
	{ AT, "=A | c", "" },
	{ AT, "b#A | z", "1:0>0.1" },
	/* A word becomes a synchronisation word when a second thread uses it. */
	{ AT, "!Lc!L | !Lc!L", "1:all 1:0>0.2" },
	{ AT, "!Lc | lll", "1:all 1:0>0.0" },
	{ AT, "!Lc | d", "" },
	/* What it may protect follows as a whole. */
	{ AT, "!L | !L | ^!L!L!L!L!LA!Lb!L | ^!L!L!L!L!L!Lca!L", "1:all 1:0>0.0 2:0>1.0 3:5>2.6" },
	/* If it is contended, it is used as a unit, as soon as that is known of both chunks. */
	{ AT, LOCK " | ^" CONTEND " | ^" CONTEND " | ^" CONTEND,
	  LOCKED " 3:0>2.14 " UNITS(3) " " UNITS(4) },
	/* What was protected when a chunk began belongs to an earlier one. */
	{ AT, LOCK " | ^" CONTEND " | ^" CONTEND " | ^A!L" CONTEND " | ^" CONTEND,
	  LOCKED " 3:0>2.14 " UNITS(3) " 4:0>3.14 4:[2-4] 4:[5-7] 4:[8-10] 4:[11-13] 4:[14-16] "
				       "5:0>4.1 " UNITS(5) },
	/* And what is protected when one ends: to a later one. */
	{ AT, LOCK " | ^" CONTEND " | ^" CONTEND " | ^" CONTEND "!LA | ^" CONTEND,
	  LOCKED " 3:0>2.14 " UNITS(3) " 4:15>3.14 " UNITS(4) " 5:0>4 " UNITS(5) },
};

static const uint16_t *find_refs(const void *arg, uint32_t exit, uint32_t *n)
{
	static uint16_t refs[EXITS];

	(void)arg;
	if (exit >= EXITS)
		return NULL;
	refs[exit] = (uint16_t)(((exit & WRITES) != 0 ? MS_SCHEDULE_WRITES : 0) |
				((exit & ATOMIC) != 0 ? MS_SCHEDULE_ATOMIC : 0) |
				((exit & STATE) != 0  ? 512
				 : (exit & WIDE) != 0 ? 16
						      : 8)
					<< MS_SCHEDULE_BYTES_AT);
	*n = 1;
	return &refs[exit];
}

/* All chunks stay where they are. */
static bool is_there(const void *arg, uint32_t lane, uint64_t number)
{
	(void)arg;
	(void)lane;
	(void)number;
	return true;
}

static struct ms_schedule_hand_offs *open_hand_offs(void)
{
	static const struct ms_schedule_hand_offs_source source = { .refs_of = find_refs,
								    .is_there = is_there };
	struct ms_schedule_hand_offs *h = ms_alloc(ms_schedule_hand_offs_bytes());

	ms_schedule_hand_offs_start(h, &source);
	return h;
}

static size_t make_chunk(const char **text, uint64_t *words)
{
	size_t n = 0;
	uint32_t exit = 0;

	for (; **text != '\0' && **text != ' '; ++*text) {
		if (strchr("!=#", **text) != NULL) {
			exit |= **text == '!' ? ATOMIC : **text == '=' ? WIDE : STATE;
			continue;
		}
		bool stores = **text >= 'A' && **text <= 'Z';

		words[n++] = ms_wire_head(MS_WIRE_EXEC, 2, exit | (stores ? WRITES : 0));
		words[n++] = 0x1000 + (uint64_t)(**text - (stores ? 'A' : 'a')) * 8;
		exit = 0;
	}
	*text += strspn(*text, " |");
	return n;
}

static void show_order(struct ms_text *got, uint64_t k, const struct ms_schedule_chunk_order *order)
{
	if (order->follows_all)
		ms_text_addf(got, " %" PRIu64 ":all", k);
	for (uint32_t i = 0; i < order->hand_offs; i++) {
		const struct ms_schedule_hand_off *h = &order->hand_off[i];

		ms_text_addf(got, " %" PRIu64 ":%u>%" PRIu64, k, h->at / 2, h->number - 1);
		if (h->after != MS_SCHEDULE_CHUNK_END)
			ms_text_addf(got, ".%u", h->after / 2);
	}
	for (uint32_t i = 0; i < order->units; i++)
		ms_text_addf(got, " %" PRIu64 ":[%u-%u]", k, order->unit[i].from / 2,
			     order->unit[i].to / 2);
}

static bool check(const struct hand_offs_case *c)
{
	struct ms_schedule_hand_offs *h = open_hand_offs();
	struct ms_schedule_chunk_order order;
	struct ms_text got = MS_TEXT_INIT;
	static uint64_t words[MOST_CHUNKS][MOST_WORDS]; /* an earlier one may be read again */
	const char *at = c->chunks;

	for (uint64_t k = 0; *at != '\0'; k++) {
		assert_true(k < MOST_CHUNKS);
		bool merged = *at == '^', first = *at == '0';

		at += merged || first;
		const struct ms_schedule_merged_chunk chunk = { first ? 2 : (uint32_t)k + 2, k + 1,
								merged ? k : 1, words[k],
								make_chunk(&at, words[k]) };

		assert_int_equal(ms_schedule_hand_offs_add(h, &chunk, &order), MS_SCHEDULE_ORDERED);
		show_order(&got, k, &order);
	}
	const char *found = ms_text_get(&got) + (ms_text_get(&got)[0] == ' ');
	bool good = strcmp(found, c->expected) == 0;
	if (!good)
		print_error("%s:%d: %s: found \"%s\", expected \"%s\"\n", __FILE__, c->line,
			    c->chunks, found, c->expected);
	ms_text_free(&got);
	ms_free(h);
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
	struct ms_schedule_hand_offs *h = open_hand_offs();
	struct ms_schedule_chunk_order order;
	const uint64_t words[] = { ms_wire_head(MS_WIRE_EXEC, 2, WRITES), 0x1000 };
	struct ms_schedule_merged_chunk chunk = { 2, 1, 1, words, 2 };

	(void)state;
	assert_int_equal(ms_schedule_hand_offs_add(h, &chunk, &order), MS_SCHEDULE_ORDERED);
	chunk.lane = 3;
	chunk.number = 2;
	ms_schedule_hand_offs_clear(h);
	assert_int_equal(ms_schedule_hand_offs_add(h, &chunk, &order), MS_SCHEDULE_ORDERED);
	assert_int_equal(order.hand_offs, 0);
	chunk.lane = 2;
	chunk.number = 3;
	assert_int_equal(ms_schedule_hand_offs_add(h, &chunk, &order), MS_SCHEDULE_ORDERED);
	assert_int_equal(order.hand_offs, 1);
	ms_free(h);
}

static bool is_gone(const void *arg, uint32_t lane, uint64_t number)
{
	(void)arg;
	(void)lane;
	return number > 1;
}

/* A chunk that has been merged, while an older one has not: nothing waits for it, but it shares
 * words. */
static void merged_chunk(void **state)
{
	static const struct ms_schedule_hand_offs_source source = { .refs_of = find_refs,
								    .is_there = is_gone };
	struct ms_schedule_hand_offs *h = ms_alloc(ms_schedule_hand_offs_bytes());
	struct ms_schedule_chunk_order order;
	const uint64_t words[] = { ms_wire_head(MS_WIRE_EXEC, 2, WRITES), 0x1000 };
	struct ms_schedule_merged_chunk chunk = { 2, 1, 1, words, 2 };

	(void)state;
	ms_schedule_hand_offs_start(h, &source);
	assert_int_equal(ms_schedule_hand_offs_add(h, &chunk, &order), MS_SCHEDULE_ORDERED);
	assert_false(order.shares);
	chunk.lane = 3;
	chunk.number = 2;
	assert_int_equal(ms_schedule_hand_offs_add(h, &chunk, &order), MS_SCHEDULE_ORDERED);
	assert_int_equal(order.hand_offs, 0);
	assert_true(order.shares);
	ms_free(h);
}

/* What such an exit writes is not known. */
static void undescribed_exit(void **state)
{
	struct ms_schedule_hand_offs *h = open_hand_offs();
	struct ms_schedule_chunk_order order;
	const uint64_t words[] = { ms_wire_head(MS_WIRE_EXEC, 2, WRITES), 0x1000,
				   ms_wire_head(MS_WIRE_EXEC, 2, EXITS), 0x1000 };
	const struct ms_schedule_merged_chunk chunk = { 2, 1, 1, words, 4 };

	(void)state;
	assert_int_equal(ms_schedule_hand_offs_add(h, &chunk, &order), MS_SCHEDULE_UNDESCRIBED);
	ms_free(h);
}

/* Words of more lines than there is room for. */
static void too_many_words(void **state)
{
	enum { MANY = 1 << 17 };
	static uint64_t words[2 * MANY];
	struct ms_schedule_hand_offs *h = open_hand_offs();
	struct ms_schedule_chunk_order order;
	const struct ms_schedule_merged_chunk chunk = { 2, 1, 1, words, MS_COUNT(words) };

	(void)state;
	for (size_t i = 0; i < MANY; i++) {
		words[2 * i] = ms_wire_head(MS_WIRE_EXEC, 2, 0);
		words[2 * i + 1] = 0x1000 + i * 64;
	}
	assert_int_equal(ms_schedule_hand_offs_add(h, &chunk, &order), MS_SCHEDULE_TOO_MANY);
	ms_free(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(order_of_uses),  cmocka_unit_test(clearing),
		cmocka_unit_test(merged_chunk),   cmocka_unit_test(undescribed_exit),
		cmocka_unit_test(too_many_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
