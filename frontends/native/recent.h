/*
 * recent.h - cache of a thread's recent call paths. Each entry has the words of the stack that
 * identify it: if they are unchanged, the path is the same. See recent.c; plain.c compares them
 * inline.
 */
#ifndef MS_NATIVE_RECENT_H
#define MS_NATIVE_RECENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stack.h"

enum { MS_RECENTS = 4096, MS_RECENT_SHIFT = 64 - 12, MS_RECENT_VALUE_BITS = 48 };
/* Words are compared in groups: a path is padded with copies of one of its words. */
enum { MS_RECENT_GROUP = 4, MS_RECENT_WORDS = 33 * MS_RECENT_GROUP, MS_RECENT_FORKS = 16 };
/* From so many entries on, they are spread over the whole array. */
enum { MS_RECENT_MANY = 512 };
/* Words below sp that belong to the comparison: where wrap.S has saved the caller's frame pointer,
 * and the return address. */
enum { MS_RECENT_BELOW = 2 };

/* An odd number of cache lines, so that entries do not all begin in the same cache sets. */
struct ms_recent {
	uint64_t pc, sp;
	uint32_t number; /* number of the path */
	uint32_t way;    /* hash of the words at the forks that lead here; 0: none */
	uint32_t next;   /* the entry that was used after this one the last time: ms_recent_at() */
	uint16_t depth;  /* number of words; 0: no path here */
	/* Several paths have this pc and stack pointer: the index, plus 1, of the word that
	 * distinguishes them. The path, or the next fork, is stored under the hash of its value. */
	uint16_t fork;
	/* Return addresses, and frame pointers by which some were found. The bits above
	 * MS_RECENT_VALUE_BITS are their position, in words, from MS_RECENT_BELOW words below
	 * sp. */
	uint64_t words[MS_RECENT_WORDS];
};
_Static_assert(sizeof(struct ms_recent) % 128 == 64, "lines of the cache");

struct ms_recents {
	struct ms_recent all[MS_RECENTS];
	uint32_t turn;
	uint32_t added; /* counted up to MS_RECENT_MANY */
	/* Work space to unwind a path that is not cached: as large as the whole stack of some
	 * threads. */
	struct ms_stack stack;
	uint64_t path[MS_PATH_DEEPEST + 1];
	uint64_t packed[MS_RECENT_WORDS];
};

static inline struct ms_recent *ms_recent_at(struct ms_recents *all, uint32_t at)
{
	return (struct ms_recent *)((uint8_t *)all + at);
}

/* The part of the stack that identifies paths. */
static inline const uint64_t *ms_recent_stack(uint64_t sp)
{
	return (const uint64_t *)sp - MS_RECENT_BELOW;
}

static inline bool ms_recent_is_of(const struct ms_recent *r, uint64_t pc, uint64_t sp,
				   uint32_t way)
{
	return r->pc == pc && r->sp == sp && r->way == way;
}

/* One of its two places; the other one is the neighbour. */
static inline uint32_t ms_recent_place(uint64_t pc, uint64_t sp, uint32_t way)
{
	uint64_t hash = (pc ^ sp >> 3 ^ (uint64_t)way << 20) * UINT64_C(0x9e3779b97f4a7c15);

	return (uint32_t)(hash >> MS_RECENT_SHIFT);
}

/* The hash after a fork: of the hash that led there, and a word of the stack. */
static inline uint32_t ms_recent_way(uint32_t way, uint64_t word)
{
	return ((way << 9 | way >> 23) ^ (uint32_t)word ^ (uint32_t)(word >> 32) << 16) | 1;
}

/* NULL: there is none. */
static inline struct ms_recent *ms_recent_find(struct ms_recents *all, uint64_t pc, uint64_t sp,
					       uint32_t way)
{
	uint32_t at = ms_recent_place(pc, sp, way);

	if (ms_recent_is_of(&all->all[at], pc, sp, way))
		return &all->all[at];
	return ms_recent_is_of(&all->all[at ^ 1], pc, sp, way) ? &all->all[at ^ 1] : NULL;
}

/* The entry to be compared, or the last fork before it; NULL: none. */
static inline struct ms_recent *ms_recent_candidate(struct ms_recents *all, uint64_t pc,
						    uint64_t sp)
{
	struct ms_recent *r = ms_recent_find(all, pc, sp, 0);
	uint32_t way = 0;

	for (uint32_t turn = 0; turn < MS_RECENT_FORKS && r != NULL && r->fork != 0; turn++) {
		way = ms_recent_way(way, ms_recent_stack(sp)[r->fork - 1]);
		r = ms_recent_find(all, pc, sp, way);
	}
	return r;
}

struct ms_thread;
struct ms_frame;

/* The cached path of the call at pc, or NULL. */
const struct ms_recent *ms_recent_again(struct ms_thread *t, uint64_t pc, uint64_t sp);
/* Code was unmapped, and other code may be mapped there: invalidates the caches of all threads. */
void ms_recent_forget(void);
/* Adds the path of the stack that has just been unwound. */
void ms_recent_add(struct ms_thread *t, const struct ms_frame *frame, uint32_t number);

#endif
