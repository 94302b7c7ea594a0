#include "engine/kinds.h"

#include <string.h>

enum {
	NARROW_WORDS = MS_KINDS_GRANULES / 64,
	WIDE_WORDS = MS_KINDS_LIST + MS_KINDS_GRANULES * MS_KINDS_BITS / 64,
	FAR = MS_KINDS_MASK, /* the number of what is not known ... */
	FREED = FAR - 1,     /* ... and of what was freed; those of data are below */
};

void ms_kinds_close(struct kinds *kinds)
{
	ms_vec_free(&kinds->narrow);
	ms_vec_free(&kinds->wide);
	ms_arena_free(&kinds->arena);
}

uint64_t ms_kinds_bytes(const struct kinds *kinds)
{
	return kinds->arena.taken + kinds->narrow.cap * sizeof(*kinds->narrow.at) +
	       kinds->wide.cap * sizeof(*kinds->wide.at);
}

/* Zeros. */
static uint64_t *take(struct kinds *kinds, uint64_t *old, size_t words)
{
	if (old == NULL)
		return ms_arena_take(&kinds->arena, words * sizeof(*old));
	return memset(old, 0, words * sizeof(*old));
}

void ms_kinds_begin(struct kinds *kinds, struct page_kinds *page)
{
	uint64_t *old = kinds->narrow.n > 0 ? kinds->narrow.at[--kinds->narrow.n] : NULL;

	*page = (struct page_kinds){ take(kinds, old, NARROW_WORDS), 0 };
}

void ms_kinds_end(struct kinds *kinds, struct page_kinds *page)
{
	if (page->only == MS_KIND_FAR)
		*ms_vec_add(&kinds->wide) = page->words;
	else
		*ms_vec_add(&kinds->narrow) = page->words;
	*page = (struct page_kinds){ NULL, 0 };
}

/* Of the word that bit `from` stands in, its bits from there to `to`. */
static uint64_t bits_from(unsigned from, unsigned to)
{
	unsigned n = (from | 63) < to ? 64 - from % 64 : to - from;

	return UINT64_MAX >> (64 - n) << from % 64;
}

/* A word full of this number, of so many bits. */
static uint64_t repeat(unsigned bits, uint64_t number)
{
	return UINT64_MAX / ((UINT64_C(1) << bits) - 1) * number;
}

/* Numbers from..to, of so many bits each, become this one. */
static void set_numbers(uint64_t *words, unsigned bits, unsigned from, unsigned to, uint64_t number)
{
	uint64_t all = repeat(bits, number);

	for (from *= bits, to *= bits; from < to; from = (from | 63) + 1) {
		uint64_t these = bits_from(from, to);

		words[from / 64] = (words[from / 64] & ~these) | (all & these);
	}
}

/* 16 bits, each the lowest of four. */
static uint64_t spread(uint64_t bits)
{
	bits = (bits | bits << 24) & UINT64_C(0x000000ff000000ff);
	bits = (bits | bits << 12) & UINT64_C(0x000f000f000f000f);
	bits = (bits | bits << 6) & UINT64_C(0x0303030303030303);
	return (bits | bits << 3) & UINT64_C(0x1111111111111111);
}

static void widen(struct kinds *kinds, struct page_kinds *page)
{
	uint64_t *old = kinds->wide.n > 0 ? kinds->wide.at[--kinds->wide.n] : NULL;
	struct page_kinds wide = { take(kinds, old, WIDE_WORDS), MS_KIND_FAR };
	uint32_t *list = (uint32_t *)wide.words;

	list[1] = page->only;
	list[FREED] = MS_KIND_FREED;
	list[FAR] = MS_KIND_FAR;
	for (unsigned i = 0; i < MS_KINDS_GRANULES / 16; i++)
		wide.words[MS_KINDS_LIST + i] = spread(page->words[i / 4] >> i % 4 * 16 & 0xffff);
	ms_kinds_end(kinds, page);
	*page = wide;
}

/* The number of the kind in the page's list; it is added where there is room. */
static unsigned number_of(struct page_kinds *page, uint32_t kind)
{
	uint32_t *list = (uint32_t *)page->words;

	if (kind == MS_KIND_NONE)
		return 0;
	if (kind == MS_KIND_FREED)
		return FREED;
	for (unsigned i = 1; i < FREED; i++) {
		if (list[i] == 0)
			list[i] = kind;
		if (list[i] == kind)
			return i;
	}
	return FAR;
}

void ms_kinds_set(struct kinds *kinds, struct page_kinds *page, unsigned from, unsigned to,
		  uint32_t kind)
{
	if (page->only == 0 && kind != MS_KIND_FREED)
		page->only = kind;
	if (page->only != MS_KIND_FAR && page->only != kind && kind != MS_KIND_NONE)
		widen(kinds, page);
	if (page->only == MS_KIND_FAR)
		set_numbers(page->words + MS_KINDS_LIST, MS_KINDS_BITS, from, to,
			    number_of(page, kind));
	else
		set_numbers(page->words, 1, from, to, kind != MS_KIND_NONE);
}

/* Where something was freed there are four bits a granule. */
bool ms_kinds_are_freed(const struct page_kinds *page, unsigned from, unsigned to)
{
	const uint64_t *words = page->words + MS_KINDS_LIST;
	uint64_t all = repeat(MS_KINDS_BITS, FREED), other = 0;

	if (page->only != MS_KIND_FAR)
		return false;
	for (from *= MS_KINDS_BITS, to *= MS_KINDS_BITS; from < to; from = (from | 63) + 1)
		other |= (words[from / 64] ^ all) & bits_from(from, to);
	return other == 0;
}
