/*
 * recent.h - paths that a thread found lately, each with the words of the stack that told it: where
 * these are what they were, the path is the same. See recent.c; plain.c does the same in line.
 */
#ifndef MS_NATIVE_RECENT_H
#define MS_NATIVE_RECENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stack.h"

enum { MS_RECENTS = 4096, MS_RECENT_SHIFT = 64 - 12, MS_RECENT_VALUE_BITS = 48 };
/* Words are compared so many at once: those of a path are filled up with one of them. */
enum { MS_RECENT_GROUP = 4, MS_RECENT_WORDS = 33 * MS_RECENT_GROUP, MS_RECENT_FORKS = 16 };
/* From so many on, they are all over their memory. */
enum { MS_RECENT_MANY = 512 };
/* Words below sp that count, too: where wrap.S has put the caller's frame pointer, and the return
 * address. */
enum { MS_RECENT_BELOW = 2 };

/* An odd number of lines of the cache, so that not all begin in the same places of it. */
struct ms_recent {
	uint64_t pc, sp;
	uint32_t number; /* of the path */
	uint32_t way;    /* behind forks: what led here */
	uint32_t next;   /* the one that was wanted after this the last time, as ms_recent_at() has
			    it */
	uint16_t depth;  /* words; 0: there is no path here */
	/* Several paths were met with this place and stack pointer: the word, plus 1, that tells
	 * them apart. Where its value leads to stands the path, or the next fork. */
	uint16_t fork;
	/* Return addresses, and frame pointers by which some were found; and above
	 * MS_RECENT_VALUE_BITS where they stand, in words from MS_RECENT_BELOW on. */
	uint64_t words[MS_RECENT_WORDS];
};
_Static_assert(sizeof(struct ms_recent) % 128 == 64, "lines of the cache");

struct ms_recents {
	struct ms_recent all[MS_RECENTS];
	uint32_t turn;
	uint32_t added; /* until there are MS_RECENT_MANY */
	/* For one that is not among them: as much as the whole stack of some threads. */
	struct ms_stack stack;
	uint64_t path[MS_PATH_DEEPEST + 1];
	uint64_t packed[MS_RECENT_WORDS];
};

static inline struct ms_recent *ms_recent_at(struct ms_recents *all, uint32_t at)
{
	return (struct ms_recent *)((uint8_t *)all + at);
}

/* What paths are told by. */
static inline const uint64_t *ms_recent_stack(uint64_t sp)
{
	return (const uint64_t *)sp - MS_RECENT_BELOW;
}

static inline bool ms_recent_is_of(const struct ms_recent *r, uint64_t pc, uint64_t sp,
				   uint32_t way)
{
	return r->pc == pc && r->sp == sp && r->way == way;
}

/* One of two where it may stand; the other one is its neighbour. */
static inline uint32_t ms_recent_place(uint64_t pc, uint64_t sp, uint32_t way)
{
	uint64_t hash = (pc ^ sp >> 3 ^ (uint64_t)way << 20) * UINT64_C(0x9e3779b97f4a7c15);

	return (uint32_t)(hash >> MS_RECENT_SHIFT);
}

/* What leads on from a fork: what led there, and a word of the stack. */
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

/* The one to be compared, or the last fork on the way there; NULL: there is none. */
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

/* The path of the call at pc, if it is among them; else NULL. */
const struct ms_recent *ms_recent_again(struct ms_thread *t, uint64_t pc, uint64_t sp);
/* Code has gone, and other code may come to lie there: none is, of any thread. */
void ms_recent_forget(void);
/* The one of the stack that has just been unwound is, from now on. */
void ms_recent_add(struct ms_thread *t, const struct ms_frame *frame, uint32_t number);

#endif
