/*
 * tracer_priv.h - interfaces between the parts of the tracer: those that are the same on every
 * architecture, and those that each architecture's folder must provide.
 */
#ifndef MS_TRACER_PRIV_H
#define MS_TRACER_PRIV_H

#include "runtime.h"

#include "sys.h"

struct ms_window;

#include "arch.h"

/* --- from the architecture: live.c, gather.c, emit.c, exits.c --- */

void ms_decode_forget(void);
void ms_gather(struct ms_gather *g, uint64_t pc);
void ms_emit_start(void);
void ms_emit(struct ms_thread *t, struct ms_block *block, struct ms_gather *g);
/* Makes the branch go to the block. */
void ms_emit_link(const struct ms_link *link, const struct ms_block *to);
/* Makes the entry of an older version of a block branch to `to`. */
void ms_emit_forward(const struct ms_block *old, const struct ms_block *to);
/* The next block is emitted for this branch; NULL: for any. */
void ms_emit_for(const struct ms_link *link);

/* --- from the architecture: processor.c --- */

/* Examines the processor. False: the tracer does not work on it, and has printed why. */
bool ms_processor_start(void);
/* Entries of the table of indirect branches, a power of two. */
uint64_t ms_processor_table(void);
/* Makes code that has been written visible to instruction fetch on all processors. */
void ms_cache_sync(const void *from, const void *to);

/* --- from the architecture: context.c --- */

/* Puts into the frame what the program would have natively, at pc. */
void ms_context_true(const struct ms_window *w, uint64_t *uc, uint64_t pc);
/* Likewise at a fault, where the registers that the block uses are known. */
void ms_context_fault(const struct ms_window *w, const struct ms_block *b,
		      const struct ms_site *site, uint64_t *uc);
/* The interrupted code continues traced. */
void ms_context_go(struct ms_thread *t, uint64_t *uc);
/* For the unwinder. */
struct ms_frame ms_context_frame(const struct ms_window *w);
/* After a system call: sets the registers that the instruction destroys. */
void ms_context_called(struct ms_window *w);
/* Whether a system call is at pc; otherwise it is a request. */
bool ms_context_is_call(uint64_t pc);
/* The system call changes the register that identifies the thread. The tracer must not be active
 * meanwhile. */
bool ms_context_moves_thread(uint64_t number, const uint64_t *args);
/* At a function's entry: the caller's frame, as it will be after the return. */
struct ms_frame ms_context_caller(const struct ms_window *w);
/* At a function's entry: continues after the call. */
void ms_context_return(struct ms_window *w);
void ms_context_glue(struct ms_window *w);

/* --- from the architecture: clone.c --- */

/* Code that makes the system call at pc. The child, whose result is 0, continues natively. */
ms_code *ms_clone_site(uint64_t pc);

/* --- cache.c --- */

/* Code at a pc is translated in several ways (enum ms_code_kind); a key is the pc and the kind. */
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

extern ms_code *ms_cache_at; /* where the next code is written */
bool ms_cache_start(void);
/* Code written up to this call is kept (ms_emit_start()). */
void ms_cache_begin(void);
/* Makes room for one more block; may forget all blocks. False: some thread is still in old ones. */
bool ms_cache_make_room(void);
bool ms_cache_holds(uint64_t address);
/* Code at a permanent place, written by write(pc); NULL: there is no room. */
ms_code *ms_cache_keep(ms_code *(*write)(uint64_t), uint64_t pc);
/* The thread is about to look up a block and go there. Blocks stay until it calls C again. */
void ms_cache_enter(struct ms_window *w);
/* Whether a thread that entered at `inside` is in the half that is being written. */
bool ms_cache_is_new(uint64_t inside);
/* Needs no lock. */
struct ms_block *ms_cache_find(uint64_t key);
/* Likewise, but only a block that generated code may branch to directly. */
struct ms_block *ms_cache_linked(uint64_t key);
/* Adds a block. It can be found after ms_cache_publish(). */
struct ms_block *ms_cache_add(uint64_t key);
void ms_cache_publish(const struct ms_block *block);
void ms_cache_site(struct ms_block *block, struct ms_site site);
const struct ms_site *ms_cache_site_at(uint64_t address, struct ms_block **block);
uint32_t ms_cache_link(struct ms_link link);
struct ms_link *ms_cache_link_at(uint32_t number);
/* Whether blocks may have been made of code in this range. */
bool ms_cache_may_hold(uint64_t start, uint64_t size);
void ms_cache_forget(uint64_t start, uint64_t end);
void ms_cache_forget_at(uint64_t pc); /* the blocks that begin there */
void ms_cache_drop(struct ms_block *block);
/* The tables of indirect branches, one for each kind of code, indexed by the low bits of the
 * target; and the number of their entries minus one. */
