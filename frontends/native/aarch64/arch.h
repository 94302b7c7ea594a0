/*
 * arch.h - aarch64, for the parts of the tracer that are the same on all architectures (tracer/):
 * registers by purpose, and blocks.
 */
#ifndef MS_ARCH_H
#define MS_ARCH_H

#include <asm/unistd.h>

#include "insn.h"

/* --- registers and instructions --- */

enum { NO_REG = 31, SP = 31 };
enum { MS_REGS = 32, MS_REG_SP = SP, MS_REG_RESULT = 0, MS_REG_NUMBER = 8, MS_REG_LINK = 30 };
/* Argument registers of functions and system calls. */
static const uint8_t ms_reg_function[6] = { 0, 1, 2, 3, 4, 5 };
static const uint8_t ms_reg_call[6] = { 0, 1, 2, 3, 4, 5 };
enum { MS_CALL_BYTES = 4, MS_CALL_FORK = -1, MS_CALL_VFORK = -1 }; /* these calls do not exist */
enum { MS_REQUEST_BYTES = 4, MS_REQUEST_ARGS = 4, MS_REQUEST_RESULT = 3 };

/* --- live.c --- */

/* The instruction at pc, if it is code that may be translated. */
void ms_decode(struct ms_insn *in, uint64_t pc);
/* Registers that the code at pc may read, a bit for each. */
uint32_t ms_live_at(uint64_t pc);

/* --- gather.c --- */

enum { MS_INSN_BYTES = 4 }; /* no instruction has more */
enum { MS_MAX_INSNS = 72, MS_MAX_REFS = 64, MS_MAX_EXITS = 24 };

enum ms_term {
	MS_TERM_CUT,    /* continues at `next` */
	MS_TERM_INSN,   /* the last instruction branches */
	MS_TERM_REGION, /* all of it must stay together: rep.c; continues at `next` */
	MS_TERM_STOP,   /* the window ends at `next` */
};

struct ms_side {
	uint64_t target;
	uint16_t at;   /* the branching instruction */
	bool inverted; /* the block continues at the branch's target */
	uint32_t *patch;
};

struct ms_gather {
	struct ms_insn in[MS_MAX_INSNS + 1];
	uint16_t refs_before[MS_MAX_INSNS + 2];
	bool passed[MS_MAX_INSNS + 1]; /* a branch that the block follows: it needs no code */
	uint32_t n, refs;
	enum ms_term term;
	uint64_t pc, next;
	uint32_t why;  /* MS_TERM_STOP: enum ms_tracer_end */
	uint32_t live; /* live registers before the first instruction */
	struct ms_side side[MS_MAX_EXITS];
	uint32_t sides;
	bool made;    /* code that may change: made.c */
	bool silent;  /* the runtime's own code: nothing is recorded */
	bool counts;  /* the cursor moves as if it were recorded, but nothing is written */
	bool tallies; /* likewise, and executions are counted by exit: counted.c */
	bool picks;   /* only references to sampled lines are written: pick.c */
};

/* Whether the block can be only counted; otherwise it is recorded where no reader sees it. */
static inline bool ms_gather_counts(const struct ms_gather *g)
{
	return g->term != MS_TERM_REGION;
}

/* Keeps the first n instructions only. */
void ms_gather_cut(struct ms_gather *g, uint32_t n);

/* One instruction extracts a bit field at any position; see groups.c. */
enum { MS_GROUPS_WIDE = 0 };

/* --- blocks: see tracer/cache.c --- */

typedef uint32_t ms_code;
/* Within reach of a direct branch. */
enum { MS_CODE_BYTES = 124 << 20, MS_CODE_MAP = 0 };
enum { MS_TABLE_BITS = 17, MS_TABLE_SHIFT = 2 }; /* low bits that are the same for all targets */

/* The position of an instruction that may fault in its block. */
struct ms_site {
	uint64_t pc;
	uint16_t offset;
	uint8_t state; /* enum ms_site_state */
};
enum ms_site_state {
	MS_SITE_BODY,  /* the block's registers are spilled */
	MS_SITE_CLEAN, /* every register but x18 holds the program's value */
};

enum { MS_TAKEN = 4 };

struct ms_block {
	uint64_t pc;
	uint64_t entry;    /* every register but x18 holds the program's value */
	uint64_t indirect; /* the entry of indirect branches */
	uint32_t size;
	uint32_t first_site, sites;
	uint8_t taken[MS_TAKEN]; /* its own registers that must be restored, or NO_REG */
	bool gone;
	bool made; /* of code that may change: made.c ... */
	uint32_t versions;
	struct ms_block *older; /* ... and its previous version */
	uint8_t kind;           /* enum ms_code_kind: see ms_key() */
};

/* Distances before a block's entry; see emit.c. */
enum { MS_BLOCK_RESUME = 4, MS_BLOCK_INDIRECT = 28 };

struct ms_link {
	uint64_t target; /* a key */
	uint32_t *branch;
};

/* --- entries to C --- */

enum ms_glue {
	MS_GLUE_FULL,
	MS_GLUE_LINK,
	MS_GLUE_MISS,
	MS_GLUE_CALL,
	MS_GLUE_CHANGED,
	MS_GLUE_CLONED,
	MS_GLUES
};

/* --- vectors.c --- */

/* Finds out which vector registers this processor has. */
void ms_vectors_start(void);

/* --- the kernel's signal frames: the offset of a ucontext from the stack pointer --- */

enum { MS_FRAME_CONTEXT = 16 };
enum { MS_CLONE_BYTES = 40 }; /* of a site: clone.c */

#endif
