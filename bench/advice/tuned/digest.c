/* A digest of a large buffer: sequential, and computes a lot for each byte. */
#include "../common.h"

enum { N = 24 << 20, ROUNDS = 4 };

static unsigned char *buffer;

static KEEP uint32_t digest(uint32_t value)
{
	for (int i = 0; i < N; i++) {
		value = (value ^ buffer[i]) * 16777619U;
		value ^= value >> 15;
	}
	return value;
}

int main(void)
{
	uint32_t value = 1;

	buffer = malloc(N);
	for (int i = 0; i < N; i++)
		buffer[i] = (unsigned char)(i * 31);
	for (int r = 0; r < ROUNDS; r++)
		value = digest(value);
	printf("%u\n", value);
	return 0;
}
