/* block_emitter.h - shared by the files that emit a block. One block is emitted at a time. */
#ifndef MS_NATIVE_TRACER_AARCH64_BLOCK_EMITTER_H
#define MS_NATIVE_TRACER_AARCH64_BLOCK_EMITTER_H

#include "arch.h"
#include "assembler.h"

struct ms_tracer_emitter {
	struct ms_tracer_superblock *g;
	struct ms_tracer_block *block;
	struct ms_runtime_thread *t;
	uint32_t next_exit; /* its number, for the next record */
	/* Registers that no instruction of the block uses: the cursor, the work register, the
	 * program's x18, and the table of sampled groups, or a count. NO_REG: not needed. */
	uint8_t cursor, work, program_x18, other;
};
extern struct ms_tracer_emitter ms_tracer_emitter;

static inline uint32_t reg_at(uint32_t reg)
{
	return MS_TRACER_AT_REGS + 8 * reg;
}

static inline uint32_t spill_at(uint32_t reg)
{
	return MS_TRACER_AT_SPILL + 8 * reg;
}

/* --- register_allocation.c --- */

/* False: too many registers are used; a shorter block uses fewer. */
bool ms_tracer_choose_registers(void);
/* Spills the program's values of the block's own registers that are live. */
void ms_tracer_spill_registers(void);
void ms_tracer_release_registers(void);
/* The instruction with another register instead of x18. */
uint32_t ms_tracer_rename_thread_register(const struct ms_tracer_insn *in);

/* --- instrumented_instructions.c --- */

/* Instruction i and its references. */
void ms_tracer_emit_insn(uint32_t i);
/* Its references alone; the program's x18 is loaded where it is used. */
void ms_tracer_emit_refs(uint32_t i);
void ms_tracer_mark_site(const struct ms_tracer_insn *in, enum ms_tracer_site_state state);
/* Computes the address of reference k in the work register, unless a register holds it already;
 * returns the register. */
uint32_t ms_tracer_emit_address(const struct ms_tracer_insn *in, uint32_t word, uint32_t k);
/* Loads the program's x18 for a branch that tests it; returns the branch. */
uint32_t ms_tracer_emit_branch_register(const struct ms_tracer_insn *in);

/* --- sampled_references.c --- */

void ms_tracer_start_sampled_refs(void);
/* Tests the references of instruction i, encoded as this word, unless they have been tested. */
void ms_tracer_emit_sampled_refs(uint32_t i, uint32_t word);
/* Emits the code that is out of line. */
void ms_tracer_emit_sampled_out_of_line(void);

/* --- block_exits.c --- */

void ms_tracer_start_exits(void);
/* Completes the record, with the first `refs` references; then all registers hold the program's
 * values. */
void ms_tracer_emit_record_end(uint32_t refs);
void ms_tracer_emit_link(uint64_t target);
/* Branches to C, with a word at `at`. */
void ms_tracer_emit_call_into_c(uint32_t at, uint64_t word, enum ms_tracer_exit_stub glue);
/* What the last instruction does. */
void ms_tracer_emit_last_insn(const struct ms_tracer_insn *in);
/* Code that links branch to as long as they are not patched. */
void ms_tracer_emit_link_stubs(void);

/* --- repeated_instructions.c --- */

/* Instructions that must stay together: the whole block. */
void ms_tracer_emit_repeat(void);

/* --- block_emitter.c --- */

/* Branches to C, shared by all blocks: the program's x16 has been spilled. */
extern uint32_t *ms_tracer_shared_stubs[MS_TRACER_STUB_COUNT];

#endif
