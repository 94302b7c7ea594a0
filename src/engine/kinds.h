/*
 * engine/kinds.h - of which data the heap objects of a page are, in little room: what is asked for
 * with each reference to another object should stay near the processor that simulates.
 *
 * Many pages have objects of one data only. Then there is a bit for each granule. As soon as there
 * are several, or one is freed, there are four: which of up to 13 data, in a list that stands
 * before them.
 */
#ifndef MS_ENGINE_KINDS_H
#define MS_ENGINE_KINDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/compiler.h"
#include "base/vec.h"

enum { MS_KINDS_GRANULES = 512 }; /* of a page */

/* What is known of a granule: its data plus 1, or one of these. */
enum { MS_KIND_NONE = 0 };       /* no object lies there, nor did one */
#define MS_KIND_FAR   UINT32_MAX /* not known here */
#define MS_KIND_FREED (UINT32_MAX - 1)

struct page_kinds {
	uint64_t *words; /* NULL: none */
	uint32_t only;   /* the kind of all objects; 0: none yet, MS_KIND_FAR: there are several */
};

/* What those of all pages take. */
struct kinds {
	struct ms_arena arena;
	MS_VEC(uint64_t *) narrow; /* words that are not used any more, */
	MS_VEC(uint64_t *) wide;   /* with one bit a granule and with four */
};

void ms_kinds_close(struct kinds *kinds);
uint64_t ms_kinds_bytes(const struct kinds *kinds);

/* The page has none yet, or will have none any more. */
void ms_kinds_begin(struct kinds *kinds, struct page_kinds *page);
void ms_kinds_end(struct kinds *kinds, struct page_kinds *page);
/* From here on the granules up to `to` are of this kind. */
void ms_kinds_set(struct kinds *kinds, struct page_kinds *page, unsigned from, unsigned to,
		  uint32_t kind);

/* Whether all granules up to `to` were objects' that were freed. */
bool ms_kinds_are_freed(const struct page_kinds *page, unsigned from, unsigned to);

enum {
	MS_KINDS_BITS = 4, /* of each granule, where there are several data ... */
	MS_KINDS_MASK = (1 << MS_KINDS_BITS) - 1,
	MS_KINDS_LIST = 8, /* ... behind so many words, of two data each */
};

MS_INLINE uint32_t ms_kinds_at(const struct page_kinds *page, unsigned granule)
{
	if (page->only != MS_KIND_FAR)
		return page->words[granule / 64] >> granule % 64 & 1 ? page->only : MS_KIND_NONE;

	const uint64_t *word = &page->words[MS_KINDS_LIST + granule / (64 / MS_KINDS_BITS)];
	unsigned number = *word >> granule * MS_KINDS_BITS % 64 & MS_KINDS_MASK;

	return ((const uint32_t *)page->words)[number];
}

#endif
