#include "base/arena.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

enum {
	BLOCK_BYTES = 64 * 1024,
	LARGEST_BLOCK = 2 * 1024 * 1024,
	ALIGNMENT = 16,
	PACKED_ALIGNMENT = 8,
};

struct ms_arena_block {
	struct ms_arena_block *older;
	size_t used;
	size_t size;
	size_t pages; /* its bytes, if it is mapped */
	unsigned char bytes[] MS_ALIGNED(ALIGNMENT);
};

/* A quarter of the bytes in use, so that large arenas have few blocks and waste little. */
static size_t block_bytes(const struct ms_arena *arena)
{
	size_t bytes = BLOCK_BYTES;

	while (bytes < LARGEST_BLOCK && bytes * 4 <= arena->taken)
		bytes *= 2;
	return bytes;
}

static struct ms_arena_block *add_block(struct ms_arena *arena, size_t size)
{
	size_t bytes = block_bytes(arena);
	bool mapped = bytes > BLOCK_BYTES && size <= bytes - sizeof(struct ms_arena_block);
	struct ms_arena_block *block;

	if (mapped) {
		/* All of it will be used, and much of it is read before it is written. */
		block = ms_pages_alloc_full(bytes);
		block->pages = bytes;
		size = bytes - sizeof(*block);
	} else {
		size = size > BLOCK_BYTES ? size : BLOCK_BYTES;
		block = ms_alloc(sizeof(*block) + size);
	}
	block->size = size;
	block->older = arena->last;
	arena->last = block;
	return block;
}

static size_t round_up(size_t size, size_t alignment)
{
	return (size + alignment - 1) & ~(alignment - 1);
}

static void *take(struct ms_arena *arena, size_t size, size_t alignment)
{
	struct ms_arena_block *block = arena->last;
	size_t from = block != NULL ? round_up(block->used, alignment) : 0;

	size = round_up(size, alignment);
	if (block == NULL || from > block->size || block->size - from < size) {
		block = add_block(arena, size);
		from = 0;
	}
	block->used = from + size;
	arena->taken += size;
	return block->bytes + from;
}

void *ms_arena_take(struct ms_arena *arena, size_t size)
{
	return take(arena, size, ALIGNMENT);
}

void *ms_arena_take_packed(struct ms_arena *arena, size_t size)
{
	return take(arena, size, PACKED_ALIGNMENT);
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

		if (block->pages != 0)
			ms_pages_free(block, block->pages);
		else
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
