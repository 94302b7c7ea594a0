/*
 * narrow_types.c - the same values in types of eight, four and one bytes.
 *
 * fix: sum_wide sum_narrow 1
 * fix: sum_wide sum_bytes 1
 */
#include "phase.h"

#define SUM(name, type)                                                      \
	PHASE_FUNCTION uint64_t name(const type *a, size_t n, size_t rounds) \
	{                                                                    \
		uint64_t first = 0, second = 0, third = 0, fourth = 0;       \
                                                                             \
		for (size_t round = 0; round < rounds; round++)              \
			for (size_t i = 0; i < n; i += 4) {                  \
				first += a[i];                               \
				second += a[i + 1];                          \
				third += a[i + 2];                           \
				fourth += a[i + 3];                          \
			}                                                    \
		return first + second + third + fourth;                      \
	}

SUM(sum_wide, uint64_t)
SUM(sum_narrow, uint32_t)
SUM(sum_bytes, uint8_t)

int main(void)
{
	size_t n = phase_size((size_t)16 << 20, 1024), rounds = phase_rounds((size_t)160 << 20, n);
	uint64_t *wide = (uint64_t *)phase_alloc(n, sizeof(*wide));
	uint32_t *narrow = (uint32_t *)phase_alloc(n, sizeof(*narrow));
	uint8_t *bytes = (uint8_t *)phase_alloc(n, sizeof(*bytes));

	for (size_t i = 0; i < n; i++)
		wide[i] = narrow[i] = bytes[i] = (uint8_t)(i * 37);
	PHASE(sum_wide(wide, n, rounds));
	PHASE(sum_narrow(narrow, n, rounds));
	PHASE(sum_bytes(bytes, n, rounds));
	return phase_end_program();
}
