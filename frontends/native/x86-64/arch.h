/*
 * arch.h - x86-64, for the parts of the tracer that are the same on all architectures (tracer/):
 * registers by purpose, and blocks.
 */
#ifndef MS_ARCH_H
#define MS_ARCH_H

#include <asm/unistd.h>

#include "insn.h"
#include "layout.h"

struct ms_thread;

/* --- registers and instructions --- */

enum { MS_REGS = 16, MS_REG_SP = RSP, MS_REG_RESULT = RAX, MS_REG_NUMBER = RAX };
/* Argument registers of functions and system calls. */
static const uint8_t ms_reg_function[6] = { RDI, RSI, RDX, RCX, R8, R9 };
static const uint8_t ms_reg_call[6] = { RDI, RSI, RDX, R10, R8, R9 };
enum { MS_CALL_BYTES = 2, MS_CALL_FORK = __NR_fork, MS_CALL_VFORK = __NR_vfork };
enum { MS_REQUEST_BYTES = 3, MS_REQUEST_ARGS = RAX, MS_REQUEST_RESULT = RDX };

/* --- live.c --- */

struct ms_life {
	uint16_t regs, flags;
};
/* What the code at pc may read. */
struct ms_life ms_live_at(uint64_t pc);
struct ms_life ms_live_before(const struct ms_insn *in, struct ms_life after);

/* --- gather.c --- */

enum { MS_INSN_BYTES = 15 }; /* no instruction has more */
enum { MS_MAX_INSNS = 72, MS_MAX_REFS = 64, MS_MAX_EXITS = 24, MS_MAX_RETURNS = 6 };

enum ms_term {
	MS_TERM_CUT,  /* continues at `next` */
	MS_TERM_INSN, /* the last instruction branches */
	MS_TERM_STOP, /* the window ends at `next` */
};

struct ms_side {
	uint64_t target;
	uint16_t at;   /* the branching instruction */
	bool inverted; /* the block continues at the branch's target */
	uint8_t *patch;
};

struct ms_gather {
	const struct ms_insn *in[MS_MAX_INSNS + 1];
	uint16_t refs_before[MS_MAX_INSNS + 2];
	struct ms_life live[MS_MAX_INSNS + 2]; /* before each instruction */
	uint32_t n, refs;
	enum ms_term term;
	uint64_t pc, next;
	uint32_t why; /* MS_TERM_STOP: enum ms_tracer_end */
	struct ms_side side[MS_MAX_EXITS];
	uint32_t sides;
	/* By instruction: a return to a call in the same block, and its target; 0: none. */
	uint64_t returns_to[MS_MAX_INSNS + 1];
	uint32_t returns;
	bool made;    /* code that may change: made.c */
	bool silent;  /* the runtime's own code: nothing is recorded */
	bool counts;  /* the cursor moves as if it were recorded, but nothing is written */
	bool tallies; /* likewise, and executions are counted by exit: counted.c */
	bool picks;   /* only references to sampled lines are written: pick.c */
};

/* Whether the block can be only counted; otherwise it is recorded where no reader sees it. */
static inline bool ms_gather_counts(const struct ms_gather *g)
{
	return g->in[0]->kind != MS_REP && g->in[0]->kind != MS_SLOW;
}

/* Keeps the first n instructions only. */
void ms_gather_cut(struct ms_gather *g, uint32_t n);

/* A table up to this size is indexed without a shift; see groups.c. */
enum { MS_GROUPS_WIDE = 8192 };

/* --- blocks: see tracer/cache.c --- */

typedef uint8_t ms_code;
/* Below 2 GiB, so that generated code can use 32-bit addresses for everything. */
enum { MS_CODE_BYTES = 512 << 20, MS_CODE_MAP = 0x40 };
enum { MS_TABLE_SHIFT = 0 }; /* low bits that are the same for all targets */

/* Where the code of an instruction begins in its block. */
struct ms_site {
	uint64_t pc;
	uint16_t offset;
	uint8_t taken; /* a register that is spilled for this instruction alone, or NO_REG */
	uint8_t state; /* enum ms_site_state */
};
enum ms_site_state {
	MS_SITE_BODY,  /* the block's registers are spilled */
	MS_SITE_CLEAN, /* all registers hold the program's values */
	MS_SITE_REP,   /* likewise, and the second register holds the rest of the count in rcx */
	MS_SITE_JUMP,  /* rcx and r11 are spilled, the block's own registers are not */
	/* the first of the block's registers is spilled; rax is spilled and holds flags */
	MS_SITE_COMPARE,
};

struct ms_block {
	uint64_t pc;
	uint32_t entry, fast, unchecked, indirect, size;
	uint32_t first_site, sites;
	uint32_t first_exit; /* of a slow instruction */
	uint8_t b, s;        /* registers that it takes, or NO_REG */
	uint8_t level;       /* a block of a lower level has checked that there is room for both */
	bool gone;
	bool made; /* of code that may change: made.c ... */
	uint32_t door, versions;
	struct ms_block *older; /* ... and its previous version */
	uint8_t kind;           /* enum ms_code_kind: see ms_key() */
};

struct ms_link {
	uint64_t target; /* a key */
	/* with the cursor in register b; with all registers restored */
	uint8_t *near_rel32, *far_rel32;
	uint8_t b, level;
};
enum { MS_BLOCK_RESUME = 0 }; /* C returns to the block's entry */

/* The cursor's register in the block that precedes the next one, and its level. */
extern uint8_t ms_emit_hint, ms_emit_level;
/* Makes the branch go to `to`. */
void ms_emit_patch(uint8_t *rel32, uint64_t to);

/* --- entries to C --- */

enum ms_glue {
	MS_GLUE_FULL,
	MS_GLUE_LINK,
	MS_GLUE_MISS,
	MS_GLUE_CALL,
	MS_GLUE_CLONED,
	MS_GLUE_SLOW,
	MS_GLUE_CHANGED,
	MS_GLUES
};
extern const uint8_t ms_glue_slow[];
uint64_t ms_window_slow(struct ms_thread *t);

/* --- the kernel's signal frames: the offset of a ucontext from the stack pointer --- */

enum { MS_FRAME_CONTEXT = 0 };
enum { MS_CLONE_BYTES = 64 }; /* of a site: clone.c */

#endif
