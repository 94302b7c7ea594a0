/*
 * Bounds and exact answers of fully associative caches compared with a list of all lines in the
 * order of use.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/vec.h"
#include "engine/causes/distance_bounds.h"
#include "engine/causes/lru_list.h"

enum { LINES = 2000, BATCHES = 9000, NEVER = 1 << 30 };

static uint64_t random_state = 1;

static uint32_t any(uint32_t n)
{
	random_state = random_state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (uint32_t)(random_state >> 33) % n;
}

/* All lines, the most recent last, and the batch of their last use. */
struct history {
	MS_VEC(uint32_t) lines;
	uint32_t last[LINES];
};

/* Uses the line; returns its stack distance, NEVER if it was not used before. */
static size_t use(struct history *h, uint32_t line)
{
	size_t i = h->lines.n;

	while (i > 0 && h->lines.at[i - 1] != line)
		i--;
	size_t distance = i == 0 ? NEVER : h->lines.n - i;
	for (; i > 0 && i < h->lines.n; i++)
		h->lines.at[i - 1] = h->lines.at[i];
	if (distance == NEVER)
		*ms_vec_add(&h->lines) = line;
	else
		h->lines.at[h->lines.n - 1] = line;
	return distance;
}

struct access {
	uint32_t last;
	size_t distance;
};

/* A program's phases: all lines in order, a few at random, or the same ones again. */
static uint32_t next_line(uint32_t phase, uint32_t i)
{
	return phase == 0 ? i % LINES : phase == 1 ? any(LINES) : any(1 + i % 90);
}

static uint64_t certain, ambiguous;

static void check_batch(const struct ms_causes_distances *distances, const struct access *accesses,
			size_t n)
{
	for (size_t i = 0; i < n; i++) {
		enum ms_causes_verdict verdict = ms_causes_classify(distances, accesses[i].last);
		bool hits = accesses[i].distance < distances->capacity;

		if (verdict != MS_CAUSES_AMBIGUOUS)
			assert_int_equal(verdict, hits ? MS_CAUSES_HITS : MS_CAUSES_MISSES);
		certain += verdict != MS_CAUSES_AMBIGUOUS;
		ambiguous += verdict == MS_CAUSES_AMBIGUOUS;
	}
}

static void check_distances(uint64_t capacity)
{
	struct history h = { MS_VEC_INIT, { 0 } };
	struct ms_causes_distances distances;
	struct access accesses[100];
	uint32_t position = 0;

	ms_causes_open_distances(&distances, capacity);
	for (uint32_t batch = 1; batch <= BATCHES; batch++) {
		uint32_t n = any(batch % 3 == 0 ? 100 : 6), phase = batch / 1500 % 3;

		ms_causes_begin_distances(&distances);
		for (uint32_t i = 0; i < n; i++) {
			uint32_t line = next_line(phase, position++);

			accesses[i] = (struct access){ h.last[line], use(&h, line) };
			if (h.last[line] != batch)
				ms_causes_use_lines(&distances, &h.last[line], 1);
			h.last[line] = batch;
		}
		ms_causes_end_distances(&distances);
		check_batch(&distances, accesses, n);
	}
	ms_causes_close_distances(&distances);
	ms_vec_free(&h.lines);
}

static void bounds_contain_distances(void **state)
{
	static const uint64_t capacities[] = { 1, 7, 64, 300, 1000, 1999, 4096 };

	(void)state;
	for (size_t i = 0; i < sizeof(capacities) / sizeof(*capacities); i++)
		check_distances(capacities[i]);
	assert_true(certain > 2 * ambiguous);
}

static void check_list(uint32_t capacity, bool cold)
{
	struct history h = { MS_VEC_INIT, { 0 } };
	struct ms_causes_lru_list list;

	ms_causes_open_lru_list(&list, capacity);
	if (cold)
		ms_causes_reset_lru_list(&list);
	for (uint32_t i = 0; i < 20000; i++) {
		uint32_t line = next_line(i / 7000, i);
		size_t used = h.lines.n;
		size_t distance = use(&h, line);
		enum ms_causes_verdict verdict = ms_causes_access_lru_list(&list, line);

		if (cold && distance == NEVER && used < capacity)
			assert_int_equal(verdict, MS_CAUSES_AMBIGUOUS);
		else
			assert_int_equal(verdict,
					 distance < capacity ? MS_CAUSES_HITS : MS_CAUSES_MISSES);
	}
	ms_causes_close_lru_list(&list);
	ms_vec_free(&h.lines);
}

static void list_is_exact(void **state)
{
	(void)state;
	check_list(1, false);
	check_list(2, true);
	check_list(300, false);
	check_list(300, true);
	check_list(1999, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bounds_contain_distances),
		cmocka_unit_test(list_is_exact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
