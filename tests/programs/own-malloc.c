/* A program with an allocator of its own, in place of the C library's. */
#include <stddef.h>
#include <string.h>

static _Alignas(16) char pool[1 << 20];
static size_t used;

void *malloc(size_t n);
void free(void *p);
void *calloc(size_t n, size_t size);
void *realloc(void *p, size_t n);

__attribute__((noinline)) void *malloc(size_t n)
{
	void *p = pool + used;

	used += (n + 15) / 16 * 16;
	return used <= sizeof(pool) ? p : NULL;
}

__attribute__((noinline)) void free(void *p)
{
	(void)p;
}

__attribute__((noinline)) void *calloc(size_t n, size_t size)
{
	return malloc(n * size);
}

__attribute__((noinline)) void *realloc(void *p, size_t n)
{
	void *q = malloc(n);

	if (p != NULL)
		memcpy(q, p, n);
	return q;
}

static __attribute__((noinline)) void touch(volatile char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i] = 1;
}

int main(void)
{
	char *red = malloc(3000);
	short *green = calloc(1000, 2);

	touch(red, 3000);
	touch((char *)green, 2000);
	free(red);
	return 0;
}
