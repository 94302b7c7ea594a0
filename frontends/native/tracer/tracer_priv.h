/*
 * tracer_priv.h - what the parts of the tracer offer to each other: those that are the same on
 * every architecture, and what each architecture's folder must have for them.
 */
#ifndef MS_TRACER_PRIV_H
#define MS_TRACER_PRIV_H

#include "runtime.h"

#include "sys.h"

struct ms_window;

#include "arch.h"

/* --- the architecture's: live.c, gather.c, emit.c, exits.c --- */

void ms_decode_forget(void);
void ms_gather(struct ms_gather *g, uint64_t pc);
void ms_emit_start(void);
void ms_emit(struct ms_thread *t, struct ms_block *block, struct ms_gather *g);
/* The branch goes to the block from now on. */
void ms_emit_link(const struct ms_link *link, const struct ms_block *to);
/* Whoever comes to the entry of an older version of a block goes to `to` from now on. */
void ms_emit_forward(const struct ms_block *old, const struct ms_block *to);
/* The next block is for this branch; NULL: for any. */
void ms_emit_for(const struct ms_link *link);

/* --- the architecture's: processor.c --- */

/* What it must know of the processor; false: it cannot work here, and has said why. */
bool ms_processor_start(void);
/* Entries of the table of indirect branches, a power of two. */
uint64_t ms_processor_table(void);
/* Code has been written: processors must see it. */
void ms_cache_sync(const void *from, const void *to);

/* --- the architecture's: context.c --- */

/* The frame shows what the program would have natively, at pc. */
void ms_context_true(const struct ms_window *w, uint64_t *uc, uint64_t pc);
/* Likewise at a fault, of which the block's own registers are known. */
void ms_context_fault(const struct ms_window *w, const struct ms_block *b,
		      const struct ms_site *site, uint64_t *uc);
/* What the frame has interrupted goes on traced. */
void ms_context_go(struct ms_thread *t, uint64_t *uc);
/* For the unwinder. */
struct ms_frame ms_context_frame(const struct ms_window *w);
/* Behind a system call: registers that it has destroyed. */
void ms_context_called(struct ms_window *w);
/* Whether a system call stands at pc; else it is a request. */
bool ms_context_is_call(uint64_t pc);
/* The system call changes the register that tells who the thread is: not while it is traced. */
bool ms_context_moves_thread(uint64_t number, const uint64_t *args);
/* A function has been called: who did, as it will be afterwards. */
struct ms_frame ms_context_caller(const struct ms_window *w);
/* A function has been called: goes on behind the call. */
void ms_context_return(struct ms_window *w);
void ms_context_glue(struct ms_window *w);

/* --- the architecture's: clone.c --- */

/* Code that makes the system call at pc: who comes out of it with 0 goes on natively. */
ms_code *ms_clone_site(uint64_t pc);

/* --- cache.c --- */

/* A pc is translated in several ways (enum ms_code_kind); blocks are found by both. */
enum { MS_KEY_SHIFT = 62 };
static inline uint64_t ms_key(uint64_t pc, uint32_t kind)
{
	return pc | (uint64_t)kind << MS_KEY_SHIFT;
}

static inline uint64_t ms_key_pc(uint64_t key)
{
	return key & ((UINT64_C(1) << MS_KEY_SHIFT) - 1);
}

static inline enum ms_code_kind ms_key_kind(uint64_t key)
{
	return (enum ms_code_kind)(key >> MS_KEY_SHIFT);
}

extern ms_code *ms_cache_at; /* where the next code goes */
bool ms_cache_start(void);
/* What has been written until then stays (ms_emit_start()). */
void ms_cache_begin(void);
/* For one more block; may forget all that there are. False: some thread is still in old ones. */
bool ms_cache_make_room(void);
bool ms_cache_holds(uint64_t address);
/* Code that stays where write(pc) puts it; NULL: there is no room. */
ms_code *ms_cache_keep(ms_code *(*write)(uint64_t), uint64_t pc);
/* The thread will look for a block and go there; from now on they stay until it calls C again. */
void ms_cache_enter(struct ms_window *w);
/* Whether what a thread was in since then is what is being written. */
bool ms_cache_is_new(uint64_t inside);
/* Needs no lock. */
struct ms_block *ms_cache_find(uint64_t key);
/* Likewise, if generated code may go there by itself. */
struct ms_block *ms_cache_linked(uint64_t key);
/* A block to be written; then it can be found. */
struct ms_block *ms_cache_add(uint64_t key);
void ms_cache_publish(const struct ms_block *block);
void ms_cache_site(struct ms_block *block, struct ms_site site);
const struct ms_site *ms_cache_site_at(uint64_t address, struct ms_block **block);
uint32_t ms_cache_link(struct ms_link link);
struct ms_link *ms_cache_link_at(uint32_t number);
/* Whether blocks may have been made of code there. */
bool ms_cache_may_hold(uint64_t start, uint64_t size);
void ms_cache_forget(uint64_t start, uint64_t end);
void ms_cache_forget_at(uint64_t pc); /* what begins there */
void ms_cache_drop(struct ms_block *block);
/* The tables of indirect branches, one for each way to translate, by the low bits of their targets;
 * one less than their entries. */
