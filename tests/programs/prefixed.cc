// build: -O1 -g -fno-builtin
// Allocators linked into the program, under the names that libraries give them, and its own
// operator new. Each takes its memory from one static array.
#include <cstddef>
#include <new>

alignas(16) static char pool[1 << 16];
static size_t used;

static __attribute__((noinline)) void *take(size_t n)
{
	void *p = pool + used;

	used += (n + 15) / 16 * 16;
	return p;
}

extern "C" {
__attribute__((noinline)) void *je_malloc(size_t n)
{
	return take(n);
}

__attribute__((noinline)) void *mi_heap_calloc(void *, size_t n, size_t size)
{
	return take(n * size);
}

__attribute__((noinline)) void *_rjem_rallocx(void *p, size_t n, int)
{
	void *q = take(n);

	return p != nullptr ? q : nullptr;
}
}

// Through another of the family: one object, from where the outer one was called.
__attribute__((noinline)) void *operator new(size_t n)
{
	void *p = je_malloc(n);

	asm volatile("" ::: "memory");
	return p;
}

void operator delete(void *) noexcept
{
}

void operator delete(void *, size_t) noexcept
{
}

static __attribute__((noinline)) void touch(volatile char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i] = 1;
}

struct Thing {
	char bytes[300];
};

int main()
{
	touch(pool, sizeof(pool)); // whoever remembers the array here must ask again
	char *first = (char *)je_malloc(1000);
	short *second = (short *)mi_heap_calloc(nullptr, 100, sizeof(short));
	Thing *third = new Thing;

	touch(first, 1000);
	touch((char *)second, 200);
	touch(third->bytes, 300);
	char *fourth = (char *)_rjem_rallocx(first, 1500, 0);
	touch(fourth, 1500);
	return 0;
}
