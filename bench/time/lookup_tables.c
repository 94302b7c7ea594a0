/*
 * lookup_tables.c - tables of 8 KiB to 64 MiB, looked up by computed indices: independent ones,
 * interpolation, and indices that depend on the value found before.
 */
#include "phase.h"

#define LOOK_UP(name)                                                                    \
	PHASE_FUNCTION uint64_t name(const uint32_t *table, size_t mask, size_t lookups) \
	{                                                                                \
		uint64_t sum = 0;                                                        \
                                                                                         \
		for (size_t k = 0; k < lookups; k++)                                     \
			sum += table[(phase_hash(k) >> 4) & mask];                       \
		return sum;                                                              \
	}

LOOK_UP(look_up_small_table)
LOOK_UP(look_up_middle_table)
LOOK_UP(look_up_large_table)

PHASE_FUNCTION double interpolate(const uint32_t *table, size_t mask, size_t lookups)
{
	double sum = 0;

	for (size_t k = 0; k < lookups; k++) {
		uint64_t hash = k * 0x9e3779b97f4a7c15U;
		size_t at = (hash >> 28) & mask;
		double part = (double)(hash & 0xffff) / 65536.0;

		sum += (1 - part) * table[at] + part * table[at + 1];
	}
	return sum;
}

/* An automaton: the state after each input is looked up. */
PHASE_FUNCTION uint64_t run_automaton(const uint32_t *table, size_t mask, size_t lookups)
{
	uint64_t state = 0;

	for (size_t k = 0; k < lookups; k++)
		state = table[(state + k) & mask];
	return state;
}

int main(void)
{
	size_t large = phase_size((size_t)16 << 20, 2048), middle = phase_size(KIB(512) / 4, 2048);
	size_t lookups = (size_t)8 << 20;
	uint32_t *table = (uint32_t *)phase_alloc(large + 1, sizeof(*table));
	uint64_t state = PHASE_SEED;

	for (size_t i = 0; i < large; i++)
		table[i] = (uint32_t)(phase_random(&state) >> 24);
	PHASE(look_up_small_table(table, 2047, 6 * lookups));
	PHASE(look_up_middle_table(table, middle - 1, 4 * lookups));
	PHASE(look_up_large_table(table, large - 1, lookups));
	PHASE(interpolate(table, large - 1, lookups));
	PHASE(run_automaton(table, large - 1, lookups / 16));
	return phase_end_program();
}
