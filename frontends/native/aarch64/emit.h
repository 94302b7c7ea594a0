/* emit.h - shared by the files that emit a block. One block is emitted at a time. */
#ifndef MS_A64_EMIT_H
#define MS_A64_EMIT_H

#include "arch.h"
#include "asm.h"

struct ms_emit {
	struct ms_gather *g;
	struct ms_block *block;
	struct ms_thread *t;
	uint32_t next_exit; /* its number, for the next record */
	/* Registers that no instruction of the block uses: the cursor, the work register, the
	 * program's x18, and the table of sampled groups, or a count. NO_REG: not needed. */
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
/* Spills the program's values of the block's own registers that are live. */
void ms_regs_spill(void);
void ms_regs_give_back(void);
/* The instruction with another register instead of x18. */
uint32_t ms_regs_renamed(const struct ms_insn *in);

/* --- body.c --- */

/* Instruction i and its references. */
void ms_body_insn(uint32_t i);
/* Its references alone; the program's x18 is loaded where it is used. */
void ms_body_refs(uint32_t i);
void ms_body_site(const struct ms_insn *in, enum ms_site_state state);
/* Computes the address of reference k in the work register, unless a register holds it already;
 * returns the register. */
uint32_t ms_body_address(const struct ms_insn *in, uint32_t word, uint32_t k);
/* Loads the program's x18 for a branch that tests it; returns the branch. */
uint32_t ms_body_branch(const struct ms_insn *in);

/* --- pick.c --- */

void ms_pick_start(void);
/* Tests the references of instruction i, encoded as this word, unless they have been tested. */
void ms_pick_refs(uint32_t i, uint32_t word);
/* Emits the code that is out of line. */
void ms_pick_rest(void);

/* --- exits.c --- */

void ms_exits_start(void);
/* Completes the record, with the first `refs` references; then all registers hold the program's
 * values. */
void ms_exits_record(uint32_t refs);
void ms_exits_link(uint64_t target);
/* Branches to C, with a word at `at`. */
void ms_exits_to_c(uint32_t at, uint64_t word, enum ms_glue glue);
/* What the last instruction does. */
void ms_exits_last(const struct ms_insn *in);
/* Code that links branch to as long as they are not patched. */
void ms_exits_stubs(void);

/* --- rep.c --- */

/* Instructions that must stay together: the whole block. */
void ms_rep(void);

/* --- emit.c --- */

/* Branches to C, shared by all blocks: the program's x16 has been spilled. */
extern uint32_t *ms_emit_ways[MS_GLUES];

#endif
