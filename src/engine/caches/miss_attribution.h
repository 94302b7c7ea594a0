/*
 * engine/caches/miss_attribution.h - attributes the misses of a level to their cells and causes.
 *
 * Most misses of a batch equal others: same cell, same data of the evicted line, same record of the
 * line that missed. So misses are first counted by these three in a small table. Each entry is
 * added to the miss counters, line changes and phases as a whole: when another entry needs its
 * place, and at the end.
 */
#ifndef MS_ENGINE_CACHES_MISS_ATTRIBUTION_H
#define MS_ENGINE_CACHES_MISS_ATTRIBUTION_H

#include "engine/engine_priv.h"

struct ms_caches_attribution {
	struct ms_count_cell *cell; /* NULL: none */
	uint32_t came;              /* record of the line that entered the level ... */
	uint32_t left;              /* ... and of the evicted line; MS_CACHES_NEVER_PRESENT: none */
	uint32_t kind;              /* the phase; and a bit if it is unknown whether it misses */
	uint32_t count;
};

enum { MS_CACHES_ATTRIBUTION_PHASE = (1 << 30) - 1, MS_CACHES_ATTRIBUTION_UNKNOWN = 1 << 30 };

enum { MS_CACHES_ATTRIBUTIONS = 128 };

/* The table of one level. */
struct ms_caches_attributions {
	struct ms_engine_shard *shard;
	unsigned batch_index;
	unsigned level;
	bool windows;    /* all are of one phase: parts are counted separately instead of phases */
	uint32_t phase;  /* with windows: that phase */
	uint32_t weight; /* with several processors: weight of each miss; else 0 */
	unsigned used_count;
	uint8_t used[MS_CACHES_ATTRIBUTIONS]; /* indices of the entries in use, in any order */
	struct ms_caches_attribution at[MS_CACHES_ATTRIBUTIONS];
};

/* Adds the entry to the counters and replaces it by another one, whose count is 0. */
void ms_caches_replace_attribution(struct ms_caches_attributions *attributions,
				   struct ms_caches_attribution *at,
				   const struct ms_caches_attribution *by);
/*
 * Counts a miss that cannot be combined with others: of a reference with several lines (first: it
 * is the first of them to miss the level), or one that is split between shards.
 */
void ms_caches_attribute_separately(struct ms_caches_attributions *attributions,
				    const struct ms_caches_miss *f, uint32_t came, uint32_t left,
				    bool first);
/*
 * lru_simulation.c: attributes lines that missed a level, with their victims, and updates their
 * records.
 */
void ms_caches_attribute_misses(struct ms_caches_attributions *attributions, unsigned level,
				struct ms_caches_miss *lines, size_t n);
/* Adds all entries to the counters and empties the table. */
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
