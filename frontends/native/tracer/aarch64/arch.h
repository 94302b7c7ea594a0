/*
 * arch.h - aarch64, for the parts of the tracer that are the same on all architectures (tracer/):
 * registers by purpose, and blocks.
 */
#ifndef MS_NATIVE_TRACER_AARCH64_ARCH_H
#define MS_NATIVE_TRACER_AARCH64_ARCH_H

#include <asm/unistd.h>

#include "instruction.h"

/* --- registers and instructions --- */

enum { NO_REG = 31, SP = 31 };
enum {
	MS_TRACER_REGS = 32,
	MS_TRACER_REG_SP = SP,
	MS_TRACER_REG_RESULT = 0,
	MS_TRACER_REG_SYSCALL_NUMBER = 8,
	MS_TRACER_REG_LINK = 30
};
/* Argument registers of functions and system calls. */
static const uint8_t ms_tracer_function_arg_regs[6] = { 0, 1, 2, 3, 4, 5 };
static const uint8_t ms_tracer_syscall_arg_regs[6] = { 0, 1, 2, 3, 4, 5 };
enum {
	MS_TRACER_SYSCALL_BYTES = 4,
	MS_TRACER_SYSCALL_FORK = -1,
	MS_TRACER_SYSCALL_VFORK = -1
}; /* these calls do not exist */
enum { MS_TRACER_REQUEST_BYTES = 4, MS_TRACER_REQUEST_ARGS = 4, MS_TRACER_REQUEST_RESULT = 3 };

/* --- liveness.c --- */

/* The instruction at pc, if it is code that may be translated. */
void ms_tracer_decode_insn(struct ms_tracer_insn *in, uint64_t pc);
/* Registers that the code at pc may read, a bit for each. */
uint32_t ms_tracer_find_live_at(uint64_t pc);

/* --- superblocks.c --- */

enum { MS_TRACER_INSN_BYTES = 4 }; /* no instruction has more */
enum { MS_TRACER_MAX_INSNS = 72, MS_TRACER_MAX_REFS = 64, MS_TRACER_MAX_EXITS = 24 };

enum ms_tracer_terminator {
	MS_TRACER_TERM_CUT,    /* continues at `next` */
	MS_TRACER_TERM_INSN,   /* the last instruction branches */
	MS_TRACER_TERM_REGION, /* all of it must stay together: repeated_instructions.c; continues
				  at `next` */
	MS_TRACER_TERM_STOP,   /* the window ends at `next` */
};

struct ms_tracer_side_exit {
	uint64_t target;
	uint16_t at;   /* the branching instruction */
	bool inverted; /* the block continues at the branch's target */
	uint32_t *patch;
};

struct ms_tracer_superblock {
	struct ms_tracer_insn in[MS_TRACER_MAX_INSNS + 1];
	uint16_t refs_before[MS_TRACER_MAX_INSNS + 2];
	bool passed[MS_TRACER_MAX_INSNS +
		    1]; /* a branch that the block follows: it needs no code */
	uint32_t n, refs;
	enum ms_tracer_terminator term;
	uint64_t pc, next;
	uint32_t why;  /* MS_TRACER_TERM_STOP: enum ms_tracer_end_reason */
	uint32_t live; /* live registers before the first instruction */
	struct ms_tracer_side_exit side[MS_TRACER_MAX_EXITS];
	uint32_t sides;
	bool is_jit;          /* code that may change: jit_code.c */
	bool is_runtime_code; /* the runtime's own code: nothing is recorded */
	bool recorded;        /* MS_TRACER_CODE_RECORDS */
	bool counts_refs;     /* the cursor moves as if it were recorded, but nothing is written */
	bool counts_exits;    /* likewise, and executions are counted by exit: counted_start.c */
	bool samples_sets; /* only references to sampled lines are written: sampled_references.c */
};

/* Whether the block can be only counted; otherwise it is recorded where no reader sees it. */
static inline bool ms_tracer_can_count_refs(const struct ms_tracer_superblock *g)
{
	return g->term != MS_TRACER_TERM_REGION;
}

/* Keeps the first n instructions only. */
void ms_tracer_cut_superblock(struct ms_tracer_superblock *g, uint32_t n);

/* One instruction extracts a bit field at any position; see set_sampling.c. */
enum { MS_TRACER_MAX_UNSHIFTED_TABLE = 0 };

/* --- blocks: see tracer/code_cache.c --- */

typedef uint32_t ms_tracer_code_unit;
/* Within reach of a direct branch. */
enum { MS_TRACER_CACHE_BYTES = 124 << 20, MS_TRACER_CACHE_MAP_FLAGS = 0 };
enum {
	MS_TRACER_BRANCH_TABLE_BITS = 17,
	MS_TRACER_BRANCH_TABLE_SHIFT = 2
}; /* low bits that are the same for all targets */

/* The position of an instruction that may fault in its block. */
struct ms_tracer_insn_site {
	uint64_t pc;
	uint16_t offset;
	uint8_t state; /* enum ms_tracer_site_state */
};
enum ms_tracer_site_state {
	MS_TRACER_SITE_BODY,  /* the block's registers are spilled */
	MS_TRACER_SITE_CLEAN, /* every register but x18 holds the program's value */
};

enum { MS_TRACER_MAX_TAKEN = 4 };

struct ms_tracer_block {
	uint64_t pc;
	uint64_t entry;    /* every register but x18 holds the program's value */
	uint64_t indirect; /* the entry of indirect branches */
	uint32_t size;
	uint32_t first_site, sites;
	uint8_t taken[MS_TRACER_MAX_TAKEN]; /* its own registers that must be restored, or NO_REG */
	bool is_gone;
	bool is_jit; /* of code that may change: jit_code.c ... */
	uint32_t versions;
	struct ms_tracer_block *older; /* ... and its previous version */
	uint8_t kind;                  /* enum ms_tracer_code_kind: see ms_tracer_make_key() */
};

/* Distances before a block's entry; see block_emitter.c. */
enum { MS_TRACER_BLOCK_RESUME = 4, MS_TRACER_BLOCK_INDIRECT = 28 };

struct ms_tracer_link {
	uint64_t target; /* a key */
	uint32_t *branch;
};

/* --- entries to C --- */

enum ms_tracer_exit_stub {
	MS_TRACER_STUB_FULL,
	MS_TRACER_STUB_LINK,
	MS_TRACER_STUB_MISS,
	MS_TRACER_STUB_CALL,
	MS_TRACER_STUB_CHANGED,
	MS_TRACER_STUB_CLONED,
	MS_TRACER_STUB_COUNT
};

/* --- vector_registers.c --- */

/* Finds out which vector registers this processor has. */
void ms_tracer_start_vectors(void);

/* --- the kernel's signal frames: the offset of a ucontext from the stack pointer --- */

enum { MS_TRACER_FRAME_CONTEXT = 16 };
enum { MS_TRACER_CLONE_CALL_BYTES = 40 }; /* of a site: clone_call.c */

#endif
