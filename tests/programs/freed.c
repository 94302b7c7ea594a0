/* Use after free: the bytes are unattributed until they are allocated again. */
#include <stdlib.h>

static __attribute__((noinline)) void touch(volatile char *p, int n)
{
	for (int i = 0; i < n; i++)
		p[i] = 1;
}

static __attribute__((noinline)) void touch_freed(volatile char *p, int n)
{
	for (int i = 64; i < n; i++)
		p[i] = 1;
}

int main(void)
{
	char *volatile first = malloc(5000);
	char *guard = malloc(100);
	char *stale = first;

	touch(first, 5000);
	free(first);
	touch_freed(stale, 1064);
	char *second = malloc(5000);
	if (second != stale)
		return 1;
	touch(second, 3000);
	free(guard);
	return 0;
}
