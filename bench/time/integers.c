/* integers.c - integer work in registers and small tables: hashes, greatest common divisors, a
 * checksum by table. */
#include "phase.h"

PHASE_FUNCTION uint64_t mix_hashes(size_t n)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t x = i;

		x ^= x >> 30;
		x *= 0xbf58476d1ce4e5b9U;
		x ^= x >> 27;
		x *= 0x94d049bb133111ebU;
		sum += x ^ (x >> 31);
	}
	return sum;
}

PHASE_FUNCTION uint64_t find_divisors(size_t n)
{
	uint64_t sum = 0, state = PHASE_SEED;

	for (size_t i = 0; i < n; i++) {
		uint32_t a = (uint32_t)(phase_random(&state) >> 32) | 1, b = (uint32_t)state | 1;

		while (b != 0) {
			uint32_t rest = a % b;

			a = b;
			b = rest;
		}
		sum += a;
	}
	return sum;
}

PHASE_FUNCTION uint64_t add_checksum(const unsigned char *data, const uint32_t *table, size_t n,
				     size_t rounds)
{
	uint32_t sum = ~0U;

	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i++)
			sum = table[(sum ^ data[i]) & 255] ^ (sum >> 8);
	return sum;
}

PHASE_FUNCTION uint64_t follow_collatz(size_t n)
{
	uint64_t steps = 0;

	for (size_t i = 1; i <= n; i++)
		for (uint64_t x = i; x != 1; steps++)
			x = x % 2 == 0 ? x / 2 : 3 * x + 1;
	return steps;
}

/* Reads more than the first level has: by far the most stall of this program. */
PHASE_FUNCTION uint64_t add_far_words(const uint64_t *words, size_t mask, size_t times)
{
	uint64_t sum = 0;

	for (size_t k = 0; k < times; k++)
		sum += words[(phase_hash(k) >> 6) & mask];
	return sum;
}

int main(void)
{
	enum { N = 16384 };
	unsigned char *data = (unsigned char *)phase_alloc(N, 1);
	uint32_t *table = (uint32_t *)phase_alloc(256, sizeof(*table));
	size_t words = phase_size((size_t)2 << 20, 2048);
	uint64_t *far = (uint64_t *)phase_alloc(words, sizeof(*far));

	for (uint32_t i = 0; i < 256; i++)
		for (uint32_t k = 0, x = i; k < 8; k++)
			table[i] = x = x & 1 ? (x >> 1) ^ 0xedb88320U : x >> 1;
	PHASE(mix_hashes((size_t)32 << 20));
	PHASE(find_divisors(400000));
	PHASE(add_checksum(data, table, N, 600));
	PHASE(follow_collatz(200000));
	PHASE(add_far_words(far, words - 1, (size_t)8 << 20));
	return phase_end_program();
}
