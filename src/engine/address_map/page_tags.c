#include "engine/address_map/page_tags.h"

#include <string.h>

enum {
	NARROW_WORDS = MS_ADDRESS_MAP_GRANULES / 64,
	WIDE_WORDS = MS_ADDRESS_MAP_TAG_LIST_WORDS +
		     MS_ADDRESS_MAP_GRANULES * MS_ADDRESS_MAP_TAG_BITS / 64,
	FAR = MS_ADDRESS_MAP_TAG_MASK, /* number of an unknown tag ... */
	FREED = FAR - 1,               /* ... and of a freed one; those of data are below */
};

void ms_address_map_close_tag_pool(struct ms_address_map_tag_pool *pool)
{
	ms_vec_free(&pool->narrow);
	ms_vec_free(&pool->wide);
	ms_arena_free(&pool->arena);
}

uint64_t ms_address_map_measure_tags(const struct ms_address_map_tag_pool *pool)
{
	return pool->arena.taken + pool->narrow.cap * sizeof(*pool->narrow.at) +
	       pool->wide.cap * sizeof(*pool->wide.at);
}

/* Returns words that are zero. */
static uint64_t *take(struct ms_address_map_tag_pool *pool, uint64_t *old, size_t words)
{
	if (old == NULL)
		return ms_arena_take(&pool->arena, words * sizeof(*old));
	return memset(old, 0, words * sizeof(*old));
}

void ms_address_map_open_page_tags(struct ms_address_map_tag_pool *pool,
				   struct ms_address_map_page_tags *page)
{
	uint64_t *old = pool->narrow.n > 0 ? pool->narrow.at[--pool->narrow.n] : NULL;

	*page = (struct ms_address_map_page_tags){ take(pool, old, NARROW_WORDS), 0 };
}

void ms_address_map_close_page_tags(struct ms_address_map_tag_pool *pool,
				    struct ms_address_map_page_tags *page)
{
	if (page->only == MS_ADDRESS_MAP_TAG_UNKNOWN)
		*ms_vec_add(&pool->wide) = page->words;
	else
		*ms_vec_add(&pool->narrow) = page->words;
	*page = (struct ms_address_map_page_tags){ NULL, 0 };
}

/* The bits from `from` to `to`, as far as they are in the same word as `from`. */
static uint64_t bits_from(unsigned from, unsigned to)
{
	unsigned n = (from | 63) < to ? 64 - from % 64 : to - from;

	return UINT64_MAX >> (64 - n) << from % 64;
}

/* A word filled with this number of `bits` bits. */
static uint64_t repeat(unsigned bits, uint64_t number)
{
	return UINT64_MAX / ((UINT64_C(1) << bits) - 1) * number;
}

/* Sets the numbers from `from` to `to`, of `bits` bits each. */
static void set_numbers(uint64_t *words, unsigned bits, unsigned from, unsigned to, uint64_t number)
{
	uint64_t all = repeat(bits, number);

	for (from *= bits, to *= bits; from < to; from = (from | 63) + 1) {
		uint64_t these = bits_from(from, to);

		words[from / 64] = (words[from / 64] & ~these) | (all & these);
	}
}

/* Spreads 16 bits: each becomes the lowest of four. */
static uint64_t spread(uint64_t bits)
{
	bits = (bits | bits << 24) & UINT64_C(0x000000ff000000ff);
	bits = (bits | bits << 12) & UINT64_C(0x000f000f000f000f);
	bits = (bits | bits << 6) & UINT64_C(0x0303030303030303);
	return (bits | bits << 3) & UINT64_C(0x1111111111111111);
}

static void widen(struct ms_address_map_tag_pool *pool, struct ms_address_map_page_tags *page)
{
	uint64_t *old = pool->wide.n > 0 ? pool->wide.at[--pool->wide.n] : NULL;
	struct ms_address_map_page_tags wide = { take(pool, old, WIDE_WORDS),
						 MS_ADDRESS_MAP_TAG_UNKNOWN };
	uint32_t *list = (uint32_t *)wide.words;

	list[1] = page->only;
	list[FREED] = MS_ADDRESS_MAP_TAG_FREED;
	list[FAR] = MS_ADDRESS_MAP_TAG_UNKNOWN;
	for (unsigned i = 0; i < MS_ADDRESS_MAP_GRANULES / 16; i++)
		wide.words[MS_ADDRESS_MAP_TAG_LIST_WORDS + i] =
			spread(page->words[i / 4] >> i % 4 * 16 & 0xffff);
	ms_address_map_close_page_tags(pool, page);
	*page = wide;
}

/* The number of the tag in the page's list; added if there is room. */
static unsigned number_of(struct ms_address_map_page_tags *page, uint32_t kind)
{
	uint32_t *list = (uint32_t *)page->words;

	if (kind == MS_ADDRESS_MAP_TAG_NONE)
		return 0;
	if (kind == MS_ADDRESS_MAP_TAG_FREED)
		return FREED;
	for (unsigned i = 1; i < FREED; i++) {
		if (list[i] == 0)
			list[i] = kind;
		if (list[i] == kind)
			return i;
	}
	return FAR;
}

void ms_address_map_set_tags(struct ms_address_map_tag_pool *pool,
			     struct ms_address_map_page_tags *page, unsigned from, unsigned to,
			     uint32_t kind)
{
	if (page->only == 0 && kind != MS_ADDRESS_MAP_TAG_FREED)
		page->only = kind;
	if (page->only != MS_ADDRESS_MAP_TAG_UNKNOWN && page->only != kind &&
	    kind != MS_ADDRESS_MAP_TAG_NONE)
		widen(pool, page);
	if (page->only == MS_ADDRESS_MAP_TAG_UNKNOWN)
		set_numbers(page->words + MS_ADDRESS_MAP_TAG_LIST_WORDS, MS_ADDRESS_MAP_TAG_BITS,
			    from, to, number_of(page, kind));
	else
		set_numbers(page->words, 1, from, to, kind != MS_ADDRESS_MAP_TAG_NONE);
}

/* A page in which something was freed has four bits per granule. */
bool ms_address_map_are_tags_freed(const struct ms_address_map_page_tags *page, unsigned from,
				   unsigned to)
{
	const uint64_t *words = page->words + MS_ADDRESS_MAP_TAG_LIST_WORDS;
	uint64_t all = repeat(MS_ADDRESS_MAP_TAG_BITS, FREED), other = 0;

	if (page->only != MS_ADDRESS_MAP_TAG_UNKNOWN)
		return false;
	for (from *= MS_ADDRESS_MAP_TAG_BITS, to *= MS_ADDRESS_MAP_TAG_BITS; from < to;
	     from = (from | 63) + 1)
		other |= (words[from / 64] ^ all) & bits_from(from, to);
	return other == 0;
}
