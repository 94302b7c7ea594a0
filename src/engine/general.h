/*
 * engine/general.h - machines that are not plain: other replacement than LRU, writing through or
 * around, inclusive and exclusive levels, prefetchers, several processors. docs/formats/machine.md
 * has the rules.
 *
 * A plain machine of one processor never comes here; a shard's `general` is NULL then.
 *
 * Neighbouring levels whose caches serve the same processors have one table of records (lines.h)
 * for all of them: such caches are a nest. With one processor all levels are one nest; else those
 * that are one processor's, then those of some processors, then what all share.
 */
#ifndef MS_ENGINE_GENERAL_H
#define MS_ENGINE_GENERAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/bank.h"
#include "engine/lines.h"
#include "machine/machine.h"

struct ms_shard;
struct cell;
struct coherence;
struct doubts;
struct monitor;

struct nest {
	struct lines *lines; /* the records: a word for each of its banks */
	struct lines own;    /* where those are its own */
	unsigned kind;
	unsigned number; /* of its kind */
	unsigned first;  /* the level of its first bank */
	unsigned n;
	struct bank bank[];
};

/* All nests of the same levels. */
struct nest_kind {
	unsigned first;
	unsigned levels;
	uint32_t processors; /* that one serves */
	uint32_t count;
	struct nest **at; /* NULL: none of its processors has done anything */
};

struct general {
	struct ms_machine machine; /* its levels are an own copy */
	unsigned levels;
	unsigned kinds;
	struct nest_kind *kind;
	struct bank ***path;   /* by nest of the first kind: the banks on the way to memory */
	bool repeats_are_hits; /* of the first level: see sieve.c ... */
	bool pairs_are_hits;   /* ... and processors_sift.c */
	uint32_t *old; /* scratch of one access, by level: what a missed line's record said */
	bool *covered; /* ... whether the prefetcher would have been there before ... */
	bool *falsely; /* ... and of a line that was invalidated, whether nothing was written that
			  the access touches */
	struct coherence *coherence; /* NULL: one processor */
	struct monitor *monitor;     /* NULL: nobody watches */
};

bool ms_general_is_needed(const struct ms_machine *machine);
/* All levels are: whoever has several processors needs it nevertheless. */
bool ms_general_is_plain(const struct ms_machine *machine);
/* A prefetcher must see every miss, in order. */
bool ms_general_is_one_piece(const struct ms_machine *machine);
struct general *ms_general_open(const struct ms_machine *machine, struct lines *lines);
void ms_general_close(struct general *general);
struct bank **ms_general_open_path(struct general *general, uint32_t agent);

/* The banks, by level, that the first level's cache of this number leads to. */
MS_INLINE struct bank **ms_general_path(struct general *general, uint32_t agent)
{
	if (MS_UNLIKELY(general->path[agent] == NULL))
		return ms_general_open_path(general, agent);
	return general->path[agent];
}

uint64_t ms_general_bytes(const struct general *general);
/* Not among these: the records that nests have of their own. */
uint64_t ms_general_record_bytes(const struct general *general);

/* One processor: a line, through the levels; returns how many, from the first, missed it while the
 * program waited. What it met there: old, covered. */
unsigned ms_general_access(struct ms_shard *shard, struct cell *cell, uint64_t line);
/* What ms_shard_settle() is for plain machines. */
void ms_general_settle(struct ms_shard *shard, unsigned slot, const struct doubts *share);

/* --- an access of one line --- */

struct access {
	struct ms_shard *shard;
	struct bank **path; /* by level */
	unsigned levels;
	struct cell *cell;
	uint64_t line; /* of the first level */
	bool waits;    /* the program does; else no miss is counted */
	unsigned missed;
	uint32_t *old; /* by level that was missed while somebody waited: see struct general */
	bool *covered;

	struct coherence *coherence; /* NULL: there is one processor, and nothing below matters */
	uint32_t agent;              /* number of the first level's cache */
	uint64_t unit;               /* see coherence.h; likewise the bytes of it */
	uint32_t *entry;             /* of the directory */
	uint32_t from;
	uint32_t to;
	uint32_t part;    /* where the line begins in the unit ... */
	uint64_t written; /* ... and bytes of it that are written: a bit each; 0: from..to are */
	uint64_t object;
	bool peer;        /* another agent's cache had the line, modified */
	bool invalidated; /* it missed a level that had lost the line; that loss (losses.h): */
	bool truly;       /* the access touches what was written since */
	uint32_t writer;
	uint32_t writer_offset;
	uint64_t writer_object;
};

/* What the record of one of its lines says of a bank. */
MS_INLINE uint32_t *ms_access_word(const struct bank *bank, uint64_t bank_line)
{
	return ms_lines_at(bank->nest->lines, bank_line << bank->up) + bank->word;
}

/* A line leaves the level because of this access; whose it was. */
uint32_t ms_access_evict(const struct access *a, unsigned k, uint32_t *word);
void ms_access_load(struct access *a);
void ms_access_store(struct access *a);
/*
 * Lines of the first level, from `line` on, leave those banks of the nest that are nearer than the
 * level. loss: to be entered into their records, see coherence.h; 0: it is the access's data that
 * pushes them out, which is counted. Returns how many words of records now say so.
 */
unsigned ms_access_take_away(const struct access *a, struct nest *nest, unsigned level,
			     uint64_t line, uint64_t lines, uint32_t loss);

#endif
