/*
 * sorting.c - random keys, made and sorted: by quicksort, by merging, and by digits.
 *
 * fix: sort_by_merging sort_by_digits 3
 * fix: sort_quickly sort_by_digits 3
 */
#include <stdbool.h>

#include "phase.h"

#define MAKE_KEYS(keys, n, state)                                           \
	do {                                                                \
		for (size_t i_ = 0; i_ < (n); i_++)                         \
			(keys)[i_] = (uint32_t)(phase_random(state) >> 24); \
	} while (0)

PHASE_FUNCTION uint64_t sort_quickly(uint32_t *keys, size_t n, size_t rounds)
{
	uint64_t state = PHASE_SEED;

	for (size_t round = 0; round < rounds; round++) {
		size_t stack[64][2] = { { 0, n } }, depth = 1;

		MAKE_KEYS(keys, n, &state);
		while (depth > 0) {
			size_t low = stack[--depth][0], high = stack[depth][1];

			if (high - low < 2)
				continue;
			uint32_t pivot = keys[low + (high - low - 1) / 2];
			ptrdiff_t i = (ptrdiff_t)low - 1, j = (ptrdiff_t)high;
			for (;;) {
				do
					i++;
				while (keys[i] < pivot);
				do
					j--;
				while (keys[j] > pivot);
				if (i >= j)
					break;
				uint32_t swap = keys[i];
				keys[i] = keys[j];
				keys[j] = swap;
			}
			size_t cut = (size_t)j + 1;
			bool left_is_small = cut - low < high - cut;
			stack[depth][0] = left_is_small
						  ? cut
						  : low; /* the larger part first: a short stack */
			stack[depth++][1] = left_is_small ? high : cut;
			stack[depth][0] = left_is_small ? low : cut;
			stack[depth++][1] = left_is_small ? cut : high;
		}
	}
	return keys[n / 2];
}

PHASE_FUNCTION uint64_t sort_by_merging(uint32_t *keys, uint32_t *other, size_t n, size_t rounds)
{
	uint64_t state = PHASE_SEED;
	uint32_t *from = keys, *to = other;

	for (size_t round = 0; round < rounds; round++) {
		MAKE_KEYS(from, n, &state);
		for (size_t width = 1; width < n; width *= 2) {
			for (size_t low = 0; low < n; low += 2 * width) {
				size_t i = low, middle = low + width < n ? low + width : n;
				size_t j = middle, high = low + 2 * width < n ? low + 2 * width : n;

				for (size_t k = low; k < high; k++)
					to[k] = i < middle && (j >= high || from[i] <= from[j])
							? from[i++]
							: from[j++];
			}
			uint32_t *swap = from;
			from = to;
			to = swap;
		}
	}
	return from[n / 2];
}

PHASE_FUNCTION uint64_t sort_by_digits(uint32_t *keys, uint32_t *other, size_t n, size_t rounds)
{
	enum { DIGITS = 256 };
	uint64_t state = PHASE_SEED;
	uint32_t *from = keys, *to = other;

	for (size_t round = 0; round < rounds; round++) {
		MAKE_KEYS(from, n, &state);
		for (int shift = 0; shift < 32; shift += 8) {
			uint32_t start[DIGITS] = { 0 }, sum = 0;

			for (size_t i = 0; i < n; i++)
				start[(from[i] >> shift) & (DIGITS - 1)]++;
			for (size_t d = 0; d < DIGITS; d++) {
				uint32_t size = start[d];

				start[d] = sum;
				sum += size;
			}
			for (size_t i = 0; i < n; i++)
				to[start[(from[i] >> shift) & (DIGITS - 1)]++] = from[i];
			uint32_t *swap = from;
			from = to;
			to = swap;
		}
	}
	return from[n / 2];
}

int main(void)
{
	size_t n = phase_size((size_t)1 << 20, 4096), depth = phase_depth((size_t)1 << 20);
	size_t rounds = phase_rounds((size_t)1 << 20, n), sorts = rounds * depth / phase_depth(n);
	uint32_t *a = (uint32_t *)phase_alloc(n, sizeof(*a)),
		 *b = (uint32_t *)phase_alloc(n, sizeof(*b));

	PHASE(sort_quickly(a, n, phase_size(sorts, sorts * 9 / 10)));
	PHASE(sort_by_merging(a, b, n, sorts));
	PHASE(sort_by_digits(a, b, n, 3 * rounds));
	return phase_end_program();
}