extern uint64_t *ms_cache_table[MS_CODES];
extern uint64_t ms_cache_table_mask;
/* Sets the value of empty entries: initially all, later those whose block has gone. */
void ms_cache_miss_is(uint64_t code);
void ms_cache_aim(uint64_t target, const struct ms_block *block);

/* --- groups.c --- */

/* With sampled sets, indexed by address >> shift & mask: bit 0, the line is simulated; bit 1, the
 * lines of the next group are. */
extern struct ms_groups {
	uint8_t *table; /* NULL: all lines are simulated */
	uint32_t mask, shift;
} ms_groups;
bool ms_groups_start(void);
bool ms_groups_see(uint64_t address);
/* Whether the first or the last line of a reference is simulated. */
bool ms_groups_see_any(uint64_t address, uint32_t size);

/* --- translate.c --- */

extern struct ms_tracer_stats ms_tracer_stats;
/* The block of a key, translated if necessary; NULL: `why` has the reason. */
struct ms_block *ms_translate(struct ms_thread *t, uint64_t key, uint32_t *why);

/* --- made.c --- */

/* Whether pc is in code that may change. */
bool ms_made_holds(uint64_t pc);
/* Whether such code has been found in this range. */
bool ms_made_is_in(uint64_t start, uint64_t size);
/* The range was unmapped, or is not executable any more. */
void ms_made_forget(uint64_t start, uint64_t size);
/*
 * Like ms_made_holds(). If true, the next block is made of a copy of the code; otherwise of memory.
 */
bool ms_made_take(uint64_t pc);
/* Bytes of the copy from pc on; 0: pc is not in it. */
uint64_t ms_made_bytes(uint64_t pc);
/* The instruction at pc, in the copy or in memory. */
const void *ms_made_code(uint64_t pc);
/* A block has found that its code has changed. */
void ms_made_changed(struct ms_thread *t, uint64_t key);

/* --- window.c --- */

struct ms_info { /* siginfo_t */
	int32_t signal, error, code, pad;
	uint64_t rest[14];
};
/* Values of siginfo_t for sigqueue() and timers: in `code`, and the index in `rest`. */
enum { MS_INFO_QUEUED = -1, MS_INFO_VALUE = 1 };
/* Bit of the tracer's signal in a signal mask. */
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
	/* not used by assembler or generated code */
	uint64_t held_limit; /* the lane's limit while t->limit is 0 */
	struct ms_info held;
	struct ms_info refused;      /* the kernel's queue had no room for its siginfo; 0: none */
	uint64_t call, call_args[6]; /* the current system call */
	uint64_t tid;
	uint64_t ends[MS_END_KINDS], windows, misses, signals, holds, faults, calls;
	/* the time at which the thread entered the cache; 0: not inside (cache.c) */
	uint64_t inside;
	uint64_t timer;
	bool timer_made;
	bool opening; /* traced already, but the window is not open yet */
	/* memspy's signal is unblocked, although the program blocks it: again.c */
	bool opened;
	bool ended_early; /* the window that is being left */
	bool blind;       /* untraced since its window ended too early: blind.c */
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
extern struct ms_thread *ms_window_all; /* threads that have ever been traced */
/* Called by enter.S. Each returns the address to continue at. */
uint64_t ms_window_full(struct ms_thread *t);
uint64_t ms_window_link(struct ms_thread *t);
uint64_t ms_window_miss(struct ms_thread *t);
uint64_t ms_window_go(struct ms_thread *t);
uint64_t ms_window_call(struct ms_thread *t);
uint64_t ms_window_changed(struct ms_thread *t);
/* The thread is in C: the cache may change meanwhile. */
struct ms_window *ms_window_come_out(struct ms_thread *t);
/* Waits until no thread has been in the cache since before `time`; false: that takes too long. */
bool ms_window_wait_for(uint64_t time);
/* The thread continues natively, at w->pc. */
_Noreturn void ms_window_end(struct ms_thread *t, uint32_t why);
/* Whether pc is in code of the runtime that runs natively. */
bool ms_window_is_ours(uint64_t pc);

/* --- calls.c --- */

/* Runs the system call at w->pc, unless a held signal is delivered first. */
void ms_calls_run(struct ms_thread *t);
/* The system call has been made: notifies the runtime and advances the pc. */
void ms_calls_done(struct ms_thread *t);
/* Whether pc is in code that creates threads; done: the call has been made. */
bool ms_calls_is_site(uint64_t pc, bool *done);

/* --- signals.c --- */

