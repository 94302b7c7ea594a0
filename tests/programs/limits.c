/* build: -O1 -g
   Takes memory, a megabyte at a time and every page of it touched, until there is no more (at most
   2000 times); with an argument it first limits its own address space to so many megabytes, and
   with a second one then runs much code, for which whoever translates it needs memory. */
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

static volatile int seen;

static __attribute__((noinline)) void step(int n)
{
	seen += n;
}

/* 4096 calls of one function, each from a place of its own. */
#define CALL(n)                \
	case n:                \
		step(3 * (n)); \
		break;
#define CALLS4(n)   CALL(n) CALL((n) + 1) CALL((n) + 2) CALL((n) + 3)
#define CALLS16(n)  CALLS4(n) CALLS4((n) + 4) CALLS4((n) + 8) CALLS4((n) + 12)
#define CALLS64(n)  CALLS16(n) CALLS16((n) + 16) CALLS16((n) + 32) CALLS16((n) + 48)
#define CALLS256(n) CALLS64(n) CALLS64((n) + 64) CALLS64((n) + 128) CALLS64((n) + 192)
#define CALLS1K(n)  CALLS256(n) CALLS256((n) + 256) CALLS256((n) + 512) CALLS256((n) + 768)

static __attribute__((noinline)) void call_from(int place)
{
	switch (place) {
	default:
		break;
		CALLS1K(0)
		CALLS1K(1024)
		CALLS1K(2048)
		CALLS1K(3072)
	}
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
	for (int i = 0; argc > 2 && i < 4096; i++)
		call_from(i);
	while (n < MOST && (block = malloc(MEGABYTE)) != NULL) {
		touch(block);
		n++;
	}
	/* Read back: what the program may do is decided by its own limit. */
	getrlimit(RLIMIT_AS, &limit);
	printf("%d %d\n", n, argc > 1 ? (int)(limit.rlim_cur / MEGABYTE) : 0);
	return n < MOST ? 3 : 4;
}
