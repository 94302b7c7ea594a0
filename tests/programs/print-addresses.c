/*
 * Prints where its memory is: its stack, mapped by itself and by malloc, given back in part, with
 * work between that takes a while. Where memory ends up decides how much of it such a program
 * requests.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { TIMES = 12 };

static __attribute__((noinline)) void work(volatile long *p, long n)
{
	for (long round = 0; round < 40; round++)
		for (long i = 0; i < n; i++)
			p[i] += round;
}

static void *map(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		exit(1);
	return p;
}

int main(void)
{
	for (int i = 0; i < TIMES; i++) {
		size_t size = (size_t)(i % 3 + 1) << (i % 2 ? 20 : 14);
		void *mapped = map(size), *block = malloc(size << 3), *passing = map(size / 2);

		if (block == NULL)
			return 1;
		work(mapped, 2000);
		work(block, 2000);
		munmap(passing, size / 2);
		printf("%p %p %p %p\n", (void *)&size, mapped, block, passing);
		if (i % 4 == 3)
			free(block);
	}
	return 0;
}
