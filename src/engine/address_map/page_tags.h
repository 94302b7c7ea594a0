/*
 * engine/address_map/page_tags.h - a compact table of the data of a page's heap objects. Each
 * reference to another object looks its data up here, so it should stay in the host's caches.
 *
 * Many pages have objects of one data structure only. Then a granule has one bit. As soon as there
 * are several, or an object is freed, a granule has four bits: an index into a list of up to 13
 * data structures, which precedes the granules.
 */
#ifndef MS_ENGINE_ADDRESS_MAP_PAGE_TAGS_H
#define MS_ENGINE_ADDRESS_MAP_PAGE_TAGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/compiler.h"
#include "base/vec.h"

enum { MS_ADDRESS_MAP_GRANULES = 512 }; /* per page */

/* The tag of a granule: its data plus 1, or one of these. */
enum { MS_ADDRESS_MAP_TAG_NONE = 0 };         /* there is no object, and never was one */
#define MS_ADDRESS_MAP_TAG_UNKNOWN UINT32_MAX /* the table has no room for its data */
#define MS_ADDRESS_MAP_TAG_FREED   (UINT32_MAX - 1)

struct ms_address_map_page_tags {
	uint64_t *words; /* NULL: none */
	/* The tag of all objects; 0: none yet, MS_ADDRESS_MAP_TAG_UNKNOWN: there are several. */
	uint32_t only;
};

/* The memory of all pages' tags. */
struct ms_address_map_tag_pool {
	struct ms_arena arena;
	MS_VEC(uint64_t *) narrow; /* unused words with one bit per granule ... */
	MS_VEC(uint64_t *) wide;   /* ... and with four */
};

void ms_address_map_close_tag_pool(struct ms_address_map_tag_pool *pool);
uint64_t ms_address_map_measure_tags(const struct ms_address_map_tag_pool *pool);

/* For a page that has no tags yet; for a page that no longer needs them. */
void ms_address_map_open_page_tags(struct ms_address_map_tag_pool *pool,
				   struct ms_address_map_page_tags *page);
void ms_address_map_close_page_tags(struct ms_address_map_tag_pool *pool,
				    struct ms_address_map_page_tags *page);
/* Sets the tag of the granules from `from` to `to`. */
void ms_address_map_set_tags(struct ms_address_map_tag_pool *pool,
			     struct ms_address_map_page_tags *page, unsigned from, unsigned to,
			     uint32_t kind);

/* Whether all granules from `from` to `to` belonged to objects that were freed. */
bool ms_address_map_are_tags_freed(const struct ms_address_map_page_tags *page, unsigned from,
				   unsigned to);

enum {
	MS_ADDRESS_MAP_TAG_BITS = 4, /* per granule, where there are several data structures ... */
	MS_ADDRESS_MAP_TAG_MASK = (1 << MS_ADDRESS_MAP_TAG_BITS) - 1,
	/* ... after this many words, of two data structures each. */
	MS_ADDRESS_MAP_TAG_LIST_WORDS = 8,
};

MS_INLINE uint32_t ms_address_map_get_tag(const struct ms_address_map_page_tags *page,
					  unsigned granule)
{
	if (page->only != MS_ADDRESS_MAP_TAG_UNKNOWN)
		return page->words[granule / 64] >> granule % 64 & 1 ? page->only
								     : MS_ADDRESS_MAP_TAG_NONE;

	const uint64_t *word = &page->words[MS_ADDRESS_MAP_TAG_LIST_WORDS +
					    granule / (64 / MS_ADDRESS_MAP_TAG_BITS)];
	unsigned number = *word >> granule * MS_ADDRESS_MAP_TAG_BITS % 64 & MS_ADDRESS_MAP_TAG_MASK;

	return ((const uint32_t *)page->words)[number];
}

#endif
