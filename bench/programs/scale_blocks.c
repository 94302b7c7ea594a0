/* scale_blocks.c BLOCKS - so many heap blocks of several sizes, all live until the end. */
#include "number.h"

int main(int argc, char **argv)
{
	uint64_t n = number(argc, argv, 1, 1300000), sum = 0;
	uint64_t **blocks = room(n, sizeof(*blocks));

	for (uint64_t i = 0; i < n; i++) {
		blocks[i] = room(1, 16 + i % 8 * 16);
		*blocks[i] = i;
	}
	for (uint64_t i = 0; i < n; i++)
		sum += *blocks[i * 7919 % n];
	printf("blocks %llu\n", (unsigned long long)sum);
	return 0;
}
