/* Memory: small tables begin where structs of different threads share no lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"

static void small_tables_begin_at_pairs_of_lines(void **state)
{
	void *tables[16];

	(void)state;
	for (size_t i = 0; i < 16; i++) {
		size_t size = 64 + 200 * i;
		unsigned char *table = tables[i] = ms_pages_alloc(size);

		assert_int_equal((uintptr_t)table % 128, 0);
		for (size_t k = 0; k < size; k++)
			assert_int_equal(table[k], 0);
	}
	for (size_t i = 0; i < 16; i++)
		ms_pages_free(tables[i], 64 + 200 * i);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_tables_begin_at_pairs_of_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
