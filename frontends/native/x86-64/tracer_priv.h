/* tracer_priv.h - what the parts of the tracer offer to each other. */
#ifndef MS_X86_TRACER_PRIV_H
#define MS_X86_TRACER_PRIV_H

#include "runtime.h"

#include "layout.h"
#include "sys.h"

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15, NO_REG };
enum { CONSTANT = 17 }; /* as the base of a reference: struct ms_insn says where it goes */

/* --- decode.c --- */

enum ms_insn_kind {
	MS_PLAIN,
	MS_REP,    /* a string instruction, again and again */
	MS_SLOW,   /* C finds out what it refers to */
	MS_JUMP,   /* direct */
	MS_BRANCH, /* direct, conditional */
	MS_LOOP,   /* likewise, on rcx */
	MS_CALL,   /* direct */
	MS_INDIRECT_JUMP,
	MS_INDIRECT_CALL,
	MS_RETURN,
	MS_SYSCALL,
	MS_REQUEST, /* include/memspy.h */
	MS_UNKNOWN, /* ends the window before it; struct ms_insn says why */
};

/* One reference: where it goes to. */
struct ms_where {
	int32_t disp;
	uint16_t size;
	uint8_t kind;               /* enum ms_wire_ref_kind */
	uint8_t base, index, scale; /* index may be NO_REG, base also CONSTANT */
	bool fs;
};

enum ms_slow_kind { MS_SLOW_NARROW = 1, MS_SLOW_BITS, MS_SLOW_ELEMENTS };

enum { MS_INSN_REFS = 3 };

struct ms_insn {
	uint64_t pc;
	uint64_t target; /* of a direct branch; what a RIP-relative operand means */
	uint16_t use,
		def; /* general registers that are read; that are overwritten whatever comes */
	uint16_t flags_use, flags_def;
	uint16_t pops; /* MS_RETURN: bytes behind the return address */
	uint8_t kind;  /* enum ms_insn_kind */
	uint8_t why;   /* MS_UNKNOWN: enum ms_tracer_end */
	uint8_t length;
	uint8_t refs;
	uint8_t rip_modrm;     /* where the ModRM byte of a RIP-relative operand stands; 0: none */
	uint8_t loads_address; /* lea of such an operand: into this register, or NO_REG */
	uint8_t indirect;      /* MS_INDIRECT_*: by this register, or NO_REG: ref[0] */
	uint8_t rep_size, rep_prefix_at;
	bool rep_compares;
	/* MS_SLOW: see slow.c */
	uint8_t slow;     /* enum ms_slow_kind */
	uint8_t elements; /* how many references it makes, as ref[0] is */
	uint8_t vector, index_size,
		vector_scale; /* a vector of indexes; MS_SLOW_BITS: a register */
	uint8_t mask;
	bool mask_is_k;
	struct ms_where ref[MS_INSN_REFS];
};

enum { MS_FLAGS = 0x8d5 };

/* The instruction at pc, of which `room` bytes may be read. */
const struct ms_insn *ms_decode(uint64_t pc);
void ms_decode_start(void);
/* Code was seen that makes string instructions walk downwards. */
extern bool ms_decode_saw_std;
void ms_decode_forget(void);

/* --- live.c --- */

struct ms_life {
	uint16_t regs, flags;
};
/* What the code at pc may read. */
struct ms_life ms_live_at(uint64_t pc);
struct ms_life ms_live_before(const struct ms_insn *in, struct ms_life after);

/* --- gather.c --- */

enum { MS_MAX_INSNS = 72, MS_MAX_REFS = 64, MS_MAX_EXITS = 24, MS_MAX_RETURNS = 6 };

enum ms_term {
	MS_TERM_CUT,  /* goes on at `next` */
	MS_TERM_INSN, /* the last instruction says how */
	MS_TERM_STOP, /* the window ends at `next` */
};

struct ms_side {
	uint64_t target;
	uint16_t at;   /* the branching instruction */
	bool inverted; /* the block goes on at the branch's target */
	uint8_t *patch;
};

