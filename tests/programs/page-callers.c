/* build: -O2 -g
   Known callers of page faults: touch() makes the first access to all pages of a new block.
   often() calls it three times for each call by rarely(), always in the same order, with blocks of
   a power of two of pages: samples at constant intervals would find the same caller each time. The
   argument: rounds. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { PAGE = 4096, BYTES = 1024 * PAGE, STEPS = 300000 };

static __attribute__((noipa)) long touch(volatile char *block)
{
	long sum = 0;

	for (size_t i = 0; i < BYTES; i += PAGE)
		sum += ++block[i];
	return sum;
}

static __attribute__((noipa)) double spin(long steps)
{
	volatile double x = 1;

	while (steps-- > 0)
		x = x * 0.999 + 0.5;
	return x;
}

static __attribute__((noipa)) long use_new_block(void)
{
	char *block = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (block == MAP_FAILED)
		exit(1);
	madvise(block, BYTES, MADV_NOHUGEPAGE);
	long sum = touch(block) + (long)spin(STEPS);
	munmap(block, BYTES);
	return sum;
}

static __attribute__((noipa)) long often(void)
{
	return use_new_block() + 1;
}

static __attribute__((noipa)) long rarely(void)
{
	return use_new_block() + 2;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 100;
	long sum = 0;

	for (int i = 0; i < rounds; i++) {
		sum += often();
		sum += often();
		sum += often();
		sum += rarely();
	}
	printf("%d\n", sum > 0);
	return 0;
}
