/* code_cache.h - translated blocks: how they are found, made, linked and forgotten. */
#ifndef MS_NATIVE_TRACER_CODE_CACHE_H
#define MS_NATIVE_TRACER_CODE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch.h"
#include "tracer.h"

struct ms_thread;
struct ms_window;

/* --- cache.c --- */

/* Code at a pc is translated in several ways (enum ms_code_kind); a key is the pc and the kind. */
enum { MS_KEY_SHIFT = 62 };
static inline uint64_t ms_key(uint64_t pc, uint32_t kind)
{
	return pc | (uint64_t)kind << MS_KEY_SHIFT;
}

static inline uint64_t ms_key_pc(uint64_t key)
{
	return key & ((UINT64_C(1) << MS_KEY_SHIFT) - 1);
}

static inline enum ms_code_kind ms_key_kind(uint64_t key)
{
	return (enum ms_code_kind)(key >> MS_KEY_SHIFT);
}

extern ms_code *ms_cache_at; /* where the next code is written */
bool ms_cache_start(void);
/* Code written up to this call is kept (ms_emit_start()). */
void ms_cache_begin(void);
/* Makes room for one more block; may forget all blocks. False: some thread is still in old ones. */
bool ms_cache_make_room(void);
bool ms_cache_holds(uint64_t address);
/* Code at a permanent place, written by write(pc); NULL: there is no room. */
ms_code *ms_cache_keep(ms_code *(*write)(uint64_t), uint64_t pc);
/* The thread is about to look up a block and go there. Blocks stay until it calls C again. */
void ms_cache_enter(struct ms_window *w);
/* Whether a thread that entered at `inside` is in the half that is being written. */
bool ms_cache_is_new(uint64_t inside);
/* Needs no lock. */
struct ms_block *ms_cache_find(uint64_t key);
/* Likewise, but only a block that generated code may branch to directly. */
struct ms_block *ms_cache_linked(uint64_t key);
/* Adds a block. It can be found after ms_cache_publish(). */
struct ms_block *ms_cache_add(uint64_t key);
void ms_cache_publish(const struct ms_block *block);
void ms_cache_site(struct ms_block *block, struct ms_site site);
const struct ms_site *ms_cache_site_at(uint64_t address, struct ms_block **block);
uint32_t ms_cache_link(struct ms_link link);
struct ms_link *ms_cache_link_at(uint32_t number);
/* Whether blocks may have been made of code in this range. */
bool ms_cache_may_hold(uint64_t start, uint64_t size);
void ms_cache_forget(uint64_t start, uint64_t end);
void ms_cache_forget_at(uint64_t pc); /* the blocks that begin there */
void ms_cache_drop(struct ms_block *block);
/* The tables of indirect branches, one for each kind of code, indexed by the low bits of the
 * target; and the number of their entries minus one. */
extern uint64_t *ms_cache_table[MS_CODES];
extern uint64_t ms_cache_table_mask;
/* Sets the value of empty entries: initially all, later those whose block has gone. */
void ms_cache_miss_is(uint64_t code);
void ms_cache_aim(uint64_t target, const struct ms_block *block);

/* --- groups.c --- */

/* With sampled sets, indexed by address >> shift & mask: bit 0, the line is simulated; bit 1, the
 * lines of the next group are. */
extern struct ms_groups {
	uint8_t *table; /* NULL: all lines are simulated */
	uint32_t mask, shift;
} ms_groups;
bool ms_groups_start(void);
bool ms_groups_see(uint64_t address);
/* Whether the first or the last line of a reference is simulated. */
bool ms_groups_see_any(uint64_t address, uint32_t size);

/* --- translate.c --- */

extern struct ms_tracer_stats ms_tracer_stats;
/* The block of a key, translated if necessary; NULL: `why` has the reason. */
struct ms_block *ms_translate(struct ms_thread *t, uint64_t key, uint32_t *why);

/* --- made.c --- */

/* Whether pc is in code that may change. */
bool ms_made_holds(uint64_t pc);
/* Whether such code has been found in this range. */
bool ms_made_is_in(uint64_t start, uint64_t size);
/* The range was unmapped, or is not executable any more. */
void ms_made_forget(uint64_t start, uint64_t size);
/*
 * Like ms_made_holds(). If true, the next block is made of a copy of the code; otherwise of memory.
 */
bool ms_made_take(uint64_t pc);
/* Bytes of the copy from pc on; 0: pc is not in it. */
uint64_t ms_made_bytes(uint64_t pc);
/* The instruction at pc, in the copy or in memory. */
const void *ms_made_code(uint64_t pc);
/* A block has found that its code has changed. */
void ms_made_changed(struct ms_thread *t, uint64_t key);

#endif
