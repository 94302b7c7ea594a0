/* tracer_priv.h - what the parts of the tracer offer to each other. */
#ifndef MS_A64_TRACER_PRIV_H
#define MS_A64_TRACER_PRIV_H

#include "runtime.h"

#include "insn.h"
#include "sys.h"

enum { NO_REG = 31, SP = 31 };

/* --- live.c --- */

/* The instruction at pc, if it is code that may be translated. */
void ms_decode(struct ms_insn *in, uint64_t pc);
void ms_decode_forget(void);
/* Registers that the code at pc may read, a bit for each. */
uint32_t ms_live_at(uint64_t pc);

/* --- gather.c --- */

enum { MS_MAX_INSNS = 72, MS_MAX_REFS = 64, MS_MAX_EXITS = 24 };

enum ms_term {
	MS_TERM_CUT,    /* goes on at `next` */
	MS_TERM_INSN,   /* the last instruction says how */
	MS_TERM_REGION, /* all of it must stay together: rep.c; goes on at `next` */
	MS_TERM_STOP,   /* the window ends at `next` */
};

struct ms_side {
	uint64_t target;
	uint16_t at;   /* the branching instruction */
	bool inverted; /* the block goes on at the branch's target */
	uint32_t *patch;
};

struct ms_gather {
	struct ms_insn in[MS_MAX_INSNS + 1];
	uint16_t refs_before[MS_MAX_INSNS + 2];
	bool passed[MS_MAX_INSNS + 1]; /* a branch that the block follows: nothing is left of it */
	uint32_t n, refs;
	enum ms_term term;
	uint64_t pc, next;
	uint32_t why;  /* MS_TERM_STOP: enum ms_tracer_end */
	uint32_t live; /* registers that are, before the first instruction */
	struct ms_side side[MS_MAX_EXITS];
	uint32_t sides;
	bool silent; /* the runtime's own code: nothing is recorded */
};

void ms_gather(struct ms_gather *g, uint64_t pc);
/* The first n instructions only. */
void ms_gather_cut(struct ms_gather *g, uint32_t n);

/* --- cache.c --- */

/* Where an instruction that may fault stands in its block. */
struct ms_site {
	uint64_t pc;
	uint16_t offset;
	uint8_t state; /* enum ms_site_state */
};
enum ms_site_state {
	MS_SITE_BODY,  /* the block's registers are spilled */
	MS_SITE_CLEAN, /* every register but x18 is the program's */
};

struct ms_block {
	uint64_t pc;
	uint64_t entry; /* every register is the program's but x18 */
	uint32_t size;
	uint32_t first_site, sites;
	uint8_t taken[3]; /* registers that it takes and that must be given back, or NO_REG */
	bool gone;
};

/* In front of a block's entry; see emit.c. */
enum { MS_BLOCK_RESUME = 4, MS_BLOCK_INDIRECT = 20, MS_BLOCK_HEAD = 32 };

struct ms_link {
	uint64_t target;
	uint32_t *branch;
};

extern uint32_t *ms_cache_at; /* where the next code goes */
bool ms_cache_start(void);
bool ms_cache_has_room(void);
bool ms_cache_holds(uint64_t address);
/* Code has been written: processors must see it. */
void ms_cache_sync(const void *from, const void *to);
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
enum { MS_TABLE_BITS = 17 };
extern uint64_t *ms_cache_table;
/* What its entries are at first, and again when a block has gone. */
extern uint64_t ms_cache_miss;
void ms_cache_aim(uint64_t target, const struct ms_block *block);

/* --- emit.c --- */

void ms_emit_start(void);
void ms_emit(struct ms_thread *t, struct ms_block *block, struct ms_gather *g);
/* The branch goes to the block from now on. */
void ms_emit_link(const struct ms_link *link, const struct ms_block *to);

/* --- translate.c --- */

extern struct ms_lock ms_tracer_lock;
extern struct ms_tracer_stats ms_tracer_stats;
/* The block at pc, translated if need be; NULL: why says. */
struct ms_block *ms_translate(struct ms_thread *t, uint64_t pc, uint32_t *why);

/* --- window.c --- */

enum ms_glue { MS_GLUE_FULL, MS_GLUE_LINK, MS_GLUE_MISS, MS_GLUE_CALL, MS_GLUE_CLONED, MS_GLUES };

