/* build: -O2 -g -fno-inline
   Private allocators: pools in a malloced arena, in a mapping, in a static array; blocks of one
   size; one that hands over to malloc by a jump; one that starts again from its beginning. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct pool {
	char *base;
	size_t used, size;
};

static __attribute__((noipa)) void touch(volatile char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i] = 1;
}

__attribute__((noipa)) void *pool_alloc(struct pool *pool, size_t n)
{
	if (pool->base == NULL)
		pool->base = malloc(pool->size);
	void *p = pool->base + pool->used;

	pool->used += (n + 7) / 8 * 8;
	return p;
}

__attribute__((noipa)) void *pool_array(struct pool *pool, size_t n, size_t size)
{
	return pool_alloc(pool, n * size);
}

__attribute__((noipa)) void pool_free(struct pool *pool, void *p)
{
	*(void **)p = pool->base; /* a free list lives in the blocks */
}

static __attribute__((aligned(16))) char slots[40][48];
static int next_slot;

__attribute__((noipa)) void *slot_new(void)
{
	return slots[next_slot++];
}

__attribute__((noipa)) void *jump_alloc(size_t n)
{
	return malloc(n);
}

__attribute__((noipa)) void *jump_resize(int flags, void *p, size_t n)
{
	(void)flags;
	return realloc(p, n);
}

static __attribute__((noipa)) void in_arena(void)
{
	struct pool pool = { .size = 16384 };
	char *red = pool_alloc(&pool, 1000);
	short *green = pool_array(&pool, 300, sizeof(*green));
	char *blue = pool_alloc(&pool, 504);

	touch(red, 1000);
	touch((char *)green, 600);
	touch(blue, 504);
	touch(pool.base + 8000, 100); /* of the arena, and of none of its blocks */
	pool_free(&pool, blue);
	touch(blue + 8, 50);
	char *arena = pool.base;
	free(arena);
	char *over = malloc(16384);
	touch(over, 16384);
	free(over);
}

static __attribute__((noipa)) void in_mapping(void)
{
	struct pool pool = { mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				  -1, 0),
			     0, 65536 };

	touch(pool.base, 65536);
	for (int i = 0; i < 3; i++) {
		char *frame = pool_alloc(&pool, 2000);
		char *half = pool_alloc(&pool, 1000 + 500 * i);

		touch(frame, 2000);
		touch(half, 1000);
		pool.used = 0; /* all at once */
	}
}

int main(void)
{
	in_arena();
	in_mapping();
	touch(slots[0], sizeof(slots));
	for (int i = 0; i < 10; i++) {
		char *slot = slot_new();

		touch(slot, 48);
	}
	char *jumped = jump_alloc(700);
	touch(jumped, 700);
	char *larger = jump_resize(0, jumped, 900);
	touch(larger, 900);
	free(larger);
	return 0;
}
