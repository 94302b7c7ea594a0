/* Counts the values of bytes: the bins stay in the first level. */
#include "../common.h"

enum { N = 20000000, ROUNDS = 4 };

static uint32_t bins[256];
static unsigned char *text;

static KEEP void count(void)
{
	for (int i = 0; i < N; i++)
		bins[text[i]]++;
}

int main(void)
{
	uint64_t seed = 9;

	text = malloc(N);
	for (int i = 0; i < N; i++)
		text[i] = (unsigned char)next_random(&seed);
	for (int r = 0; r < ROUNDS; r++)
		count();
	printf("%u\n", bins[77]);
	return 0;
}