struct ms_info { /* siginfo_t */
	int32_t signal, error, code, pad;
	uint64_t rest[14];
};

/* At t->tracer. */
struct ms_window {
	uint64_t regs[32];
	uint64_t spill[32];
	uint64_t pc, flags, stack, arg, target, resume, own_sp;
	uint64_t pending;
	uint64_t mask;
	uint64_t site;
	uint64_t table;
	uint64_t glue[MS_GLUES];
	/* not known to assembler or generated code */
	uint64_t held_limit; /* the lane's limit while t->limit is 0 */
	struct ms_info held;
	uint64_t call, call_args[6]; /* the system call under way */
	uint64_t tid;
	uint64_t ends[MS_END_KINDS], windows, misses, signals, holds, faults, calls;
	uint64_t timer;
	bool timer_made;
	bool ended_early; /* the window that is being left */
	struct ms_thread *next;
};
_Static_assert(offsetof(struct ms_window, spill) == MS_AT_SPILL - MS_AT_REGS, "layout.h");
_Static_assert(offsetof(struct ms_window, pc) == MS_AT_PC - MS_AT_REGS, "layout.h");
_Static_assert(offsetof(struct ms_window, glue) == MS_AT_GLUE - MS_AT_REGS, "layout.h");
_Static_assert(MS_THREAD_TRACER == MS_AT_REGS, "layout.h");

static inline struct ms_window *ms_window_of(struct ms_thread *t)
{
	return (struct ms_window *)t->tracer;
}
/* Called by enter.S: each returns where to go on in the cache. */
uint64_t ms_window_full(struct ms_thread *t);
uint64_t ms_window_link(struct ms_thread *t);
uint64_t ms_window_miss(struct ms_thread *t);
uint64_t ms_window_go(struct ms_thread *t);
uint64_t ms_window_call(struct ms_thread *t);
/* Whether it is code of the runtime that runs natively. */
bool ms_window_is_ours(uint64_t pc);

/* --- calls.c --- */

/* The system call at w->pc is run, unless a held signal comes first. */
void ms_calls_run(struct ms_thread *t);
/* It has been: tells the runtime, goes behind it. */
void ms_calls_done(struct ms_thread *t);
/* Whether pc is in code that makes threads; done: behind the call. */
bool ms_calls_is_site(uint64_t pc, bool *done);

/* --- signals.c --- */

enum { MS_SIGNAL = 62 }; /* the tracer's own */
enum { MS_LEAVING = 2 }; /* as t->traced: the next one is to leave the window */

struct ms_action { /* the kernel's struct sigaction */
	uint64_t handler, flags, restorer, mask;
};
/* Words of a ucontext. */
enum { MS_UC_MASK = 5, MS_UC_REGS = 23, MS_UC_SP = 54, MS_UC_PC = 55, MS_UC_STATE = 56 };

void ms_signals_start(void);
int64_t ms_signals_action(const uint64_t args[6]);
/* A held signal is delivered at w->pc; may not return. */
void ms_signals_deliver(struct ms_thread *t);
_Noreturn void ms_signals_return(struct ms_thread *t);
uint64_t ms_signals_arrive(int signal, struct ms_info *info, uint64_t *context);
/* The program goes on natively at w->pc: registers, flags, pc and mask change at once. */
_Noreturn void ms_signals_leave(struct ms_thread *t);

/* --- again.c --- */

/* The window ended too soon: it is opened again after a while. */
void ms_again_arm(struct ms_thread *t);
void ms_again_forked(struct ms_thread *t);

/* --- enter.S --- */

extern const uint8_t ms_glue_full[], ms_glue_link[], ms_glue_miss[], ms_glue_call[];
/* x18 is the thread, its own value is in the window, every other register is the program's. */
extern const uint8_t ms_glue_enter[];
extern const uint8_t ms_signal_entry[], ms_call_ready[], ms_call_insn[], ms_call_done[];
extern const uint8_t ms_deliver_done[];
/* 0: it ran; 1: a signal is held, it did not. */
int ms_call_program(struct ms_thread *t);
void ms_deliver_program(struct ms_thread *t);
/* rt_sigreturn with the program's stack pointer. */
_Noreturn void ms_sigreturn_program(struct ms_thread *t);
int ms_clone_program(struct ms_thread *t);
extern const uint8_t ms_clone_done[];

#endif
