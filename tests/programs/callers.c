/*
 * Known call paths: touch() is called three times by often() and once by rarely(), each time for
 * all of a block that is larger than the caches, so that often() has three quarters of its misses.
 * clear() and wipe() have memset() clear 2 and 1 such blocks. descend() calls itself and then
 * touch() at its end.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 1 << 22, LINE = 64, LEVELS = 5 };

static __attribute__((noinline)) long touch(const char *block)
{
	long sum = 0;

	for (size_t i = 0; i < BYTES; i += LINE)
		sum += *(const volatile char *)&block[i];
	return sum;
}

static __attribute__((noinline)) long often(const char *block)
{
	long sum = 0;

	for (int i = 0; i < 3; i++)
		sum += touch(block);
	return sum;
}

static __attribute__((noinline)) long rarely(const char *block)
{
	return touch(block) + 1;
}

static __attribute__((noinline)) long descend(const char *block, int level)
{
	if (level == 0)
		return touch(block) + 1;
	return descend(block, level - 1) + 1;
}

static __attribute__((noinline)) int clear(char *block)
{
	memset(block, 1, BYTES);
	__asm__ volatile("" : : "r"(block) : "memory");
	memset(block, 2, BYTES);
	return block[LINE];
}

static __attribute__((noinline)) int wipe(char *block)
{
	memset(block, 3, BYTES);
	return block[LINE];
}

int main(void)
{
	char *block = aligned_alloc(4096, BYTES);

	if (block == NULL)
		return 1;
	long sum = clear(block) + wipe(block);

	sum += often(block) + rarely(block) + descend(block, LEVELS);
	printf("%ld\n", sum);
	free(block);
	return 0;
}
