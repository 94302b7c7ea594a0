/*
 * binary_search.c - sorted keys of 16 KiB, 512 KiB and 64 MiB; with branches, without, and in the
 * order of a tree's levels.
 *
 * fix: search_large search_by_levels 1
 */
#include "phase.h"

#define SEARCH(name)                                                                 \
	PHASE_FUNCTION uint64_t name(const uint32_t *keys, size_t n, size_t lookups) \
	{                                                                            \
		uint64_t sum = 0;                                                    \
                                                                                     \
		for (size_t k = 0; k < lookups; k++) {                               \
			uint32_t key = (uint32_t)(phase_hash(k) >> 8);               \
			size_t low = 0, high = n;                                    \
                                                                                     \
			while (low < high) {                                         \
				size_t middle = (low + high) / 2;                    \
                                                                                     \
				if (keys[middle] < key)                              \
					low = middle + 1;                            \
				else                                                 \
					high = middle;                               \
			}                                                            \
			sum += low;                                                  \
		}                                                                    \
		return sum;                                                          \
	}

SEARCH(search_small)
SEARCH(search_middle)
SEARCH(search_large)

/* n is a power of two: each step adds one bit of the result. */
PHASE_FUNCTION uint64_t search_without_branches(const uint32_t *keys, size_t n, size_t lookups)
{
	uint64_t sum = 0;

	for (size_t k = 0; k < lookups; k++) {
		uint32_t key = (uint32_t)(phase_hash(k) >> 8);
		size_t low = 0;

		for (size_t half = n / 2; half > 0; half /= 2)
			low += keys[low + half - 1] < key ? half : 0;
		sum += low;
	}
	return sum;
}

PHASE_FUNCTION uint64_t search_by_levels(const uint32_t *keys, size_t n, size_t lookups)
{
	uint64_t sum = 0;

	for (size_t k = 0; k < lookups; k++) {
		uint32_t key = (uint32_t)(phase_hash(k) >> 8);
		size_t at = 1;

		while (at < n)
			at = 2 * at + (keys[at] < key);
		sum += at;
	}
	return sum;
}

static uint32_t *sorted(size_t n)
{
	uint32_t *keys = (uint32_t *)phase_alloc(n, sizeof(*keys));

	for (size_t i = 0; i < n; i++)
		keys[i] = (uint32_t)(i * (((uint64_t)1 << 32) / n));
	return keys;
}

static size_t by_levels(uint32_t *keys, size_t at, size_t n, const uint32_t *from, size_t next)
{
	if (at >= n)
		return next;
	next = by_levels(keys, 2 * at, n, from, next);
	keys[at] = from[next++];
	return by_levels(keys, 2 * at + 1, n, from, next);
}

int main(void)
{
	size_t large = phase_size((size_t)16 << 20, 4096), middle = phase_size(KIB(512) / 4, 4096);
	size_t total = 6000000;
	uint32_t *keys = sorted(large), *some = sorted(middle), *few = sorted(4096);
	uint32_t *levels = (uint32_t *)phase_alloc(large, sizeof(*levels));

	by_levels(levels, 1, large, keys, 0);
	PHASE(search_small(few, 4096, total / phase_depth(4096)));
	PHASE(search_middle(some, middle, total / phase_depth(middle)));
	PHASE(search_large(keys, large, total / phase_depth(large)));
	PHASE(search_without_branches(keys, large, total / phase_depth(large)));
	PHASE(search_by_levels(levels, large, total / phase_depth(large)));
	return phase_end_program();
}
