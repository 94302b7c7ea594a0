/* bytes.c - text of 48 MiB: counting, translating by table, hashing, comparing. */
#include "phase.h"

PHASE_FUNCTION uint64_t count_newlines(const unsigned char *text, size_t n, size_t rounds)
{
	uint64_t count = 0;

	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i++)
			count += text[i] == '\n';
	return count;
}

PHASE_FUNCTION unsigned translate_bytes(unsigned char *to, const unsigned char *from,
					const unsigned char *table, size_t n, size_t rounds)
{
	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i++)
			to[i] = table[from[i]];
	return to[n / 2];
}

PHASE_FUNCTION uint64_t hash_words(const unsigned char *text, size_t n, size_t rounds)
{
	const uint64_t seed = 14695981039346656037U;
	uint64_t all = 0, hash = seed;

	/* Without branches: the predictor would learn a short text. */
	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i++) {
			uint64_t end = -(uint64_t)(text[i] <= ' ');

			all ^= hash & end;
			hash = (((hash ^ text[i]) * 1099511628211U) & ~end) | (seed & end);
		}
	return all;
}

PHASE_FUNCTION uint64_t compare_texts(const unsigned char *a, const unsigned char *b, size_t n,
				      size_t rounds)
{
	uint64_t different = 0;

	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i++)
			different += a[i] != b[i];
	return different;
}

int main(void)
{
	size_t n = phase_size(MIB(48), KIB(16));
	unsigned char *a = (unsigned char *)phase_alloc(n, 1),
		      *b = (unsigned char *)phase_alloc(n, 1);
	unsigned char table[256];
	uint64_t state = PHASE_SEED;

	for (int i = 0; i < 256; i++)
		table[i] = (unsigned char)(i >= 'a' && i <= 'z' ? i - 32 : i);
	for (size_t i = 0; i < n; i++) {
		unsigned letter = (unsigned)(phase_random(&state) >> 40) % 30;

		a[i] = (unsigned char)(letter < 26 ? 'a' + letter : letter == 29 ? '\n' : ' ');
	}
	PHASE(count_newlines(a, n, phase_rounds(MIB(48), n)));
	PHASE(translate_bytes(b, a, table, n, phase_rounds(MIB(48), n)));
	PHASE(hash_words(a, n, phase_rounds(MIB(48), n)));
	PHASE(compare_texts(a, b, n, phase_rounds(MIB(48), n)));
	return phase_end_program();
}
