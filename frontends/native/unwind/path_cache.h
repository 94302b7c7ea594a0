/*
 * path_cache.h - cache of a thread's recent call paths. Each entry has the words of the stack that
 * identify it: if they are unchanged, the path is the same. See path_cache.c; malloc_fast.c
 * compares them inline.
 */
#ifndef MS_NATIVE_UNWIND_PATH_CACHE_H
#define MS_NATIVE_UNWIND_PATH_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "unwind/stack_cache.h"

enum {
	MS_UNWIND_PATH_CACHE_ENTRIES = 4096,
	MS_UNWIND_PATH_CACHE_HASH_SHIFT = 64 - 12,
	MS_UNWIND_PATH_CACHE_VALUE_BITS = 48
};
/* Words are compared in groups: a path is padded with copies of one of its words. */
enum {
	MS_UNWIND_PATH_CACHE_COMPARE_WORDS = 4,
	MS_UNWIND_PATH_CACHE_MAX_WORDS = 33 * MS_UNWIND_PATH_CACHE_COMPARE_WORDS,
	MS_UNWIND_PATH_CACHE_MAX_FORKS = 16
};
/* From so many entries on, they are spread over the whole array. */
enum { MS_UNWIND_PATH_CACHE_HUGE_PAGES_FROM = 512 };
/* Words below sp that belong to the comparison: where interpose.S has saved the caller's frame
 * pointer, and the return address. */
enum { MS_UNWIND_PATH_CACHE_WORDS_BELOW_SP = 2 };

/* An odd number of cache lines, so that entries do not all begin in the same cache sets. */
struct ms_unwind_path_cache_entry {
	uint64_t pc, sp;
	uint32_t number;   /* number of the path */
	uint32_t fork_key; /* hash of the words at the forks that lead here; 0: none */
	uint32_t next;     /* the entry that was used after this one the last time:
			      ms_unwind_get_entry_at() */
	uint16_t depth;    /* number of words; 0: no path here */
	/* Several paths have this pc and stack pointer: the index, plus 1, of the word that
	 * distinguishes them. The path, or the next fork, is stored under the hash of its value. */
	uint16_t fork;
	/* Return addresses, and frame pointers by which some were found. The bits above
	 * MS_UNWIND_PATH_CACHE_VALUE_BITS are their position, in words, from
	 * MS_UNWIND_PATH_CACHE_WORDS_BELOW_SP words below sp. */
	uint64_t words[MS_UNWIND_PATH_CACHE_MAX_WORDS];
};
_Static_assert(sizeof(struct ms_unwind_path_cache_entry) % 128 == 64, "lines of the cache");

struct ms_unwind_path_cache {
	struct ms_unwind_path_cache_entry all[MS_UNWIND_PATH_CACHE_ENTRIES];
	uint32_t replace_toggle;
	uint32_t added; /* counted up to MS_UNWIND_PATH_CACHE_HUGE_PAGES_FROM */
	/* Work space to unwind a path that is not cached: as large as the whole stack of some
	 * threads. */
	struct ms_unwind_cached_stack stack;
	uint64_t path[MS_UNWIND_MAX_DEPTH + 1];
	uint64_t packed[MS_UNWIND_PATH_CACHE_MAX_WORDS];
};

static inline struct ms_unwind_path_cache_entry *
ms_unwind_get_entry_at(struct ms_unwind_path_cache *all, uint32_t at)
{
	return (struct ms_unwind_path_cache_entry *)((uint8_t *)all + at);
}

/* The part of the stack that identifies paths. */
static inline const uint64_t *ms_unwind_get_compared_stack(uint64_t sp)
{
	return (const uint64_t *)sp - MS_UNWIND_PATH_CACHE_WORDS_BELOW_SP;
}

static inline bool ms_unwind_is_entry_of(const struct ms_unwind_path_cache_entry *r, uint64_t pc,
					 uint64_t sp, uint32_t fork_key)
{
	return r->pc == pc && r->sp == sp && r->fork_key == fork_key;
}

/* One of its two places; the other one is the neighbour. */
static inline uint32_t ms_unwind_hash_call(uint64_t pc, uint64_t sp, uint32_t fork_key)
{
	uint64_t hash = (pc ^ sp >> 3 ^ (uint64_t)fork_key << 20) * UINT64_C(0x9e3779b97f4a7c15);

	return (uint32_t)(hash >> MS_UNWIND_PATH_CACHE_HASH_SHIFT);
}

/* The hash after a fork: of the hash that led there, and a word of the stack. */
static inline uint32_t ms_unwind_hash_fork(uint32_t fork_key, uint64_t word)
{
	return ((fork_key << 9 | fork_key >> 23) ^ (uint32_t)word ^ (uint32_t)(word >> 32) << 16) |
	       1;
}

/* NULL: there is none. */
static inline struct ms_unwind_path_cache_entry *
ms_unwind_find_entry(struct ms_unwind_path_cache *all, uint64_t pc, uint64_t sp, uint32_t fork_key)
{
	uint32_t at = ms_unwind_hash_call(pc, sp, fork_key);

	if (ms_unwind_is_entry_of(&all->all[at], pc, sp, fork_key))
		return &all->all[at];
	return ms_unwind_is_entry_of(&all->all[at ^ 1], pc, sp, fork_key) ? &all->all[at ^ 1]
									  : NULL;
}

/* The entry to be compared, or the last fork before it; NULL: none. */
static inline struct ms_unwind_path_cache_entry *
ms_unwind_find_candidate(struct ms_unwind_path_cache *all, uint64_t pc, uint64_t sp)
{
	struct ms_unwind_path_cache_entry *r = ms_unwind_find_entry(all, pc, sp, 0);
	uint32_t fork_key = 0;

	for (uint32_t round = 0;
	     round < MS_UNWIND_PATH_CACHE_MAX_FORKS && r != NULL && r->fork != 0; round++) {
		fork_key = ms_unwind_hash_fork(fork_key,
					       ms_unwind_get_compared_stack(sp)[r->fork - 1]);
		r = ms_unwind_find_entry(all, pc, sp, fork_key);
	}
	return r;
}

struct ms_runtime_thread;
struct ms_unwind_frame;

/* The cached path of the call at pc, or NULL. */
const struct ms_unwind_path_cache_entry *ms_unwind_find_cached_path(struct ms_runtime_thread *t,
								    uint64_t pc, uint64_t sp);
/* Code was unmapped, and other code may be mapped there: invalidates the caches of all threads. */
void ms_unwind_clear_path_caches(void);
/* The struct of an ended thread is used for another one. */
void ms_unwind_empty_path_cache(struct ms_runtime_thread *t);
/* Adds the path of the stack that has just been unwound. */
void ms_unwind_cache_path(struct ms_runtime_thread *t, const struct ms_unwind_frame *frame,
			  uint32_t number);

#endif
