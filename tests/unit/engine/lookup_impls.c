/* Lookups in one cache level: all implementations for this processor agree with the portable one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "engine/caches/lru_lookup_next.h"

enum { LINES = 4000 };

static uint64_t dice = 88172645463325252;

static uint64_t any(uint64_t n)
{
	dice ^= dice << 13;
	dice ^= dice >> 7;
	dice ^= dice << 17;
	return dice % n;
}

struct level {
	struct ms_caches_lru cache;
	struct ms_caches_miss lines[LINES + 1];
	uint32_t way[LINES + 1];
	size_t n;
};

static void open_level(struct level *level, const struct ms_machine_level *of,
		       const struct ms_caches_lookup_impl *way)
{
	ms_caches_open_lru(&level->cache, of, of);
	level->cache.impl = way;
}

static void assert_same(const struct level *a, const struct level *b)
{
	assert_int_equal(a->n, b->n);
	for (size_t i = 0; i < a->n; i++) {
		assert_int_equal(a->lines[i].line, b->lines[i].line);
		assert_int_equal(a->lines[i].victim, b->lines[i].victim);
		assert_int_equal(a->lines[i].reference, b->lines[i].reference);
		assert_int_equal(a->lines[i].phase, b->lines[i].phase);
		assert_int_equal(a->lines[i].split, b->lines[i].split);
	}
	for (uint64_t i = 0; i < a->cache.set_count; i++)
		for (uint32_t w = 0; w < a->cache.ways; w++)
			assert_int_equal(a->cache.lines[i * a->cache.stride + w],
					 b->cache.lines[i * b->cache.stride + w]);
}

static void compare(const struct ms_caches_lookup_impl *way, uint32_t ways, uint64_t sets)
{
	static struct level plain, other;
	static struct ms_filter_pending pending[LINES];
	struct ms_filter_pending_list list = { .at = pending, .n = LINES };
	struct ms_filter_phase_span span = { 0, 7 };
	struct ms_machine_level level = { .size = sets * ways * 64, .ways = ways, .line = 64 };

	for (size_t i = 0; i < LINES; i++)
		pending[i].line = any(sets * ways * 2) |
				  (i > 0 && any(9) == 0 ? MS_FILTER_SAME_REFERENCE : 0) |
				  (any(9) == 0 ? MS_FILTER_SPLIT_REFERENCE : 0);
	open_level(&plain, &level, ms_caches_choose_lookup_impl(UINT32_MAX));
	open_level(&other, &level, way);
	plain.n = plain.cache.impl->first(&plain.cache, NULL, &list, &span, LINES, plain.lines);
	other.n = way->first(&other.cache, NULL, &list, &span, LINES, other.lines);
	assert_true(plain.n > 0 && plain.n < LINES);
	assert_same(&plain, &other);
	plain.n = plain.cache.impl->look_up(&plain.cache, NULL, plain.lines, plain.n);
	other.n = way->look_up(&other.cache, NULL, other.lines, other.n);
	assert_same(&plain, &other);
	ms_caches_close_lru(&plain.cache);
	ms_caches_close_lru(&other.cache);
}

/* In windows: the way of each line is returned, too. */
static void compare_seen(const struct ms_caches_lookup_impl *way, uint32_t ways, uint64_t sets)
{
	enum { WINDOW = 3 };
	static struct level plain, other;
	static struct ms_filter_pending pending[LINES];
	struct ms_engine_windows_set *set = ms_alloc(sets * sizeof(*set));
	struct ms_filter_pending_list list = { .at = pending, .n = LINES };
	struct ms_filter_phase_span span = { 0, 7 };
	struct ms_machine_level level = { .size = sets * ways * 64, .ways = ways, .line = 64 };
	const struct ms_caches_window_lookup seen = { set, WINDOW, plain.way },
					     too = { set, WINDOW, other.way };
	size_t hits = 0;

	for (uint64_t i = 0; i < sets; i++)
		set[i].complete = (uint32_t)(i % 2 ? WINDOW : any(WINDOW));
	for (size_t i = 0; i < LINES; i++)
		pending[i].line = any(sets * ways * 2) |
				  (i > 0 && any(9) == 0 ? MS_FILTER_SAME_REFERENCE : 0);
	open_level(&plain, &level, ms_caches_choose_lookup_impl(UINT32_MAX));
	open_level(&other, &level, way);
	plain.n = plain.cache.impl->first(&plain.cache, &seen, &list, &span, LINES, plain.lines);
	other.n = way->first(&other.cache, &too, &list, &span, LINES, other.lines);
	assert_same(&plain, &other);
	assert_memory_equal(plain.way, other.way, plain.n * sizeof(*plain.way));
	for (size_t i = 0; i < plain.n; i++) {
		bool complete = set[plain.lines[i].line % sets].complete == WINDOW;

		assert_false(complete && plain.way[i] != MS_CACHES_LOOKUP_MISS);
		hits += plain.way[i] != MS_CACHES_LOOKUP_MISS;
	}
	assert_true(hits > 0 && hits < plain.n);
	for (size_t i = 0; i < plain.n; i++)
		plain.lines[i].line = other.lines[i].line = any(sets * ways * 2);
	assert_int_equal(plain.cache.impl->look_up(&plain.cache, &seen, plain.lines, plain.n),
			 plain.n);
	assert_int_equal(way->look_up(&other.cache, &too, other.lines, other.n), plain.n);
	assert_same(&plain, &other);
	assert_memory_equal(plain.way, other.way, plain.n * sizeof(*plain.way));
	ms_caches_close_lru(&plain.cache);
	ms_caches_close_lru(&other.cache);
	ms_free(set);
}