struct ms_gather {
	const struct ms_insn *in[MS_MAX_INSNS + 1];
	uint16_t refs_before[MS_MAX_INSNS + 2];
	struct ms_life live[MS_MAX_INSNS + 2]; /* before each */
	uint32_t n, refs;
	enum ms_term term;
	uint64_t pc, next;
	uint32_t why; /* MS_TERM_STOP: enum ms_tracer_end */
	struct ms_side side[MS_MAX_EXITS];
	uint32_t sides;
	/* Returns to a call in the same block: by instruction, where to; 0: not so. */
	uint64_t returns_to[MS_MAX_INSNS + 1];
	uint32_t returns;
	bool silent; /* the runtime's own code: nothing is recorded */
};

void ms_gather(struct ms_gather *g, uint64_t pc);
/* The first n instructions only. */
void ms_gather_cut(struct ms_gather *g, uint32_t n);

/* --- cache.c --- */

/* Where the code of an instruction starts in its block. */
struct ms_site {
	uint64_t pc;
	uint16_t offset;
	uint8_t taken; /* a register that is spilled for this instruction alone, or NO_REG */
	uint8_t state; /* enum ms_site_state */
};
enum ms_site_state {
	MS_SITE_BODY,  /* the block's registers are spilled */
	MS_SITE_CLEAN, /* every register is the program's */
	MS_SITE_REP,   /* likewise, and the second one is what is left to do of rcx */
	MS_SITE_JUMP,  /* rcx and r11 are spilled, the block's own are not */
};

struct ms_block {
	uint64_t pc;
	uint32_t entry, fast, unchecked, indirect, size;
	uint32_t first_site, sites;
	uint32_t first_exit; /* of a slow one */
	uint8_t b, s;        /* registers that it takes, or NO_REG */
	uint8_t level;       /* a block of a lower one has looked whether there is room for both */
	bool gone;
};

struct ms_link {
	uint64_t target;
	uint8_t *near_rel32, *far_rel32; /* with the cursor in register b; with every register */
	uint8_t b, level;
};

extern uint8_t *ms_cache_at; /* where the next code goes */
bool ms_cache_start(void);
bool ms_cache_has_room(void);
bool ms_cache_holds(uint64_t address);
/* Needs no lock. */
struct ms_block *ms_cache_find(uint64_t pc);
/* A block to be written; then it can be found. */
struct ms_block *ms_cache_add(uint64_t pc);
void ms_cache_publish(const struct ms_block *block);
void ms_cache_site(struct ms_block *block, struct ms_site site);
const struct ms_site *ms_cache_site_at(uint64_t address, struct ms_block **block);
uint32_t ms_cache_link(struct ms_link link);
struct ms_link *ms_cache_link_at(uint32_t number);
/* Whether blocks may have been made of code there. */
bool ms_cache_may_hold(uint64_t start, uint64_t size);
void ms_cache_forget(uint64_t start, uint64_t end);
/* The table of indirect branches, by the low bits of their targets. */
extern uint64_t *ms_cache_table;
extern uint64_t ms_cache_table_mask;
void ms_cache_aim(uint64_t target, const struct ms_block *block);

/* --- emit.c --- */

void ms_emit_start(void);
void ms_emit(struct ms_thread *t, struct ms_block *block, struct ms_gather *g);
/* Which register the next block's neighbour keeps the cursor in, and its level. */
extern uint8_t ms_emit_hint, ms_emit_level;
/* The branch goes to the block from now on. */
void ms_emit_link(const struct ms_link *link, const struct ms_block *to);
/* Makes the branch there go to `to`. */
void ms_emit_patch(uint8_t *rel32, uint64_t to);

/* --- translate.c --- */

extern struct ms_lock ms_tracer_lock;
extern struct ms_tracer_stats ms_tracer_stats;
/* The block at pc, translated if need be; NULL: why says. */
struct ms_block *ms_translate(struct ms_thread *t, uint64_t pc, uint32_t *why);

/* --- window.c --- */

enum ms_glue {
	MS_GLUE_FULL,
	MS_GLUE_LINK,
	MS_GLUE_MISS,
	MS_GLUE_GO,
	MS_GLUE_CALL,
	MS_GLUE_CLONED,
	MS_GLUE_SLOW,
	MS_GLUES
};

struct ms_info { /* siginfo_t */
	int32_t signal, error, code, pad;
	uint64_t rest[14];
};

