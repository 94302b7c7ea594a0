/*
 * A monitor's handler by itself: its tree finds what a sorted list finds and stays low, its vectors
 * stay sorted, and every reference lies in its own memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "engine/simulated_pmu/interrupt_handler.h"
#include "wire/wire.h"

enum { KEYS = 2000, STEPS = 40000 };

static uint64_t random_state = 1;

static uint32_t any(uint32_t below)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (uint32_t)((random_state >> 16) % below);
}

/* What the handler did; those of its last run. */
struct seen {
	uint64_t at[4096];
	uint32_t kind[4096];
	size_t n;
};

static void see(void *arg, uint64_t address, uint32_t size, uint32_t kind)
{
	struct seen *seen = arg;

	assert_true(address >= MS_PMU_HANDLER_BASE && address + size <= MS_PMU_HANDLER_END);
	assert_true(size > 0 && size <= 32);
	assert_true(seen->n < MS_COUNT(seen->at));
	seen->at[seen->n] = address;
	seen->kind[seen->n++] = kind;
}

static void open_handler(struct ms_pmu_handler *h, struct seen *seen)
{
	ms_pmu_open_handler(h);
	h->refer = see;
	h->arg = seen;
	seen->n = 0;
}

/* --- the tree --- */

/* Its height; and that ranks and order are right. */
static unsigned check_below(const struct ms_pmu_object_tree *t, uint32_t node, uint64_t from,
			    uint64_t to)
{
	if (node == 0)
		return 0;

	const struct ms_pmu_object_node *n = &t->nodes.at[node];
	const struct ms_pmu_object_node *left = &t->nodes.at[n->below[0]];
	const struct ms_pmu_object_node *right = &t->nodes.at[n->below[1]];

	assert_true(n->start >= from && n->start < to);
	assert_int_equal(left->rank + 1, n->rank);
	assert_true(right->rank == n->rank || right->rank + 1 == n->rank);
	assert_true(t->nodes.at[right->below[1]].rank < n->rank);
	unsigned l = check_below(t, n->below[0], from, n->start);
	unsigned r = check_below(t, n->below[1], n->start + 1, to);
	return 1 + (l > r ? l : r);
}

static void compare_tree(const struct ms_pmu_object_tree *t, const bool *there)
{
	uint32_t count = 0, next = 0;
	unsigned height = check_below(t, t->root, 0, KEYS);

	for (uint32_t key = KEYS; key-- > 0;) {
		uint32_t node = ms_pmu_find_node_from(t, key);

		next = there[key] ? key + 1 : next;
		count += there[key];
		assert_int_equal(node != 0 ? t->nodes.at[node].start + 1 : 0, next);
	}
	assert_int_equal(t->count, count);
	/* A red-black tree is at most twice as high as a perfect one. */
	assert_true(count == 0 || 1u << height / 2 <= count + 1);
}

static void tree_is_a_sorted_list(void **state)
{
	struct ms_pmu_handler h;
	struct seen seen;
	static bool there[KEYS];

	(void)state;
	open_handler(&h, &seen);
	for (int i = 0; i < STEPS; i++) {
		uint32_t key = any(KEYS), size = 1 + any(4);

		if (any(400) == 0) {
			uint32_t to = key + any(300);

			to = to < KEYS ? to : KEYS;
			ms_pmu_remove_objects(&h, key, to);
			for (uint32_t k = key; k < to; k++)
				there[k] = false;
		} else if (any(i < STEPS / 2 ? 3 : 2) == 0) {
			ms_pmu_remove_object(&h, key);
			there[key] = false;
		} else {
			ms_pmu_add_object(&h, key, key + size);
			for (uint32_t k = key; k < key + size && k < KEYS; k++)
				there[k] = k == key;
		}
		if (i % 100 == 0)
			compare_tree(&h.tree, there);
	}
	ms_pmu_close_handler(&h);
}

