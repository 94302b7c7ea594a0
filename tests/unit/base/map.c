/* Maps of pairs and interned names, also after many growths. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/map.h"

enum { MANY = 20000 };

static void an_empty_map_has_nothing(void **state)
{
	struct ms_map map = MS_MAP_INIT;

	(void)state;
	assert_int_equal(ms_map_get(&map, 0, 0), MS_MAP_NONE);
	ms_map_free(&map);
}

static void a_new_pair_is_none_until_set(void **state)
{
	struct ms_map map = MS_MAP_INIT;
	uint32_t *at = ms_map_at(&map, 0, 0);

	(void)state;
	assert_int_equal(*at, MS_MAP_NONE);
	*at = 7;
	assert_int_equal(ms_map_get(&map, 0, 0), 7);
	assert_int_equal(ms_map_get(&map, 0, 1), MS_MAP_NONE);
	assert_int_equal(ms_map_get(&map, 1, 0), MS_MAP_NONE);
	assert_int_equal(*ms_map_at(&map, 0, 0), 7);
	assert_int_equal(map.n, 1);
	ms_map_free(&map);
}

static void pairs_keep_their_order(void **state)
{
	struct ms_map map = MS_MAP_INIT;

	(void)state;
	*ms_map_at(&map, 1, 2) = 12;
	*ms_map_at(&map, 2, 1) = 21;
	*ms_map_at(&map, UINT64_MAX, UINT64_MAX) = 3;
	assert_int_equal(ms_map_get(&map, 1, 2), 12);
	assert_int_equal(ms_map_get(&map, 2, 1), 21);
	assert_int_equal(ms_map_get(&map, UINT64_MAX, UINT64_MAX), 3);
	ms_map_free(&map);
}

static void many_pairs_survive_growth(void **state)
{
	struct ms_map map = MS_MAP_INIT;

	(void)state;
	for (uint32_t i = 0; i < MANY; i++)
		*ms_map_at(&map, (uint64_t)i << 32, i % 17) = i;
	assert_int_equal(map.n, MANY);
	for (uint32_t i = 0; i < MANY; i++) {
		assert_int_equal(ms_map_get(&map, (uint64_t)i << 32, i % 17), i);
		assert_int_equal(ms_map_get(&map, (uint64_t)i << 32, 17), MS_MAP_NONE);
	}
	ms_map_free(&map);
	assert_int_equal(map.n, 0);
}

static void equal_names_are_equal_pointers(void **state)
{
	struct ms_names names = MS_NAMES_INIT;
	const char *y = ms_intern(&names, "Matrix.Y");

	(void)state;
	assert_ptr_equal(ms_intern_n(&names, "Matrix.Y and more", 8), y);
	assert_ptr_not_equal(ms_intern(&names, "Matrix"), y);
	assert_ptr_not_equal(ms_intern(&names, "Matrix.YY"), y);
	assert_string_equal(ms_intern(&names, ""), "");
	assert_string_equal(y, "Matrix.Y");
	assert_int_equal(names.n, 4);
	ms_names_free(&names);
}

static void many_names_survive_growth(void **state)
{
	struct ms_names names = MS_NAMES_INIT;
	static const char *kept[MANY];
	char text[32];

	(void)state;
	for (int i = 0; i < MANY; i++) {
		snprintf(text, sizeof(text), "name%d", i);
		kept[i] = ms_intern(&names, text);
	}
	for (int i = 0; i < MANY; i++) {
		snprintf(text, sizeof(text), "name%d", i);
		assert_ptr_equal(ms_intern(&names, text), kept[i]);
		assert_string_equal(kept[i], text);
	}
	assert_int_equal(names.n, MANY);
	ms_names_free(&names);
}

/* Whatever else is in the table. */
static void a_beginning_of_a_name_is_another_name(void **state)
{
	enum { NAMES = 2000, LENGTH = 12 };
	struct ms_names names = MS_NAMES_INIT;
	char text[LENGTH + 1];

	(void)state;
	for (int i = 0; i < NAMES; i++) {
		snprintf(text, sizeof(text), "%0*d", LENGTH, i * 7919);
		assert_string_equal(ms_intern(&names, text), text);
		for (size_t n = 1; n < LENGTH; n++) {
			const char *beginning = ms_intern_n(&names, text, n);

			assert_int_equal(strlen(beginning), n);
			assert_memory_equal(beginning, text, n);
		}
	}
	ms_names_free(&names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_map_has_nothing),
		cmocka_unit_test(a_new_pair_is_none_until_set),
		cmocka_unit_test(pairs_keep_their_order),
		cmocka_unit_test(many_pairs_survive_growth),
		cmocka_unit_test(equal_names_are_equal_pointers),
		cmocka_unit_test(many_names_survive_growth),
		cmocka_unit_test(a_beginning_of_a_name_is_another_name),
	};

	return cmocka_run_group_tests_name("base_map", tests, NULL, NULL);
}