/* All signals but faults. */
extern const uint64_t ms_signals_held;
/* Takes over the existing handlers, which the program has set natively. */
void ms_signals_start(void);
/* Installs memspy's handler for its own signal. */
void ms_signals_own(void);
void ms_signals_give_back(void);
int64_t ms_signals_action(const uint64_t args[6]);
/* Whether 32 bytes at the address are readable. */
bool ms_signals_can_read(uint64_t address);
/* Blocks all signals but faults; returns the mask to restore. */
uint64_t ms_signals_block(void);
void ms_signals_unblock(uint64_t mask);
/* Delivers a held signal at w->pc; may not return. */
void ms_signals_deliver(struct ms_thread *t);
/* At the end of a window: blocks all signals and sends a held signal again. */
void ms_signals_release(struct ms_thread *t);
_Noreturn void ms_signals_return(struct ms_thread *t);
/* ends: the address that its handler returns to. */
uint64_t ms_signals_arrive(int signal, struct ms_info *info, uint64_t *context, uint64_t ends);
/* Sends a signal to the window's thread. False: the queue is full (RLIMIT_SIGPENDING); then the
 * kernel still accepts a signal without siginfo. */
bool ms_signals_queue(const struct ms_window *w, const struct ms_info *info);
void ms_signals_send_bare(const struct ms_window *w, int signal);
bool ms_signals_is_bare(const struct ms_info *info);

/* --- again.c --- */

void ms_again_forked(struct ms_thread *t);
/* Whether the signal is from the timer of again.c. */
bool ms_again_is(struct ms_thread *t, const struct ms_info *info);
/* The interrupted code continues traced, if it can be translated. */
void ms_again_arrive(struct ms_thread *t, uint64_t *uc);
/* The signal is the program's, which had blocked it until memspy unblocked it. True: it is blocked
 * again. */
bool ms_again_gives_up(struct ms_thread *t, uint64_t *uc);

/* --- blind.c --- */

/* The window ends. */
void ms_blind_begin(struct ms_thread *t, uint32_t why);
/* Whether the thread could be traced at its present pc, and is untraced only because a window ended
 * early. */
bool ms_blind_is(const struct ms_thread *t);
/*
 * Reports in t's lane how long a thread was untraced that is traced again or will not be any more.
 */
void ms_blind_tell(struct ms_thread *t, struct ms_thread *of);

/* --- leave.c --- */

/*
 * The window has ended: continues natively. Held signals have been sent, w->mask is the program's.
 */
_Noreturn void ms_leave(struct ms_thread *t);
/* Leaves by memspy's own signal, which arrives with this value in t->traced: LEAVING or more. */
_Noreturn void ms_leave_by(struct ms_thread *t, uint32_t what);
/* Whether the signal is the one that memspy sent to leave the window, or to continue through a
 * frame. */
bool ms_leave_is(const struct ms_thread *t, const struct ms_info *info);
/* The signal has arrived, or one of the program instead: leaves the window, or continues. */
void ms_leave_arrived(struct ms_thread *t, uint64_t *uc);
/* The signal has been sent and has not arrived yet. */
bool ms_leave_is_due(const struct ms_thread *t);

/* --- vectors.c --- */

/* The window is left through this frame: puts those vector registers into it that system calls of C
 * have not preserved. May not return. */
void ms_vectors_leave(struct ms_window *w, uint64_t *uc);
/* Memspy's signal has arrived. If it was sent to deliver a signal of the program through such a
 * frame, delivers that. */
void ms_vectors_arrived(struct ms_thread *t, uint64_t *uc);
/* Whether a thread with this frame can be traced. */
bool ms_vectors_can_go(const uint64_t *uc);

/* --- enter.S --- */

extern const uint8_t ms_glue_full[], ms_glue_link[], ms_glue_miss[], ms_glue_call[],
	ms_glue_changed[];
/* All registers hold the program's values, except for the thread register, where there is one. */
extern const uint8_t ms_glue_go[];
extern const uint8_t ms_signal_entry[], ms_call_ready[], ms_call_insn[], ms_call_done[];
extern const uint8_t ms_deliver_done[], ms_clone_done[];
/* 0: the call was made; 1: a signal is held, and the call was not made. */
int ms_call_program(struct ms_thread *t);
int ms_clone_program(struct ms_thread *t);
void ms_deliver_program(struct ms_thread *t);
/* rt_sigreturn with the program's stack pointer. */
_Noreturn void ms_sigreturn_program(struct ms_thread *t);
/* Calls f(a, b, address of the saved vector registers), and preserves vector registers. */
uint64_t ms_keep_vectors(uint64_t (*f)(void *, void *, const uint8_t *), void *a, void *b);

#endif
