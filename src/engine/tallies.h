/*
 * engine/tallies.h - what is counted: per (site, data), per level, and per pair of data.
 *
 * A tally keeps the pairs that it counts in small hash tables of its own, until the epoch ends
 * (pairs.h).
 */
#ifndef MS_ENGINE_TALLIES_H
#define MS_ENGINE_TALLIES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/compiler.h"
#include "base/map.h"
#include "base/vec.h"
#include "engine/engine.h"
#include "engine/pairs.h"

/* Replacement misses by an evictor's data, or lines of a victim's data pushed out. */
struct pair {
	uint64_t count;
	uint32_t other_plus_1; /* data; 0: an empty place of the table */
};

struct pair_table {
	struct pair *at; /* by other, modulo its size; NULL: none yet */
	uint32_t n;
	uint32_t mask; /* size - 1 */
};

struct tally_level {
	uint64_t causes[MS_MISS_CAUSES];
	uint64_t evictions; /* lines pushed out, in the epochs that have ended */
	uint64_t covered;   /* of the misses: a prefetcher would have been there before */
};

/* What is counted besides, by level, where there are several processors: see ms_total_miss. */
struct tally_more {
	uint64_t falsely;
	uint64_t peer;
	uint64_t remote; /* by ms_engine_finish() only */
	uint64_t write_backs;
	uint64_t weighted; /* in parts of MS_WEIGHT */
};

/* A weight is counted in parts that up to 16 busy processors can share evenly. */
enum { MS_WEIGHT = 720720 };

struct tally {
	uint64_t upgrades;
	/* Of the epoch, by level and kind. Most tallies count nothing in most epochs, and share
	 * tables that are always empty. */
	struct pair_table *pairs;
	uint32_t site;
	uint32_t data;
	uint32_t processor;
	uint32_t number;            /* in its list ... */
	uint32_t place;             /* ... and in totals: its cell's */
	uint32_t crosses;           /* enum ms_crossing of its cell */
	struct tally_level level[]; /* and then, for several processors, tally_more by level */
};

struct tallies {
	struct ms_arena arena;
	unsigned levels;
	bool more;                  /* than one processor */
	struct ms_map by_site_data; /* and processor; of those made by ms_tallies_at() */
	MS_VEC(struct tally *) list;
	struct pair_table *no_pairs; /* empty tables, by level and kind */
	struct ms_arena pair_arena;  /* tables of the epoch */
	MS_VEC(struct tally *) with_pairs;
};

void ms_tallies_open(struct tallies *tallies, unsigned levels, bool more);
void ms_tallies_close(struct tallies *tallies);
/* A new one, which the caller keeps in its cell; or the one of this site and data. */
struct tally *ms_tallies_add(struct tallies *tallies, uint32_t site, uint32_t data,
			     uint32_t processor);
struct tally *ms_tallies_at(struct tallies *tallies, uint32_t site, uint32_t data,
			    uint32_t processor);
/* The epoch has ended: moves all pairs to the list. */
void ms_tallies_take_pairs(struct tallies *tallies, struct pair_list *list);
size_t ms_tally_size(const struct tallies *tallies);
void ms_tallies_add_pair(struct tallies *tallies, struct tally *tally, unsigned level,
			 enum pair_kind kind, uint32_t other, uint64_t count);

MS_INLINE struct tally_more *ms_tally_more(const struct tallies *tallies, struct tally *tally,
					   unsigned level)
{
	return (struct tally_more *)&tally->level[tallies->levels] + level;
}

MS_INLINE void ms_tally_pairs(struct tallies *tallies, struct tally *tally, unsigned level,
			      enum pair_kind kind, uint32_t other, uint64_t count)
{
	const struct pair_table *table = &tally->pairs[level * PAIR_KINDS + kind];

	if (MS_LIKELY(table->at != NULL &&
		      table->at[other & table->mask].other_plus_1 == other + 1))
		table->at[other & table->mask].count += count;
	else
		ms_tallies_add_pair(tallies, tally, level, kind, other, count);
}

MS_INLINE void ms_tally_pair(struct tallies *tallies, struct tally *tally, unsigned level,
			     enum pair_kind kind, uint32_t other)
{
	ms_tally_pairs(tallies, tally, level, kind, other, 1);
}

/* So many references missed this level; what the line's record said there: lines.h. */
void ms_tally_misses(struct tallies *tallies, struct tally *tally, unsigned level, uint32_t record,
		     uint64_t count);

MS_INLINE void ms_tally_miss(struct tallies *tallies, struct tally *tally, unsigned level,
			     uint32_t record)
{
	ms_tally_misses(tallies, tally, level, record, 1);
}

#endif
