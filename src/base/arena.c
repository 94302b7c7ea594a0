#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

enum { BLOCK_BYTES = 64 * 1024, ALIGNMENT = 16 };

struct ms_arena_block {
	struct ms_arena_block *older;
	size_t used;
	size_t size;
	unsigned char bytes[] MS_ALIGNED(ALIGNMENT);
};

static struct ms_arena_block *add_block(struct ms_arena *arena, size_t size)
{
	struct ms_arena_block *block = ms_alloc(sizeof(*block) + size);

	block->size = size;
	block->older = arena->last;
	arena->last = block;
	return block;
}

void *ms_arena_take(struct ms_arena *arena, size_t size)
{
	struct ms_arena_block *block = arena->last;

	size = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
	if (block == NULL || block->size - block->used < size)
		block = add_block(arena, size > BLOCK_BYTES ? size : BLOCK_BYTES);

	void *p = block->bytes + block->used;
	block->used += size;
	arena->taken += size;
	return p;
}

char *ms_arena_strndup(struct ms_arena *arena, const char *text, size_t n)
{
	char *copy = ms_arena_take(arena, n + 1);

	memcpy(copy, text, n);
	return copy;
}

char *ms_arena_strdup(struct ms_arena *arena, const char *text)
{
	return ms_arena_strndup(arena, text, strlen(text));
}

char *ms_arena_printf(struct ms_arena *arena, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	int n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);

	char *text = ms_arena_take(arena, (size_t)n + 1);
	va_start(ap, fmt);
	vsnprintf(text, (size_t)n + 1, fmt, ap);
	va_end(ap);
	return text;
}

void ms_arena_free(struct ms_arena *arena)
{
	struct ms_arena_block *block = arena->last;

	while (block != NULL) {
		struct ms_arena_block *older = block->older;

		ms_free(block);
		block = older;
	}
	arena->last = NULL;
	arena->taken = 0;
}

void ms_arena_join(struct ms_arena *into, struct ms_arena *from)
{
	struct ms_arena_block **oldest = &from->last;

	while (*oldest != NULL)
		oldest = &(*oldest)->older;
	*oldest = into->last;
	into->last = from->last;
	into->taken += from->taken;
	*from = (struct ms_arena)MS_ARENA_INIT;
}