extern uint64_t *ms_cache_table[MS_CODES];
extern uint64_t ms_cache_table_mask;
/* Its entries are this at first, and again when a block has gone. */
void ms_cache_miss_is(uint64_t code);
void ms_cache_aim(uint64_t target, const struct ms_block *block);

/* --- groups.c --- */

/* Where sets are sampled, by address >> shift & mask: bit 0, the line is seen; bit 1, those of the
 * group behind it are. */
extern struct ms_groups {
	uint8_t *table; /* NULL: all lines are */
	uint32_t mask, shift;
} ms_groups;
bool ms_groups_start(void);
bool ms_groups_see(uint64_t address);
/* The first or the last line of a reference. */
bool ms_groups_see_any(uint64_t address, uint32_t size);

/* --- translate.c --- */

extern struct ms_tracer_stats ms_tracer_stats;
/* The block of a key, translated if need be; NULL: why says. */
struct ms_block *ms_translate(struct ms_thread *t, uint64_t key, uint32_t *why);

/* --- made.c --- */

/* Whether there is code that may change. */
bool ms_made_holds(uint64_t pc);
/* Whether there has been any. */
bool ms_made_is_in(uint64_t start, uint64_t size);
/* Memory there has gone, or may be run no more. */
void ms_made_forget(uint64_t start, uint64_t size);
/* Likewise, and from now on the next block is made of a copy of it; false: of what is in memory. */
bool ms_made_take(uint64_t pc);
/* What of the copy is at pc and behind it; 0: pc is not in it. */
uint64_t ms_made_bytes(uint64_t pc);
/* The instruction at pc, in the copy or in memory. */
const void *ms_made_code(uint64_t pc);
/* A block has found that its code is not what it was. */
void ms_made_changed(struct ms_thread *t, uint64_t key);

/* --- window.c --- */

struct ms_info { /* siginfo_t */
	int32_t signal, error, code, pad;
	uint64_t rest[14];
};
/* What sigqueue() and timers say, in its code and in its rest. */
enum { MS_INFO_QUEUED = -1, MS_INFO_VALUE = 1 };
/* The tracer's signal, in a mask. */
#define MS_OWN_BIT (1ull << (MS_SIGNAL - 1))

