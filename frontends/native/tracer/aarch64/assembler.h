/* assembler.h - the few instructions that the translator generates itself. None of them changes
 * flags. */
#ifndef MS_NATIVE_TRACER_AARCH64_ASSEMBLER_H
#define MS_NATIVE_TRACER_AARCH64_ASSEMBLER_H

#include <stdbool.h>
#include <stdint.h>

#include "tracer/code_cache.h"

static inline void put(uint32_t word)
{
	*ms_tracer_emit_cursor++ = word;
}

/* Whole registers, from and to [n + offset]. */
static inline void put_load(uint32_t t, uint32_t n, uint32_t offset)
{
	put(0xf9400000 | offset / 8 << 10 | n << 5 | t);
}

static inline void put_store(uint32_t t, uint32_t n, uint32_t offset)
{
	put(0xf9000000 | offset / 8 << 10 | n << 5 | t);
}

/* From and to [n + m]. */
static inline void put_load_at(uint32_t t, uint32_t n, uint32_t m)
{
	put(0xf8606800 | m << 16 | n << 5 | t);
}

static inline void put_store_at(uint32_t t, uint32_t n, uint32_t m)
{
	put(0xf8206800 | m << 16 | n << 5 | t);
}

/* Prefetches a line for writing. */
static inline void put_prefetch(uint32_t n, uint32_t offset)
{
	put(0xf9800010 | offset / 8 << 10 | n << 5);
}

/* d = n + value; n may be sp. */
static inline void put_add(uint32_t d, uint32_t n, int32_t value)
{
	uint32_t size = (uint32_t)(value < 0 ? -value : value),
		 op = value < 0 ? 0xd1000000 : 0x91000000;

	if (size >> 12 != 0) {
		put(op | 1 << 22 | size >> 12 << 10 | n << 5 | d);
		n = d;
	}
	if ((size & 0xfff) != 0 || size == 0)
		put(op | (size & 0xfff) << 10 | n << 5 | d);
}

static inline void put_subtract(uint32_t d, uint32_t n, uint32_t m)
{
	put(0xcb000000 | m << 16 | n << 5 | d);
}

static inline void put_move(uint32_t d, uint32_t m)
{
	put(0xaa0003e0 | m << 16 | d);
}

static inline void put_jump_register(uint32_t n)
{
	put(0xd61f0000 | n << 5);
}

static inline uint32_t jump_word(const uint32_t *from, const uint32_t *to)
{
	return 0x14000000 | ((uint32_t)(to - from) & 0x3ffffff);
}

static inline void put_jump(const uint32_t *to)
{
	put(jump_word(ms_tracer_emit_cursor, to));
}

/* Makes an emitted branch go to the next instruction. */
static inline void aim_here(uint32_t *at)
{
	uint32_t words = (uint32_t)(ms_tracer_emit_cursor - at);

	if ((*at & 0x7c000000) == 0x14000000)
		*at = jump_word(at, ms_tracer_emit_cursor);
	else if ((*at & 0x7e000000) == 0x36000000)
		*at = (*at & ~(0x3fffu << 5)) | (words & 0x3fff) << 5;
	else
		*at = (*at & ~(0x7ffffu << 5)) | (words & 0x7ffff) << 5;
}

/* t = value, by its parts, or from a literal after the block's code (block_emitter.c). */
void ms_tracer_put_constant(uint32_t t, uint64_t value);

#endif
