/* emit.h - what the files that write a block share. One block is written at a time. */
#ifndef MS_A64_EMIT_H
#define MS_A64_EMIT_H

#include "asm.h"

struct ms_emit {
	struct ms_gather *g;
	struct ms_block *block;
	struct ms_thread *t;
	uint32_t next_exit; /* its number, for the next record */
	/* Registers that no instruction of the block touches: where the record goes, what is being
	 * worked out, the program's x18, and which groups are seen, or a count. NO_REG: not
	 * needed. */
	uint8_t cursor, work, theirs, other;
};
extern struct ms_emit ms_e;

static inline uint32_t reg_at(uint32_t reg)
{
	return MS_AT_REGS + 8 * reg;
}

static inline uint32_t spill_at(uint32_t reg)
{
	return MS_AT_SPILL + 8 * reg;
}

/* --- regs.c --- */

/* False: too many registers are used; a shorter block uses fewer. */
bool ms_regs_choose(void);
/* The program's values of those that are taken and alive. */
void ms_regs_spill(void);
void ms_regs_give_back(void);
/* The instruction with another register in the place of x18. */
uint32_t ms_regs_renamed(const struct ms_insn *in);

/* --- body.c --- */

/* Instruction i and its references. */
void ms_body_insn(uint32_t i);
/* Its references alone; x18 is at hand where it is used. */
void ms_body_refs(uint32_t i);
void ms_body_site(const struct ms_insn *in, enum ms_site_state state);
/* The address of reference k into the register for work, or it is in one already: which. */
uint32_t ms_body_address(const struct ms_insn *in, uint32_t word, uint32_t k);
/* The program's x18 for a branch by it; returns the branch. */
uint32_t ms_body_branch(const struct ms_insn *in);

/* --- pick.c --- */

void ms_pick_start(void);
/* The references of instruction i, as this word, where they are not asked for yet. */
void ms_pick_refs(uint32_t i, uint32_t word);
/* What is out of line. */
void ms_pick_rest(void);

/* --- exits.c --- */

void ms_exits_start(void);
/* The record is complete, up to `refs` references, and every register the program's. */
void ms_exits_record(uint32_t refs);
void ms_exits_link(uint64_t target);
/* To C, with a word at `at`. */
void ms_exits_to_c(uint32_t at, uint64_t word, enum ms_glue glue);
/* What the last instruction does. */
void ms_exits_last(const struct ms_insn *in);
/* Code that the links go to as long as they are not patched. */
void ms_exits_stubs(void);

/* --- rep.c --- */

/* Instructions that must stay together: the whole block. */
void ms_rep(void);

/* --- emit.c --- */

/* Ways to C, shared by all blocks: the program's x16 has been put aside. */
extern uint32_t *ms_emit_ways[MS_GLUES];

#endif