/* Objects that come in order, as a program's usually do. */
static void tree_stays_low(void **state)
{
	struct ms_pmu_handler h;
	struct seen seen;

	(void)state;
	open_handler(&h, &seen);
	for (uint64_t i = 0; i < 1023; i++)
		ms_pmu_add_object(&h, i * 64, i * 64 + 64);
	assert_true(check_below(&h.tree, h.tree.root, 0, UINT64_MAX) <= 18);
	for (uint64_t i = 0; i < 1000; i++)
		ms_pmu_remove_object(&h, i * 64);
	assert_true(check_below(&h.tree, h.tree.root, 0, UINT64_MAX) <= 8);
	ms_pmu_close_handler(&h);
}

/* --- a run --- */

enum { SAVED = 32, FRAME = 6 };

/*
 * One object, one instruction: saved words, 2 for the tree's node and 2 for what it says, 1 for the
 * map, 2 for the bucket, a first entry, two counts; and the frames of three functions.
 */
static void first_sample(void **state)
{
	struct ms_pmu_handler h;
	struct seen seen;
	struct ms_pmu_handler_sample s = { .address = 0x1000, .data = 3, .site = 0 };

	(void)state;
	open_handler(&h, &seen);
	ms_pmu_add_object(&h, 0x1000, 0x2000);
	h.sites = 1;
	ms_pmu_run_handler(&h, &s);
	assert_int_equal(seen.n, 2 * SAVED + 3 * 2 * FRAME + 4 + 1 + 2 + 1 + 2);
	/* The next time there is an entry: found by one look, and not made. */
	seen.n = 0;
	ms_pmu_run_handler(&h, &s);
	assert_int_equal(seen.n, 2 * SAVED + 3 * 2 * FRAME + 4 + 1 + 2 + 1 + 2);
	assert_int_equal(h.references, 2 * seen.n);
	/* With a victim: the tree again, its bucket, two vectors, each with its first entry. */
	seen.n = 0;
	s.evicted = true;
	s.victim = 0x1800;
	s.victim_data = 3;
	ms_pmu_run_handler(&h, &s);
	assert_int_equal(seen.n,
			 2 * SAVED + 6 * 2 * FRAME + 2 * 4 + 1 + 2 + 1 + 2 + 2 + 1 + 1 + 1 + 1);
	/* A line of its own is in no bucket, but it has to look. */
	seen.n = 0;
	s.victim = MS_PMU_HANDLER_BASE + 64;
	ms_pmu_run_handler(&h, &s);
	assert_int_equal(seen.n, 2 * SAVED + 4 * 2 * FRAME + 2 * 4 + 1 + 2 + 1 + 2);
	ms_pmu_close_handler(&h);
}

static void check_vector(const struct ms_pmu_handler_vector *v)
{
	for (uint32_t i = 1; i < v->n; i++)
		assert_true(v->number[i - 1] < v->number[i]);
	assert_true(v->n <= v->room);
}

static void vectors_stay_sorted(void **state)
{
	struct ms_pmu_handler h;
	struct seen seen;
	static bool missed[5][60], evicted[5][5];

	(void)state;
	open_handler(&h, &seen);
	h.sites = 60;
	for (int i = 0; i < 3000; i++) {
		struct ms_pmu_handler_sample s = { .address = any(100),
						   .data = any(5),
						   .site = any(60),
						   .evicted = any(2) == 0,
						   .victim = any(100),
						   .victim_data = any(5) };

		seen.n = 0;
		ms_pmu_run_handler(&h, &s);
		missed[s.data][s.site] = true;
		if (s.evicted)
			evicted[s.victim_data][s.data] = true;
	}
	for (uint32_t d = 0; d < 5; d++) {
		uint32_t places = 0, by = 0;

		for (int i = 0; i < 60; i++)
			places += missed[d][i];
		for (int i = 0; i < 5; i++)
			by += evicted[d][i];
		assert_int_equal(h.buckets.at[d].misses.n, places);
		assert_int_equal(h.buckets.at[d].evictions.n, by);
		check_vector(&h.buckets.at[d].misses);
		check_vector(&h.buckets.at[d].evictions);
	}
	for (size_t i = 0; i < h.inner.n; i++)
		check_vector(&h.inner.at[i]);
	ms_pmu_close_handler(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tree_is_a_sorted_list),
		cmocka_unit_test(tree_stays_low),
		cmocka_unit_test(first_sample),
		cmocka_unit_test(vectors_stay_sorted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
