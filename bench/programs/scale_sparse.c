/* scale_sparse.c GIGABYTES - one mapping of so much, of which one line in 256 KiB is touched. */
#include <sys/mman.h>

#include "number.h"

enum { STRIDE = 256 << 10, ROUNDS = 8 };

int main(int argc, char **argv)
{
	uint64_t bytes = number(argc, argv, 1, 16) << 30, sum = 0;
	unsigned char *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (at == MAP_FAILED) {
		perror(argv[0]);
		return 1;
	}
	for (int round = 0; round < ROUNDS; round++)
		for (uint64_t i = 0; i < bytes; i += STRIDE)
			/* Not always the first line of a page, which would be one set of a cache.
			 */
			sum += ++at[i + i / STRIDE % 64 * 64];
	printf("sparse %llu\n", (unsigned long long)sum);
	return 0;
}
