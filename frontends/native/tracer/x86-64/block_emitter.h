/* block_emitter.h - shared by the files that emit a block. One block is emitted at a time. */
#ifndef MS_NATIVE_TRACER_X86_64_BLOCK_EMITTER_H
#define MS_NATIVE_TRACER_X86_64_BLOCK_EMITTER_H

#include "arch.h"
#include "assembler.h"

struct ms_tracer_emitter {
	struct ms_tracer_superblock *g;
	struct ms_tracer_block *block;
	struct ms_runtime_thread *t;
	uint32_t next_exit; /* its number, for the next record */
	bool keeps_flags;   /* the next exit: they may be read after it */
};
extern struct ms_tracer_emitter ms_tracer_emitter;

enum { MS_TRACER_CHECK_LEVELS = 12, MS_TRACER_SAMPLED_CHECK_LEVELS = 4 };
_Static_assert((MS_TRACER_CHECK_LEVELS + 2) * (MS_TRACER_MAX_REFS + 9) < MS_WIRE_RESERVE_WORDS,
	       "room for records");
_Static_assert((MS_TRACER_SAMPLED_CHECK_LEVELS + 2) * (2 * MS_TRACER_MAX_REFS + 32) <
		       MS_WIRE_RESERVE_WORDS,
	       "likewise");

static inline int32_t reg_at(uint32_t reg)
{
	return MS_TRACER_AT_REGS + 8 * (int32_t)reg;
}

static inline int32_t spill_at(uint32_t reg)
{
	return MS_TRACER_AT_SPILL + 8 * (int32_t)reg;
}

enum { CONDITION_AE = 3, CONDITION_E = 4, CONDITION_NE = 5 };

/* --- register_allocation.c --- */

/* A register that one instruction may overwrite. */
struct ms_tracer_scratch {
	uint8_t reg; /* or NO_REG */
	bool taken;  /* spilled for this instruction alone */
};

/* False: all registers are used; a shorter block may have a free one. */
bool ms_tracer_choose_registers(void);
/* Whether its address must be computed in a register. */
bool ms_tracer_needs_lea(const struct ms_tracer_memory_ref *w);
/* Whether its RIP-relative operand must be replaced. */
bool ms_tracer_needs_base_register(const struct ms_tracer_insn *in);
bool ms_tracer_needs_scratch(const struct ms_tracer_insn *in);
struct ms_tracer_scratch ms_tracer_take_scratch(uint32_t i);
void ms_tracer_release_registers(struct ms_tracer_scratch s);

/* --- instrumented_instructions.c --- */

/* Instruction i and its references; for the last one, only the part before the branch. */
void ms_tracer_emit_insn(uint32_t i);
/* Instruction i, without references. */
void ms_tracer_emit_insn_only(uint32_t i);
void ms_tracer_emit_refs(uint32_t i, struct ms_tracer_scratch s);
void ms_tracer_mark_site(const struct ms_tracer_insn *in, uint8_t taken, uint8_t state);
void ms_tracer_emit_push_return(const struct ms_tracer_insn *in, struct ms_tracer_scratch s);
/* Computes the address of a reference that is not constant. */
void ms_tracer_emit_lea(uint32_t to, const struct ms_tracer_memory_ref *w);

/* --- sampled_references.c --- */

void ms_tracer_start_sampled_refs(void);
/* The exit of a recorded reference of the instruction. */
uint32_t ms_tracer_describe_sampled_ref(struct ms_runtime_thread *t,
					const struct ms_tracer_insn *in,
					const struct ms_tracer_memory_ref *w);
/* Tests such a reference, with the scratch register. One to a constant address is sampled always,
 * or never. */
void ms_tracer_emit_sampled_ref(const struct ms_tracer_insn *in,
				const struct ms_tracer_memory_ref *w, uint32_t scratch,
				bool keeps_flags);
void ms_tracer_emit_sampled_constant(const struct ms_tracer_insn *in,
				     const struct ms_tracer_memory_ref *w);
/* Emits the code that is out of line. */
void ms_tracer_emit_sampled_out_of_line(void);

/* --- block_exits.c --- */

void ms_tracer_start_exits(void);
/* Completes the record, with the first `refs` references; then the register holds the cursor after
 * it. */
void ms_tracer_emit_record_end(uint32_t refs);
/* Afterwards all registers hold the program's values. */
void ms_tracer_emit_restore_registers(void);
void ms_tracer_emit_link(uint64_t target);
/* A jump to the next instruction, which may be patched; returns the address of its displacement. */
uint8_t *ms_tracer_emit_patchable_jump(void);
void ms_tracer_emit_call_into_c(uint64_t pc, enum ms_tracer_exit_stub glue);
/* A return to a call in the block. If its target differs, the code for it is out of line. */
void ms_tracer_emit_return_check(uint32_t i);
void ms_tracer_emit_return_misses(void);
/* What the last instruction does. */
void ms_tracer_emit_last_insn(const struct ms_tracer_insn *in);
/* Code that links branch to as long as they are not patched. */
void ms_tracer_emit_link_stubs(void);

/* --- computed_addresses.c --- */

uint32_t ms_tracer_describe_computed(const struct ms_tracer_insn *in);
void ms_tracer_emit_computed(const struct ms_tracer_insn *in);

/* --- repeated_instructions.c --- */

/* A string instruction with a repeat prefix: the whole block. */
void ms_tracer_describe_repeat(const struct ms_tracer_insn *in);
void ms_tracer_emit_repeat(const struct ms_tracer_insn *in);

#endif