static void all_implementations_agree(void **state)
{
	static const uint32_t ways[] = { 1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 15, 16 };
	unsigned compared = 0;

	(void)state;
	for (const struct ms_caches_lookup_impl *way = ms_caches_lookup_impls; way->name != NULL;
	     way++) {
		if (!way->is_supported()) {
			print_message("%s: not on this processor\n", way->name);
			continue;
		}
		for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
			compare(way, ways[i], 1);
			compare(way, ways[i], 3);
			compare(way, ways[i], 16);
			compare_seen(way, ways[i], 3);
			compare_seen(way, ways[i], 512);
		}
		compared++;
	}
	if (compared == 0)
		skip();
}

/* A level that is far, from empty to full: at first few of its sets have many lines. */
static void compare_filling(const struct ms_caches_lookup_impl *way, uint32_t ways)
{
	enum { SETS = 512, ROUNDS = 20, EACH = 1000 };
	static struct level plain, other;
	struct ms_machine_level level = { .size = SETS * ways * 64, .ways = ways, .line = 64 };
	unsigned shallow = 0, deep = 0;

	open_level(&plain, &level, ms_caches_choose_lookup_impl(UINT32_MAX));
	open_level(&other, &level, way);
	assert_true(other.cache.exceeds_host_cache);
	for (int round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < EACH; i++) {
			uint64_t line = any(8) == 0 ? any(8) * SETS * 7 : any(SETS * 18);

			plain.lines[i] = other.lines[i] = (struct ms_caches_miss){ .line = line };
		}
		bool is_shallow = ms_caches_are_sets_shallow(&other.cache, other.lines, EACH);
		shallow += is_shallow;
		deep += !is_shallow;
		plain.n = plain.cache.impl->look_up(&plain.cache, NULL, plain.lines, EACH);
		other.n = way->look_up(&other.cache, NULL, other.lines, EACH);
		assert_same(&plain, &other);
	}
	assert_true(shallow > 1 && deep > 1);
	ms_caches_close_lru(&plain.cache);
	ms_caches_close_lru(&other.cache);
}

static void levels_fill_up(void **state)
{
	static const uint32_t ways[] = { 9, 10, 12, 15, 16 };

	(void)state;
	for (const struct ms_caches_lookup_impl *way = ms_caches_lookup_impls; way->name != NULL;
	     way++)
		for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]) && way->is_supported(); i++)
			compare_filling(way, ways[i]);
}

/* A level below the first with short tags, and the same level without. The last lines are too far
 * apart for short tags. */
static void compare_tags(uint32_t ways, bool windows)
{
	enum { SETS = 2048, ROUNDS = 30, EACH = 4000 };
	static struct level plain, other;
	struct ms_machine_level level = { .size = SETS * ways * 128, .ways = ways, .line = 128 };
	struct ms_machine_level first = { .size = 4096, .ways = 1, .line = 64 };
	const struct ms_caches_window_lookup seen = { .way = plain.way },
					     too = { .way = other.way };

	ms_caches_open_lru(&plain.cache, &level, &first);
	ms_caches_open_lru(&other.cache, &level, &first);
	if (other.cache.tags == NULL) {
		ms_caches_close_lru(&plain.cache);
		ms_caches_close_lru(&other.cache);
		skip();
	}
	ms_caches_widen_lru(&plain.cache);
	plain.cache.impl = ms_caches_choose_lookup_impl(UINT32_MAX);
	for (int round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < EACH; i++) {
			uint64_t line = any(8) == 0 ? any(8) * SETS * 14 : any(SETS * ways * 3);

			if (any(3) == 0)
				line |= UINT64_C(1)
					<< 41; /* of the last addresses that there are */
			if (round > ROUNDS / 2 && any(EACH) == 0)
				line |= UINT64_C(1) << 45;
			plain.lines[i] = other.lines[i] = (struct ms_caches_miss){ .line = line };
		}
		assert_true(round > ROUNDS / 2 || other.cache.tags != NULL);
		plain.n = ms_caches_look_up_level(&plain.cache, windows ? &seen : NULL, plain.lines,
						  EACH);
		other.n = ms_caches_look_up_level(&other.cache, windows ? &too : NULL, other.lines,
						  EACH);
		assert_int_equal(plain.n, other.n);
		for (size_t i = 0; i < plain.n; i++) {
			assert_int_equal(plain.lines[i].line, other.lines[i].line);
			assert_int_equal(plain.lines[i].victim, other.lines[i].victim);
		}
		if (windows)
			assert_memory_equal(plain.way, other.way, plain.n * sizeof(*plain.way));
	}
	assert_null(other.cache.tags);
	assert_same(&plain, &other);
	ms_caches_close_lru(&plain.cache);
	ms_caches_close_lru(&other.cache);
}

static void tags_agree(void **state)
{
	(void)state;
	for (uint32_t ways = 9; ways <= 16; ways++) {
		compare_tags(ways, false);
		compare_tags(ways, true);
	}
}

static void last_implementation_accepts_all_geometries(void **state)
{
	(void)state;
	assert_null(ms_caches_choose_lookup_impl(17)->name);
	assert_null(ms_caches_choose_lookup_impl(UINT32_MAX)->name);
	compare(ms_caches_choose_lookup_impl(20), 20, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_implementations_agree), cmocka_unit_test(levels_fill_up),
		cmocka_unit_test(tags_agree),
		cmocka_unit_test(last_implementation_accepts_all_geometries)
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
