/*
 * histogram.c - counts keys in few and in many bins; then in two passes, the first of which sorts
 * keys by their high bits, and the same with a scatter of values.
 *
 * fix: count_many_bins count_by_parts 1
 */
#include "phase.h"

#define COUNT(name)                                                                             \
	PHASE_FUNCTION uint64_t name(uint32_t *bins, const uint32_t *keys, int shift, size_t n, \
				     size_t rounds)                                             \
	{                                                                                       \
		for (size_t round = 0; round < rounds; round++)                                 \
			for (size_t i = 0; i < n; i++)                                          \
				bins[keys[i] >> shift]++;                                       \
		return bins[0];                                                                 \
	}

COUNT(count_few_bins)
COUNT(count_many_bins)

enum { PARTS = 64 };

PHASE_FUNCTION uint64_t count_by_parts(uint32_t *bins, const uint32_t *keys, uint32_t *buffer,
				       int shift, size_t n, size_t rounds)
{
	for (size_t round = 0; round < rounds; round++) {
		uint32_t start[PARTS] = { 0 }, sum = 0;

		for (size_t i = 0; i < n; i++)
			start[keys[i] >> 26]++;
		for (size_t part = 0; part < PARTS; part++) {
			uint32_t size = start[part];

			start[part] = sum;
			sum += size;
		}
		for (size_t i = 0; i < n; i++)
			buffer[start[keys[i] >> 26]++] = keys[i];
		for (size_t i = 0; i < n; i++)
			bins[buffer[i] >> shift]++;
	}
	return bins[0];
}

PHASE_FUNCTION double scatter_values(double *to, const uint32_t *keys, int shift, size_t n,
				     size_t rounds)
{
	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i++)
			to[keys[i] >> shift] = (double)i;
	return to[0];
}

int main(void)
{
	size_t n = phase_size((size_t)2 << 20, 2048), total = (size_t)4 << 20;
	size_t many = phase_size((size_t)16 << 20, 2048);
	int shift = (int)phase_size(8, 21);
	uint32_t *keys = (uint32_t *)phase_alloc(n, sizeof(*keys));
	uint32_t *buffer = (uint32_t *)phase_alloc(n, sizeof(*buffer));
	uint32_t *bins = (uint32_t *)phase_alloc(many, sizeof(*bins));
	double *values = (double *)phase_alloc(many, sizeof(*values));
	uint64_t state = PHASE_SEED;

	for (size_t i = 0; i < n; i++)
		keys[i] = (uint32_t)(phase_random(&state) >> 24);
	PHASE(count_few_bins(bins, keys, 22, n, phase_rounds(8 * total, n)));
	PHASE(count_many_bins(bins, keys, shift, n, phase_rounds(total, n)));
	PHASE(count_by_parts(bins, keys, buffer, shift, n, phase_rounds(total, n)));
	PHASE(scatter_values(values, keys, shift, n, phase_rounds(total, n)));
	return phase_end_program();
}
