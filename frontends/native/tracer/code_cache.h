/* code_cache.h - translated blocks: how they are found, made, linked and forgotten. */
#ifndef MS_NATIVE_TRACER_CODE_CACHE_H
#define MS_NATIVE_TRACER_CODE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch.h"
#include "tracer/tracer.h"

struct ms_runtime_thread;
struct ms_tracer_window;

/* --- code_cache.c --- */

/* Code at a pc is translated in several ways (enum ms_tracer_code_kind); a key is the pc and the
 * kind. */
enum { MS_TRACER_KEY_SHIFT = 62 };
static inline uint64_t ms_tracer_make_key(uint64_t pc, uint32_t kind)
{
	return pc | (uint64_t)kind << MS_TRACER_KEY_SHIFT;
}

static inline uint64_t ms_tracer_get_key_pc(uint64_t key)
{
	return key & ((UINT64_C(1) << MS_TRACER_KEY_SHIFT) - 1);
}

static inline enum ms_tracer_code_kind ms_tracer_get_key_kind(uint64_t key)
{
	return (enum ms_tracer_code_kind)(key >> MS_TRACER_KEY_SHIFT);
}

static inline bool ms_tracer_is_recording_key(uint64_t key)
{
	return ms_tracer_get_key_kind(key) == MS_TRACER_CODE_RECORDS;
}

extern ms_tracer_code_unit *ms_tracer_emit_cursor; /* where the next code is written */
bool ms_tracer_start_cache(void);
/* Code written up to this call is kept (ms_tracer_start_emitter()). */
void ms_tracer_begin_cache(void);
/* Makes room for one more block; may forget all blocks. False: some thread is still in old ones. */
bool ms_tracer_make_cache_room(void);
bool ms_tracer_is_in_cache(uint64_t address);
/* Code at a permanent place, written by write(pc); NULL: there is no room. */
ms_tracer_code_unit *ms_tracer_emit_permanent(ms_tracer_code_unit *(*write)(uint64_t), uint64_t pc);
/* The thread is about to look up a block and go there. Blocks stay until it calls C again. */
void ms_tracer_enter_cache(struct ms_tracer_window *w);
/* Whether a thread that entered at `inside` is in the half that is being written. */
bool ms_tracer_is_current_half(uint64_t inside);
/* Needs no lock. */
struct ms_tracer_block *ms_tracer_find_block(uint64_t key);
/* Likewise, but only a block that generated code may branch to directly. */
struct ms_tracer_block *ms_tracer_find_linkable_block(uint64_t key);
/* Adds a block. It can be found after ms_tracer_publish_block(). */
struct ms_tracer_block *ms_tracer_add_block(uint64_t key);
void ms_tracer_publish_block(const struct ms_tracer_block *block);
void ms_tracer_add_site(struct ms_tracer_block *block, struct ms_tracer_insn_site site);
const struct ms_tracer_insn_site *ms_tracer_find_site(uint64_t address,
						      struct ms_tracer_block **block);
uint32_t ms_tracer_add_link(struct ms_tracer_link link);
struct ms_tracer_link *ms_tracer_get_link(uint32_t number);
/* Whether blocks may have been made of code in this range. */
bool ms_tracer_may_have_blocks(uint64_t start, uint64_t size);
void ms_tracer_forget_blocks(uint64_t start, uint64_t end);
void ms_tracer_forget_blocks_at(uint64_t pc); /* the blocks that begin there */
void ms_tracer_drop_block(struct ms_tracer_block *block);

/* --- branch_tables.c --- */

/* The tables of indirect branches, one for each kind of code, indexed by the low bits of the
 * target. The word before the first table is the number of their entries minus one. */
extern uint64_t *ms_tracer_branch_tables[MS_TRACER_CODE_KINDS];
bool ms_tracer_start_branch_tables(void);
/* Sets the value of empty entries, before the first block is added. */
void ms_tracer_set_branch_miss_code(uint64_t code);
/* Before the first block of this kind is executed. */
void ms_tracer_fill_branch_table(uint32_t kind);
void ms_tracer_reset_branch_tables(void);
void ms_tracer_set_branch_target(uint64_t target, const struct ms_tracer_block *block);
void ms_tracer_drop_branch_target(const struct ms_tracer_block *block);

/* --- set_sampling.c --- */

/* With sampled sets, indexed by address >> shift & mask: bit 0, the line is simulated; bit 1, the
 * lines of the next group are. */
extern struct ms_tracer_sampled_sets {
	uint8_t *table; /* NULL: all lines are simulated */
	uint32_t mask, shift;
} ms_tracer_sampled_sets;
bool ms_tracer_start_set_sampling(void);
bool ms_tracer_is_line_sampled(uint64_t address);
/* Whether the first or the last line of a reference is simulated. */
bool ms_tracer_is_reference_sampled(uint64_t address, uint32_t size);

/* --- translation.c --- */

extern struct ms_tracer_stats ms_tracer_stats;
/* The block of a key, translated if necessary; NULL: `why` has the reason. */
struct ms_tracer_block *ms_tracer_translate_block(struct ms_runtime_thread *t, uint64_t key,
						  uint32_t *why);

/* --- jit_code.c --- */

/* Whether pc is in code that may change. */
bool ms_tracer_is_jit_code(uint64_t pc);
/* Whether such code has been found in this range. */
bool ms_tracer_has_jit_code(uint64_t start, uint64_t size);
/* The range was unmapped, or is not executable any more. */
void ms_tracer_forget_jit_code(uint64_t start, uint64_t size);
/*
 * Like ms_tracer_is_jit_code(). If true, the next block is made of a copy of the code; otherwise of
 * memory.
 */
bool ms_tracer_copy_jit_code(uint64_t pc);
/* Bytes of the copy from pc on; 0: pc is not in it. */
uint64_t ms_tracer_get_copied_bytes(uint64_t pc);
/* The instruction at pc, in the copy or in memory. */
const void *ms_tracer_get_code_bytes(uint64_t pc);
/* A block has found that its code has changed. */
void ms_tracer_retranslate_jit_block(struct ms_runtime_thread *t, uint64_t key);

#endif
