/*
 * engine/caches/miss_attribution.h - what lines that missed a level are charged to.
 *
 * Most misses of a batch are like others of it: the same cell, the line of the same data left, and
 * the same is known of the line that came. So they are counted here first, by these three, and
 * entered into tallies, movements and phases many at once: when their place is needed for others,
 * and at the end.
 */
#ifndef MS_ENGINE_CACHES_MISS_ATTRIBUTION_H
#define MS_ENGINE_CACHES_MISS_ATTRIBUTION_H

#include "engine/engine_priv.h"

struct ms_caches_attribution {
	struct ms_count_bin *cell; /* NULL: none */
	uint32_t came;             /* what the record said of the line that came ... */
	uint32_t left; /* ... and of the one that left; MS_CACHES_NEVER_PRESENT: none did */
	uint32_t kind; /* the phase; and whether it has missed is unknown */
	uint32_t count;
};

enum { MS_CACHES_ATTRIBUTION_PHASE = (1 << 30) - 1, MS_CACHES_ATTRIBUTION_UNKNOWN = 1 << 30 };

enum { MS_CACHES_ATTRIBUTIONS = 128 };

/* All of one level. */
struct ms_caches_attributions {
	struct ms_engine_shard *shard;
	unsigned batch_index;
	unsigned level;
	bool windows;    /* all are of one phase: parts are counted apart in the place of phases */
	uint32_t phase;  /* then: that one */
	uint32_t weight; /* of several processors, of each miss; else 0 */
	unsigned used_count;
	uint8_t used[MS_CACHES_ATTRIBUTIONS]; /* which of the following are, in any order */
	struct ms_caches_attribution at[MS_CACHES_ATTRIBUTIONS];
};

/* Makes the place that of another charge, which has no count yet. */
void ms_caches_replace_attribution(struct ms_caches_attributions *attributions,
				   struct ms_caches_attribution *at,
				   const struct ms_caches_attribution *by);
/* One that is not like others: of a reference that goes on (first: it misses the level here for the
 * first time), or is split. */
void ms_caches_attribute_separately(struct ms_caches_attributions *attributions,
				    const struct ms_caches_miss *f, uint32_t came, uint32_t left,
				    bool first);
/* lru_simulation.c: lines that missed a level, with their victims; they are entered, too. */
void ms_caches_attribute_misses(struct ms_caches_attributions *attributions, unsigned level,
				struct ms_caches_miss *lines, size_t n);
/* Enters all of them; then there are none. */
void ms_caches_flush_attributions(struct ms_caches_attributions *attributions);

MS_INLINE void ms_caches_attribute_miss(struct ms_caches_attributions *attributions,
					const struct ms_caches_miss *f, uint32_t came,
					uint32_t left)
{
	uint32_t kind = f->phase | (uint32_t)f->unknown << 30;
	uint64_t key = (uint64_t)(uintptr_t)f->cell + ((uint64_t)came << 32 ^ left);
	struct ms_caches_attribution *at =
		&attributions->at[key * UINT64_C(0x9e3779b97f4a7c15) >> 32 &
				  (MS_CACHES_ATTRIBUTIONS - 1)];

	if (MS_UNLIKELY(at->cell != f->cell || at->came != came || at->left != left ||
			at->kind != kind))
		ms_caches_replace_attribution(
			attributions, at,
			&(struct ms_caches_attribution){ f->cell, came, left, kind, 0 });
	at->count++;
}

#endif
