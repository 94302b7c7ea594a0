/* emit.h - shared by the files that emit a block. One block is emitted at a time. */
#ifndef MS_X86_EMIT_H
#define MS_X86_EMIT_H

#include "arch.h"
#include "asm.h"

struct ms_emit {
	struct ms_gather *g;
	struct ms_block *block;
	struct ms_thread *t;
	uint32_t next_exit; /* its number, for the next record */
};
extern struct ms_emit ms_e;

enum { MS_LEVELS = 12, MS_PICK_LEVELS = 4 };
_Static_assert((MS_LEVELS + 2) * (MS_MAX_REFS + 9) < MS_WIRE_RESERVE_WORDS, "room for records");
_Static_assert((MS_PICK_LEVELS + 2) * (2 * MS_MAX_REFS + 32) < MS_WIRE_RESERVE_WORDS, "likewise");

static inline int32_t reg_at(uint32_t reg)
{
	return MS_AT_REGS + 8 * (int32_t)reg;
}

static inline int32_t spill_at(uint32_t reg)
{
	return MS_AT_SPILL + 8 * (int32_t)reg;
}

enum { CONDITION_AE = 3, CONDITION_E = 4, CONDITION_NE = 5 };

/* --- regs.c --- */

/* A register that one instruction may overwrite. */
struct ms_scratch {
	uint8_t reg; /* or NO_REG */
	bool taken;  /* spilled for this instruction alone */
};

/* False: all registers are used; a shorter block may have a free one. */
bool ms_regs_choose(void);
/* Whether its address must be computed in a register. */
bool ms_regs_needs_lea(const struct ms_where *w);
/* Whether its RIP-relative operand must be replaced. */
bool ms_regs_needs_base(const struct ms_insn *in);
bool ms_regs_needs_any(const struct ms_insn *in);
struct ms_scratch ms_regs_take(uint32_t i);
void ms_regs_give_back(struct ms_scratch s);

/* --- body.c --- */

/* Instruction i and its references; for the last one, only the part before the branch. */
void ms_body_insn(uint32_t i);
/* Instruction i, without references. */
void ms_body_alone(uint32_t i);
void ms_body_refs(uint32_t i, struct ms_scratch s);
void ms_body_site(const struct ms_insn *in, uint8_t taken, uint8_t state);
void ms_body_push_return(const struct ms_insn *in, struct ms_scratch s);
/* Computes the address of a reference that is not constant. */
void ms_body_lea(uint32_t to, const struct ms_where *w);

/* --- pick.c --- */

void ms_pick_start(void);
/* The exit of a recorded reference of the instruction. */
uint32_t ms_pick_exit(struct ms_thread *t, const struct ms_insn *in, const struct ms_where *w);
/* Tests such a reference, with the scratch register. One to a constant address is sampled always,
 * or never. */
void ms_pick_ref(const struct ms_insn *in, const struct ms_where *w, uint32_t scratch,
		 bool keeps_flags);
void ms_pick_constant(const struct ms_insn *in, const struct ms_where *w);
/* Emits the code that is out of line. */
void ms_pick_rest(void);

/* --- exits.c --- */

void ms_exits_start(void);
/* Completes the record, with the first `refs` references; then the register holds the cursor after
 * it. */
void ms_exits_record(uint32_t refs);
/* Afterwards all registers hold the program's values. */
void ms_exits_leave(void);
void ms_exits_link(uint64_t target);
/* A jump to the next instruction, which may be patched; returns the address of its displacement. */
uint8_t *ms_exits_door(void);
void ms_exits_to_c(uint64_t pc, enum ms_glue glue);
/* A return to a call in the block. If its target differs, the code for it is out of line. */
void ms_exits_return(uint32_t i);
void ms_exits_returns(void);
/* What the last instruction does. */
void ms_exits_last(const struct ms_insn *in);
/* Code that links branch to as long as they are not patched. */
void ms_exits_stubs(void);

/* --- slow.c --- */

uint32_t ms_slow_describe(const struct ms_insn *in);
void ms_slow(const struct ms_insn *in);

/* --- rep.c --- */

/* A string instruction with a repeat prefix: the whole block. */
void ms_rep_describe(const struct ms_insn *in);
void ms_rep(const struct ms_insn *in);

#endif
