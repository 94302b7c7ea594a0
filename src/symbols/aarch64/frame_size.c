/*
 * aarch64: a prologue moves the stack pointer by "stp x29, x30, [sp, #-n]!" or a store of one
 * register, and by "sub sp, sp, #n". It ends with the first instruction that branches.
 */
#include <string.h>

#include "symbols/frame_size_priv.h"

const unsigned ms_symbols_stack_register = 31;

enum { LONGEST_PROLOGUE = 24 };

/* The signed field of n bits at a bit of the word. */
static int64_t field(uint32_t word, unsigned at, unsigned n)
{
	return (int64_t)((uint64_t)word << (64 - at - n)) >> (64 - n);
}

static int64_t moved_by(uint32_t word)
{
	enum { SP = 31 };
	bool based = (word >> 5 & 31) == SP;

	if ((word & 0x7f8003ff) == 0x510003ff && based) /* sub sp, sp, #n, lsl #12 or not */
		return -(int64_t)(word >> 10 & 0xfff) * (word >> 22 & 1 ? 4096 : 1);
	if ((word & 0xffc00000) == 0xa9800000 && based) /* stp x, x, [sp, #n]! */
		return field(word, 15, 7) * 8;
	if ((word & 0xffc00000) == 0x6d800000 && based) /* stp d, d, [sp, #n]! */
		return field(word, 15, 7) * 8;
	if ((word & 0xffe00c00) == 0xf8000c00 && based) /* str x, [sp, #n]! */
		return field(word, 12, 9);
	return 0;
}

/* Branches, also b.cond, cbz, tbz, bl, ret. */
static bool is_branch(uint32_t word)
{
	return (word >> 26 & 31) == 5 || (word >> 25 & 63) == 26 || (word >> 26 & 31) == 13 ||
	       word >> 24 == 0x54 || word >> 25 == 0x6b;
}

uint64_t ms_symbols_prologue_bytes(const uint8_t *code, size_t n)
{
	int64_t size = 0;

	for (size_t i = 0; i < LONGEST_PROLOGUE && (i + 1) * 4 <= n; i++) {
		uint32_t word;

		memcpy(&word, code + i * 4, sizeof(word));
		if (is_branch(word))
			break;
		size -= moved_by(word);
	}
	return size > 0 ? (uint64_t)size : 0;
}
