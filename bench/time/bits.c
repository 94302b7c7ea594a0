/*
 * bits.c - bit operations in registers, bits counted in 32 MiB, bits set at random, and multiples
 * of numbers marked in one piece and in parts.
 *
 * fix: mark_multiples mark_by_parts 1
 */
#include "phase.h"

PHASE_FUNCTION uint64_t reverse_bits(size_t n)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t x = i;

		x = ((x >> 1) & 0x5555555555555555U) | ((x & 0x5555555555555555U) << 1);
		x = ((x >> 2) & 0x3333333333333333U) | ((x & 0x3333333333333333U) << 2);
		x = ((x >> 4) & 0x0f0f0f0f0f0f0f0fU) | ((x & 0x0f0f0f0f0f0f0f0fU) << 4);
		sum ^= __builtin_bswap64(x);
	}
	return sum;
}

PHASE_FUNCTION uint64_t count_bits(const uint64_t *bits, size_t n, size_t rounds)
{
	uint64_t count = 0;

	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i++) {
			uint64_t x = bits[i];

			for (; x != 0; x &= x - 1)
				count++;
		}
	return count;
}

PHASE_FUNCTION uint64_t set_random_bits(uint64_t *bits, size_t mask, size_t times)
{
	uint64_t state = PHASE_SEED;

	for (size_t k = 0; k < times; k++) {
		uint64_t bit = phase_random(&state) >> 20;

		bits[(bit >> 6) & mask] |= (uint64_t)1 << (bit & 63);
	}
	return bits[0];
}

/* A byte for each number; `fold` makes all of them the same few for the resident case. */
PHASE_FUNCTION uint64_t mark_multiples(unsigned char *composite, size_t n, size_t fold)
{
	for (size_t p = 3; p * p < n; p += 2)
		for (size_t at = p * p; at < n; at += 2 * p)
			composite[at & fold] = 1;
	return composite[1];
}

PHASE_FUNCTION uint64_t mark_by_parts(unsigned char *composite, size_t n, size_t fold)
{
	enum { PART = 32768 };

	for (size_t begin = 0; begin < n; begin += PART)
		for (size_t p = 3; p * p < begin + PART; p += 2) {
			size_t at = p * p;

			if (at < begin) {
				at += (begin - at + 2 * p - 1) / (2 * p) * (2 * p);
			}
			for (; at < begin + PART; at += 2 * p)
				composite[at & fold] = 1;
		}
	return composite[1];
}

int main(void)
{
	size_t n = phase_size(MIB(32) / sizeof(uint64_t), 2048), numbers = (size_t)20 << 20;
	size_t fold = phase_size(((size_t)32 << 20) - 1, KIB(16) - 1);
	uint64_t *bits = (uint64_t *)phase_alloc(n, sizeof(*bits));
	unsigned char *composite = (unsigned char *)phase_alloc(fold + 1, 1);

	for (size_t i = 0; i < n; i++)
		bits[i] = (uint64_t)0x11 << (i % 56);
	PHASE(reverse_bits((size_t)24 << 20));
	PHASE(count_bits(bits, n, phase_rounds((size_t)28 << 20, n)));
	PHASE(set_random_bits(bits, n - 1, (size_t)5 << 20));
	PHASE(mark_multiples(composite, numbers, fold));
	PHASE(mark_by_parts(composite, numbers, fold));
	return phase_end_program();
}
