/*
 * base/arena.h - memory with a common lifetime: one arena per phase or per object.
 *
 * Allocated memory is zeroed, aligned to 16 bytes, and freed only with the whole arena.
 */
#ifndef MS_BASE_ARENA_H
#define MS_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

struct ms_arena_block;

struct ms_arena {
	struct ms_arena_block *last;
	uint64_t taken; /* bytes allocated */
};

#define MS_ARENA_INIT   \
	{               \
		NULL, 0 \
	}

void *ms_arena_take(struct ms_arena *arena, size_t size);
/* Aligned to 8 bytes only: for millions of small structures. */
void *ms_arena_take_packed(struct ms_arena *arena, size_t size);
char *ms_arena_strdup(struct ms_arena *arena, const char *text);
char *ms_arena_strndup(struct ms_arena *arena, const char *text, size_t n);
char *ms_arena_printf(struct ms_arena *arena, const char *fmt, ...) MS_PRINTF(2, 3);
void ms_arena_free(struct ms_arena *arena);
/* Moves the memory of `from` to `into`, whose lifetime it gets; `from` is empty afterwards. */
void ms_arena_join(struct ms_arena *into, struct ms_arena *from);

#endif
