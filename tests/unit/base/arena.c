/* Arenas and vectors: what is taken is zeroed, aligned, and stays where it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/vec.h"

static void what_is_taken_is_zeroed_and_aligned(void **state)
{
	static const size_t sizes[] = { 0, 1, 15, 16, 17, 1000, 64 * 1024, 200 * 1024, 3 };
	struct ms_arena arena = MS_ARENA_INIT;

	(void)state;
	for (size_t round = 0; round < 50; round++) {
		for (size_t i = 0; i < MS_COUNT(sizes); i++) {
			unsigned char *p = ms_arena_take(&arena, sizes[i]);

			assert_int_equal((uintptr_t)p % 16, 0);
			for (size_t k = 0; k < sizes[i]; k++)
				assert_int_equal(p[k], 0);
			memset(p, 0xaa, sizes[i]);
		}
	}
	ms_arena_free(&arena);
	assert_int_equal(arena.taken, 0);
}

static void pieces_do_not_overlap(void **state)
{
	enum { PIECES = 5000 };
	static uint32_t *pieces[PIECES];
	struct ms_arena arena = MS_ARENA_INIT;

	(void)state;
	for (uint32_t i = 0; i < PIECES; i++) {
		pieces[i] = ms_arena_take(&arena, (1 + i % 40) * sizeof(uint32_t));
		for (uint32_t k = 0; k < 1 + i % 40; k++)
			pieces[i][k] = i;
	}
	for (uint32_t i = 0; i < PIECES; i++)
		for (uint32_t k = 0; k < 1 + i % 40; k++)
			assert_int_equal(pieces[i][k], i);
	ms_arena_free(&arena);
}

static void texts(void **state)
{
	struct ms_arena arena = MS_ARENA_INIT;

	(void)state;
	assert_string_equal(ms_arena_strdup(&arena, ""), "");
	assert_string_equal(ms_arena_strdup(&arena, "Matrix.Y"), "Matrix.Y");
	assert_string_equal(ms_arena_strndup(&arena, "Matrix.Y", 6), "Matrix");
	assert_string_equal(ms_arena_printf(&arena, "%s:%d", "f.c", 12), "f.c:12");
	assert_int_equal(strlen(ms_arena_printf(&arena, "%100000d", 1)), 100000);
	ms_arena_free(&arena);
}

static void an_arena_can_be_used_again(void **state)
{
	struct ms_arena arena = MS_ARENA_INIT;

	(void)state;
	ms_arena_free(&arena);
	ms_arena_take(&arena, 10);
	ms_arena_free(&arena);
	assert_non_null(ms_arena_take(&arena, 10));
	assert_int_equal(arena.taken, 16);
	ms_arena_free(&arena);
}

static void packed_pieces_are_aligned_to_8_bytes(void **state)
{
	struct ms_arena arena = MS_ARENA_INIT;

	(void)state;
	char *first = ms_arena_take_packed(&arena, 40);
	assert_ptr_equal(ms_arena_take_packed(&arena, 36), first + 40);
	assert_int_equal(arena.taken, 80);
	ms_arena_take_packed(&arena, 8);
	assert_int_equal((uintptr_t)ms_arena_take(&arena, 1) % 16, 0);
	for (unsigned i = 0; i < 10000; i++)
		assert_int_equal(*(uint64_t *)ms_arena_take_packed(&arena, 40), 0);
	ms_arena_free(&arena);
}

/* Doubling would leave up to half of a large array unused. */
static void a_large_vector_has_at_most_a_quarter_to_spare(void **state)
{
	MS_VEC(uint64_t) v = MS_VEC_INIT;

	(void)state;
	for (uint64_t i = 0; i < 1000000; i++) {
		uint64_t *at = ms_vec_add(&v);

		assert_int_equal(*at, 0);
		*at = i;
		assert_true(v.cap <= 262144 || v.cap - v.n <= v.n / 4 + 1);
	}
	for (uint64_t i = 0; i < 1000000; i++)
		assert_int_equal(v.at[i], i);
	ms_vec_free(&v);
	ms_vec_reserve(&v, 300001);
	assert_int_equal(v.cap, 300001);
	ms_vec_free(&v);
}

static void a_vector_grows_and_new_elements_are_zeroed(void **state)
{
	MS_VEC(uint64_t) v = MS_VEC_INIT;

	(void)state;
	for (uint64_t i = 0; i < 1000; i++) {
		uint64_t *at = ms_vec_add(&v);

		assert_int_equal(*at, 0);
		*at = i;
	}
	ms_vec_reserve(&v, 5000);
	assert_true(v.cap - v.n >= 5000);
	for (uint64_t i = 0; i < 1000; i++)
		assert_int_equal(v.at[i], i);
	assert_int_equal(v.at[v.n], 0);
	assert_int_equal(v.at[v.cap - 1], 0);
	ms_vec_free(&v);
	assert_int_equal(v.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_taken_is_zeroed_and_aligned),
		cmocka_unit_test(pieces_do_not_overlap),
		cmocka_unit_test(texts),
		cmocka_unit_test(an_arena_can_be_used_again),
		cmocka_unit_test(packed_pieces_are_aligned_to_8_bytes),
		cmocka_unit_test(a_vector_grows_and_new_elements_are_zeroed),
		cmocka_unit_test(a_large_vector_has_at_most_a_quarter_to_spare),
	};

	return cmocka_run_group_tests_name("base_arena", tests, NULL, NULL);
}
