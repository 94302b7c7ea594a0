/*
 * engine/address_map/page_tags.h - of which data the heap objects of a page are, in little room:
 * what is asked for with each reference to another object should stay near the processor that
 * simulates.
 *
 * Many pages have objects of one data only. Then there is a bit for each granule. As soon as there
 * are several, or one is freed, there are four: which of up to 13 data, in a list that stands
 * before them.
 */
#ifndef MS_ENGINE_ADDRESS_MAP_PAGE_TAGS_H
#define MS_ENGINE_ADDRESS_MAP_PAGE_TAGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/compiler.h"
#include "base/vec.h"

enum { MS_ADDRESS_MAP_GRANULES = 512 }; /* of a page */

/* What is known of a granule: its data plus 1, or one of these. */
enum { MS_ADDRESS_MAP_TAG_NONE = 0 };         /* no object lies there, nor did one */
#define MS_ADDRESS_MAP_TAG_UNKNOWN UINT32_MAX /* not known here */
#define MS_ADDRESS_MAP_TAG_FREED   (UINT32_MAX - 1)

struct ms_address_map_page_tags {
	uint64_t *words; /* NULL: none */
	uint32_t only;   /* the kind of all objects; 0: none yet, MS_ADDRESS_MAP_TAG_UNKNOWN: there
			    are several */
};

/* What those of all pages take. */
struct ms_address_map_tag_pool {
	struct ms_arena arena;
	MS_VEC(uint64_t *) narrow; /* words that are not used any more, */
	MS_VEC(uint64_t *) wide;   /* with one bit a granule and with four */
};

void ms_address_map_close_tag_pool(struct ms_address_map_tag_pool *pool);
uint64_t ms_address_map_measure_tags(const struct ms_address_map_tag_pool *pool);

/* The page has none yet, or will have none any more. */
void ms_address_map_open_page_tags(struct ms_address_map_tag_pool *pool,
				   struct ms_address_map_page_tags *page);
void ms_address_map_close_page_tags(struct ms_address_map_tag_pool *pool,
				    struct ms_address_map_page_tags *page);
/* From here on the granules up to `to` are of this kind. */
void ms_address_map_set_tags(struct ms_address_map_tag_pool *pool,
			     struct ms_address_map_page_tags *page, unsigned from, unsigned to,
			     uint32_t kind);

/* Whether all granules up to `to` were objects' that were freed. */
bool ms_address_map_are_tags_freed(const struct ms_address_map_page_tags *page, unsigned from,
				   unsigned to);

enum {
	MS_ADDRESS_MAP_TAG_BITS = 4, /* of each granule, where there are several data ... */
	MS_ADDRESS_MAP_TAG_MASK = (1 << MS_ADDRESS_MAP_TAG_BITS) - 1,
	MS_ADDRESS_MAP_TAG_LIST_WORDS = 8, /* ... behind so many words, of two data each */
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