/* At t->tracer. */
struct ms_window {
	uint64_t regs[MS_REGS];
	uint64_t spill[MS_REGS];
	uint64_t pc, flags, stack, arg, target, resume, own_sp;
	uint64_t pending;
	uint64_t mask;
	uint64_t site;
	uint64_t table;
	uint64_t glue[MS_GLUES];
	/* not known to assembler or generated code */
	uint64_t held_limit; /* the lane's limit while t->limit is 0 */
	struct ms_info held;
	struct ms_info refused; /* the kernel had no room for it, only for its number; 0: none */
	uint64_t call, call_args[6]; /* the system call under way */
	uint64_t tid;
	uint64_t ends[MS_END_KINDS], windows, misses, signals, holds, faults, calls;
	uint64_t inside; /* in the cache, since which of its times; 0: not (cache.c) */
	uint64_t timer;
	bool timer_made;
	bool opening;     /* traced already, but not told */
	bool opened;      /* our signal, which the program blocks: again.c */
	bool ended_early; /* the window that is being left */
	bool blind;       /* runs untraced since its window ended too soon: blind.c */
	uint32_t blind_why;
	uint64_t blind_since; /* 0: not measured */
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
extern struct ms_thread *ms_window_all; /* that have ever been traced */
/* Called by enter.S: each returns where to go on. */
uint64_t ms_window_full(struct ms_thread *t);
uint64_t ms_window_link(struct ms_thread *t);
uint64_t ms_window_miss(struct ms_thread *t);
uint64_t ms_window_go(struct ms_thread *t);
uint64_t ms_window_call(struct ms_thread *t);
uint64_t ms_window_changed(struct ms_thread *t);
/* In C: the cache may change meanwhile. */
struct ms_window *ms_window_come_out(struct ms_thread *t);
/* Until no thread is inside the cache since before then; false: it takes too long. */
bool ms_window_wait_for(uint64_t time);
/* It goes on natively, at w->pc. */
_Noreturn void ms_window_end(struct ms_thread *t, uint32_t why);
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

/* All but faults. */
extern const uint64_t ms_signals_held;
/* Takes over the handlers that there are: what the program has set natively. */
void ms_signals_start(void);
/* Our own signal comes to us. */
void ms_signals_own(void);
void ms_signals_give_back(void);
int64_t ms_signals_action(const uint64_t args[6]);
/* Whether 32 bytes are there. */
bool ms_signals_can_read(uint64_t address);
/* All but faults are blocked until the mask that it gives is set again. */
uint64_t ms_signals_block(void);
void ms_signals_unblock(uint64_t mask);
/* A held signal is delivered at w->pc; may not return. */
void ms_signals_deliver(struct ms_thread *t);
/* The window ends: all signals but the own one are blocked, what was held is sent again. */
void ms_signals_release(struct ms_thread *t);
_Noreturn void ms_signals_return(struct ms_thread *t);
/* ends: the address that its handler returns to. */
uint64_t ms_signals_arrive(int signal, struct ms_info *info, uint64_t *context, uint64_t ends);
/* To the window's thread. False: as many signals wait as may (RLIMIT_SIGPENDING); then the kernel
 * takes one still that says nothing but its number. */
bool ms_signals_queue(const struct ms_window *w, const struct ms_info *info);
void ms_signals_send_bare(const struct ms_window *w, int signal);
bool ms_signals_is_bare(const struct ms_info *info);

/* --- again.c --- */

void ms_again_forked(struct ms_thread *t);
/* Whether our signal is the timer's of that. */
bool ms_again_is(struct ms_thread *t, const struct ms_info *info);
/* What it interrupted goes on traced, if it is code that can be. */
void ms_again_arrive(struct ms_thread *t, uint64_t *uc);
/* It is the program's, which had blocked it until we came: whether it does again. */
bool ms_again_gives_up(struct ms_thread *t, uint64_t *uc);

/* --- blind.c --- */

/* The window ends. */
void ms_blind_begin(struct ms_thread *t, uint32_t why);
/* Whether it could be traced where it is now, and is not only because a window ended so. */
bool ms_blind_is(const struct ms_thread *t);
/* In t's lane: how long a thread was untraced that is traced again, or will not be. */
void ms_blind_tell(struct ms_thread *t, struct ms_thread *of);

/* --- leave.c --- */

/* The window has ended: goes on natively. What is held has been sent, w->mask is the program's. */
_Noreturn void ms_leave(struct ms_thread *t);
/* By our own signal, which comes with t->traced as this, LEAVING or more. */
_Noreturn void ms_leave_by(struct ms_thread *t, uint32_t what);
/* Whether our own signal is the one that was sent to leave the window, or to go on by a frame. */
bool ms_leave_is(const struct ms_thread *t, const struct ms_info *info);
/* It has come, or one of the program's in its place: the window is left, or goes on so. */
void ms_leave_arrived(struct ms_thread *t, uint64_t *uc);
/* It has been sent, and has not arrived yet. */
bool ms_leave_is_due(const struct ms_thread *t);

/* --- vectors.c --- */

/* By this frame the window is left: what system calls of C have not kept of the vector registers is
 * in it. May not return. */
void ms_vectors_leave(struct ms_window *w, uint64_t *uc);
/* Our own signal has come: if it was to deliver the program's by such a frame, it is. */
void ms_vectors_arrived(struct ms_thread *t, uint64_t *uc);
/* Whether a thread with this frame can be traced. */
bool ms_vectors_can_go(const uint64_t *uc);

/* --- enter.S --- */

extern const uint8_t ms_glue_full[], ms_glue_link[], ms_glue_miss[], ms_glue_call[],
	ms_glue_changed[];
/* Every register is the program's, but the thread's own where there is one. */
extern const uint8_t ms_glue_go[];
extern const uint8_t ms_signal_entry[], ms_call_ready[], ms_call_insn[], ms_call_done[];
extern const uint8_t ms_deliver_done[], ms_clone_done[];
/* 0: it ran; 1: a signal is held, it did not. */
int ms_call_program(struct ms_thread *t);
int ms_clone_program(struct ms_thread *t);
void ms_deliver_program(struct ms_thread *t);
/* rt_sigreturn with the program's stack pointer. */
_Noreturn void ms_sigreturn_program(struct ms_thread *t);
/* Vector registers are kept around a call of f(a, b, where they have been put down). */
uint64_t ms_keep_vectors(uint64_t (*f)(void *, void *, const uint8_t *), void *a, void *b);

#endif
