/*
 * arch.h - x86-64, for the parts of the tracer that are the same on all architectures (tracer/):
 * registers by purpose, and blocks.
 */
#ifndef MS_NATIVE_TRACER_X86_64_ARCH_H
#define MS_NATIVE_TRACER_X86_64_ARCH_H

#include <asm/unistd.h>

#include "instruction.h"
#include "thread_layout.h"

struct ms_runtime_thread;

/* --- registers and instructions --- */

enum {
	MS_TRACER_REGS = 16,
	MS_TRACER_REG_SP = RSP,
	MS_TRACER_REG_RESULT = RAX,
	MS_TRACER_REG_SYSCALL_NUMBER = RAX
};
/* Argument registers of functions and system calls. */
static const uint8_t ms_tracer_function_arg_regs[6] = { RDI, RSI, RDX, RCX, R8, R9 };
static const uint8_t ms_tracer_syscall_arg_regs[6] = { RDI, RSI, RDX, R10, R8, R9 };
enum {
	MS_TRACER_SYSCALL_BYTES = 2,
	MS_TRACER_SYSCALL_FORK = __NR_fork,
	MS_TRACER_SYSCALL_VFORK = __NR_vfork
};
enum { MS_TRACER_REQUEST_BYTES = 3, MS_TRACER_REQUEST_ARGS = RAX, MS_TRACER_REQUEST_RESULT = RDX };

/* --- liveness.c --- */

struct ms_tracer_live_set {
	uint16_t regs, flags;
};
/* What the code at pc may read. */
struct ms_tracer_live_set ms_tracer_find_live_at(uint64_t pc);
struct ms_tracer_live_set ms_tracer_find_live_before(const struct ms_tracer_insn *in,
						     struct ms_tracer_live_set after);

/* --- superblocks.c --- */

enum { MS_TRACER_INSN_BYTES = 15 }; /* no instruction has more */
enum {
	MS_TRACER_MAX_INSNS = 72,
	MS_TRACER_MAX_REFS = 64,
	MS_TRACER_MAX_EXITS = 24,
	MS_TRACER_MAX_RETURNS = 6
};

enum ms_tracer_terminator {
	MS_TRACER_TERM_CUT,  /* continues at `next` */
	MS_TRACER_TERM_INSN, /* the last instruction branches */
	MS_TRACER_TERM_STOP, /* the window ends at `next` */
};

struct ms_tracer_side_exit {
	uint64_t target;
	uint16_t at;      /* the branching instruction */
	bool inverted;    /* the block continues at the branch's target */
	bool keeps_flags; /* they may be read after the exit */
	uint8_t *patch;
};

struct ms_tracer_superblock {
	const struct ms_tracer_insn *in[MS_TRACER_MAX_INSNS + 1];
	uint16_t refs_before[MS_TRACER_MAX_INSNS + 2];
	struct ms_tracer_live_set live[MS_TRACER_MAX_INSNS + 2]; /* before each instruction */
	uint32_t n, refs;
	enum ms_tracer_terminator term;
	uint64_t pc, next;
	uint32_t why; /* MS_TRACER_TERM_STOP: enum ms_tracer_end_reason */
	struct ms_tracer_side_exit side[MS_TRACER_MAX_EXITS];
	uint32_t sides;
	/* By instruction: a return to a call in the same block, and its target; 0: none. */
	uint64_t returns_to[MS_TRACER_MAX_INSNS + 1];
	uint32_t returns;
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
	return g->in[0]->kind != MS_TRACER_INSN_REP && g->in[0]->kind != MS_TRACER_INSN_COMPUTED;
}

/* Keeps the first n instructions only. */
void ms_tracer_cut_superblock(struct ms_tracer_superblock *g, uint32_t n);

/* A table up to this size is indexed without a shift; see set_sampling.c. */
enum { MS_TRACER_MAX_UNSHIFTED_TABLE = 8192 };

/* --- blocks: see tracer/code_cache.c --- */

typedef uint8_t ms_tracer_code_unit;
/* Below 2 GiB, so that generated code can use 32-bit addresses for everything. */
enum { MS_TRACER_CACHE_BYTES = 512 << 20, MS_TRACER_CACHE_MAP_FLAGS = 0x40 };
enum { MS_TRACER_BRANCH_TABLE_SHIFT = 0 }; /* low bits that are the same for all targets */

/* Where the code of an instruction begins in its block. */
struct ms_tracer_insn_site {
	uint64_t pc;
	uint16_t offset;
	uint8_t taken; /* a register that is spilled for this instruction alone, or NO_REG */
	uint8_t state; /* enum ms_tracer_site_state */
};
enum ms_tracer_site_state {
	MS_TRACER_SITE_BODY,  /* the block's registers are spilled */
	MS_TRACER_SITE_CLEAN, /* all registers hold the program's values */
	MS_TRACER_SITE_REP,  /* likewise, and the second register holds the rest of the count in rcx
			      */
	MS_TRACER_SITE_JUMP, /* rcx and r11 are spilled, the block's own registers are not */
	/* the first of the block's registers is spilled; rax is spilled and holds flags */
	MS_TRACER_SITE_COMPARE,
};

struct ms_tracer_block {
	uint64_t pc;
	uint32_t entry, fast, unchecked, indirect, size;
	uint32_t first_site, sites;
	uint32_t first_exit; /* of a slow instruction */
	uint8_t b, s;        /* registers that it takes, or NO_REG */
	uint8_t level;       /* a block of a lower level has checked that there is room for both */
	bool is_gone;
	bool is_jit; /* of code that may change: jit_code.c ... */
	uint32_t entry_jump, versions;
	struct ms_tracer_block *older; /* ... and its previous version */
	uint8_t kind;                  /* enum ms_tracer_code_kind: see ms_tracer_make_key() */
};

struct ms_tracer_link {
	uint64_t target; /* a key */
	/* with the cursor in register b; with all registers restored */
	uint8_t *near_rel32, *far_rel32;
	uint8_t b, level;
};
enum { MS_TRACER_BLOCK_RESUME = 0 }; /* C returns to the block's entry */

/* The cursor's register in the block that precedes the next one, and its level. */
extern uint8_t ms_tracer_cursor_reg_hint, ms_tracer_check_level_hint;
/* Makes the branch go to `to`. */
void ms_tracer_patch_branch(uint8_t *rel32, uint64_t to);

/* --- entries to C --- */

enum ms_tracer_exit_stub {
	MS_TRACER_STUB_FULL,
	MS_TRACER_STUB_LINK,
	MS_TRACER_STUB_MISS,
	MS_TRACER_STUB_CALL,
	MS_TRACER_STUB_CLONED,
	MS_TRACER_STUB_COMPUTED,
	MS_TRACER_STUB_CHANGED,
	MS_TRACER_STUB_COUNT
};
extern const uint8_t ms_tracer_stub_computed[];
uint64_t ms_tracer_handle_computed_addresses(struct ms_runtime_thread *t);

/* --- the kernel's signal frames: the offset of a ucontext from the stack pointer --- */

enum { MS_TRACER_FRAME_CONTEXT = 0 };
enum { MS_TRACER_CLONE_CALL_BYTES = 64 }; /* of a site: clone_call.c */

#endif
