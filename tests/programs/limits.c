/* build: -O1 -g
   Takes memory, a megabyte at a time and every page of it touched, until there is no more (at most
   2000 times); with an argument it first limits its own address space to so many megabytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { MEGABYTE = 1 << 20, MOST = 2000, PAGE = 4096 };

static __attribute__((noinline)) void touch(volatile char *block)
{
	for (int i = 0; i < MEGABYTE; i += PAGE)
		block[i] = 1;
}

int main(int argc, char **argv)
{
	struct rlimit limit = { 0, RLIM_INFINITY };
	int n = 0;
	char *block;

	if (argc > 1) {
		limit.rlim_cur = strtoul(argv[1], NULL, 10) * MEGABYTE;
		if (setrlimit(RLIMIT_AS, &limit) != 0)
			return 2;
	}
	while (n < MOST && (block = malloc(MEGABYTE)) != NULL) {
		touch(block);
		n++;
	}
	/* Read back: what the program may do is decided by its own limit. */
	getrlimit(RLIMIT_AS, &limit);
	printf("%d %d\n", n, argc > 1 ? (int)(limit.rlim_cur / MEGABYTE) : 0);
	return n < MOST ? 3 : 4;
}