/* At t->tracer. */
struct ms_window {
	uint64_t regs[16];
	uint64_t spill[16];
	uint64_t pc, flags, stack, arg, target, resume, own_sp;
	uint64_t pending;
	uint64_t mask;
	uint64_t site;
	uint64_t glue[MS_GLUES];
	/* not known to assembler or generated code */
	uint64_t held_limit; /* the lane's limit while t->limit is 0 */
	struct ms_info held;
	uint64_t call, call_args[6]; /* the system call under way */
	uint64_t tid;
	uint64_t ends[MS_END_KINDS], windows, misses, signals, holds, faults, calls;
	uint64_t timer;
	uint64_t other_start, other_size; /* the program's stack for handlers */
	bool timer_made;
	bool disarmed; /* the kernel does not know of that stack now */
	struct ms_thread *next;
};
_Static_assert(offsetof(struct ms_window, pc) == MS_AT_PC - MS_AT_REGS, "layout.h");
_Static_assert(offsetof(struct ms_window, glue) == MS_AT_GLUE - MS_AT_REGS, "layout.h");

static inline struct ms_window *ms_window_of(struct ms_thread *t)
{
	return (struct ms_window *)t->tracer;
}
/* Called by enter.S: each returns where to go on. */
uint64_t ms_window_full(struct ms_thread *t);
uint64_t ms_window_link(struct ms_thread *t);
uint64_t ms_window_miss(struct ms_thread *t);
uint64_t ms_window_go(struct ms_thread *t);
uint64_t ms_window_call(struct ms_thread *t);
uint64_t ms_window_slow(struct ms_thread *t);
/* Whether it is code of the runtime that runs natively. */
bool ms_window_is_ours(uint64_t pc);
/* The window ends: goes on natively. */
uint64_t ms_window_end(struct ms_thread *t, uint32_t why);

/* --- calls.c --- */

/* The system call at w->pc is run, unless a held signal comes first. */
void ms_calls_run(struct ms_thread *t);
/* It has been: tells the runtime, goes behind it. */
void ms_calls_done(struct ms_thread *t);
/* Whether pc is in code that makes threads; done: behind the call. */
bool ms_calls_is_site(uint64_t pc, bool *done);

/* --- signals.c --- */

/* Takes over the handlers that there are: what the program has set natively. */
void ms_signals_start(void);
int64_t ms_signals_action(const uint64_t args[6]);
/* Whether 32 bytes are there. */
bool ms_signals_can_read(uint64_t address);
/* A held signal is delivered at w->pc; may not return. */
void ms_signals_deliver(struct ms_thread *t);
_Noreturn void ms_signals_return(struct ms_thread *t);
uint64_t ms_signals_arrive(int signal, struct ms_info *info, uint64_t *context);

/* --- other_stack.c --- */

/* A window opens, and ends. */
void ms_other_open(struct ms_window *w);
void ms_other_close(struct ms_window *w);
/* Called from everywhere: the program may have left its handler. */
void ms_other_left(struct ms_window *w);
/* A handler starts on this frame, and returns by it. */
void ms_other_handler(struct ms_window *w, const uint64_t *uc);
void ms_other_return(struct ms_window *w, uint64_t *uc);
/* The program's own sigaltstack. */
int64_t ms_other_call(struct ms_window *w, const uint64_t args[6]);

/* --- again.c --- */

/* The window ended too soon: it is opened again after a while. */
void ms_again_arm(struct ms_thread *t);
void ms_again_forked(struct ms_thread *t);
void ms_again_arrive(int signal, struct ms_info *info, uint64_t *uc);

/* --- enter.S --- */

extern const uint8_t ms_glue_full[], ms_glue_link[], ms_glue_miss[], ms_glue_go[], ms_glue_call[],
	ms_glue_slow[];
extern const uint8_t ms_signal_entry[], ms_call_ready[], ms_call_insn[], ms_call_done[];
extern const uint8_t ms_deliver_done[], ms_again_entry[], ms_again_restorer[];
/* 0: it ran; 1: a signal is held, it did not. */
int ms_call_program(void);
void ms_deliver_program(void);
/* rt_sigreturn with the program's stack pointer. */
_Noreturn void ms_sigreturn_program(void);
int ms_clone_program(void);
extern const uint8_t ms_clone_done[];
/* Vector registers are kept around a call of f(a, b, what xsave has put down of them). */
uint64_t ms_keep_vectors(uint64_t (*f)(void *, void *, const uint8_t *), void *a, void *b);

#endif
