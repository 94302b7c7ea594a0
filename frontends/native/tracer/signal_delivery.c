/*
 * signal_delivery.c - the program's signal handlers while it is traced.
 *
 * The kernel calls ms_tracer_signal_entry instead of each handler, on memspy's alternate stack
 * (altstack.c), with the program's own mask and return address. Before the handler begins, the
 * frame is copied to where the kernel would have put it. The handler is entered by a return from
 * the signal, so registers, stack and mask change at once. A traced thread is in one of three
 * states:
 *
 *    in a system call     the frame gets the program's registers and pc; the handler runs traced
 *    in a block, or in C  the signal is held, all others are blocked; at the block's end it is sent
 *                         to the thread again, with the previous mask, and arrives as in a call
 *    at a fault           the frame gets the registers that the block uses and the program's pc;
 *                         the handler runs traced
 *
 * A thread that is untraced because it executed something that cannot be traced is traced again
 * from the handler on.
 *
 * The kernel also returns from handlers. The frame leads to ms_tracer_stub_dispatch, which
 * continues traced. A handler that leaves by longjmp needs no care, because no state is kept.
 *
 * One signal is memspy's own. A timer sends it to reopen windows (window_reopening.c); where an
 * architecture has no other way, it also leaves a window (window_exit.c). If the program uses the
 * same signal, it gets all other instances.
 */
#include "tracer/signal_delivery.h"

#include "arch.h"
#include "raw_syscall.h"
#include "runtime/hooks.h"
#include "runtime/lanes.h"
#include "runtime/thread_state.h"
#include "signals/altstack.h"
#include "signals/cpu_timer.h"
#include "signals/exec_signals.h"
#include "signals/signal_action.h"
#include "signals/signal_frame.h"
#include "signals/signal_overflow.h"
#include "tracer/arch_priv.h"
#include "tracer/code_cache.h"
#include "tracer/tracer.h"
#include "tracer/window.h"
#include "ucontext_layout.h"

enum {
	SIG_SET = 2,
	SIG_ILL = 4,
	SIG_TRAP = 5,
	SIG_BUS = 7,
	SIG_FPE = 8,
	SIG_SEGV = 11,
	SIG_SYS = 31,
};
#define FAULTS                                                                    \
	(1ull << (SIG_ILL - 1) | 1ull << (SIG_TRAP - 1) | 1ull << (SIG_BUS - 1) | \
	 1ull << (SIG_FPE - 1) | 1ull << (SIG_SEGV - 1) | 1ull << (SIG_SYS - 1))
static const uint64_t faults = FAULTS;
const uint64_t ms_tracer_held_signals = ~FAULTS;

uint64_t ms_tracer_get_signal_entry(void)
{
	return (uint64_t)ms_tracer_signal_entry;
}

static long pid(void)
{
	return ms_runtime_syscall(__NR_getpid, 0, 0, 0, 0, 0, 0);
}

/* --- frames --- */

static bool is_fault(const struct ms_tracer_siginfo *info)
{
	return info->code > 0 && faults >> (info->signal - 1) & 1;
}

/* One arrival of a signal. */
struct arrival {
	int signal;
	struct ms_tracer_siginfo *info;
	uint64_t *uc;
	uint64_t ends; /* the address that its handler returns to */
	uint64_t mask; /* what is blocked while the handler runs */
};

/*
 * Enters the handler. Usually the frame on memspy's own stack leads there. If the thread has no
 * such stack, the kernel has put the frame where it belongs, and the function returns the handler's
 * address. traced: the thread whose handler runs traced, or NULL.
 */
static uint64_t enter(const struct arrival *a, struct ms_runtime_thread *traced)
{
	uint64_t flags = ms_signals_get_shadow_action(a->signal)->flags,
		 handler = ms_signals_begin_handler(a->signal);
	uint64_t *copy = ms_signals_move_frame(ms_runtime_get_thread(), a->uc, flags, a->ends);

	if (copy == NULL) {
		ms_tracer_set_signal_mask(a->mask);
		if (traced == NULL)
			return handler;
		ms_tracer_get_window(traced)->pc = handler;
		return (uint64_t)ms_tracer_stub_dispatch;
	}
	ms_signals_enter_copied_frame(a->uc, copy, a->signal, handler, a->ends);
	a->uc[MS_SIGNALS_UCONTEXT_MASK] = a->mask;
	if (traced != NULL)
		ms_tracer_resume_traced(traced, a->uc);
	return 0;
}

/* The handler runs traced. It may first wait for its turn. */
static uint64_t run_handler(struct ms_runtime_thread *t, const struct arrival *a)
{
	ms_tracer_leave_cache(t)->signals++;
	return enter(a, t);
}

/*
 * The thread runs natively since its window ended too early. The event that ended the window may
 * have caused this signal: a trap, or a jump to an address without code. The handler runs traced,
 * and so does the code that it returns to.
 */
static uint64_t resume_in_handler(struct ms_runtime_thread *t, struct arrival *a)
{
	struct ms_tracer_window *w = ms_tracer_get_window(t);

	/* The pc is at the instruction that ended the window: nothing ran untraced. (int3 reports
	 * the pc after itself.) */
	if (is_fault(a->info) && a->uc[MS_SIGNALS_UCONTEXT_PC] - w->pc <= 1)
		ms_native_hooks.native_time_cancelled(t);
	/* Other signals stay blocked until ms_tracer_dispatch() has opened the window. */
	w->mask = a->mask | ms_signals_get_hidden_mask(t);
	a->mask |= ms_tracer_held_signals;
	t->traced = 1;
	w->opening = true;
	w->signals++;
	return enter(a, t);
}

static bool is_in_syscall(struct ms_runtime_thread *t, uint64_t *uc)
{
	struct ms_tracer_window *w = ms_tracer_get_window(t);
	uint64_t pc = uc[MS_SIGNALS_UCONTEXT_PC];
	bool done = pc == (uint64_t)ms_tracer_syscall_done;

	if (pc == (uint64_t)ms_tracer_deliver_done ||
	    (pc >= (uint64_t)ms_tracer_syscall_ready && pc <= (uint64_t)ms_tracer_syscall_insn) ||
	    (ms_tracer_is_clone_call(pc, &done) && !done)) {
		ms_tracer_show_native_context(w, uc, w->pc);
		return true;
	}
	if (!done)
		return false;
	w->regs[MS_TRACER_REG_RESULT] = uc[MS_SIGNALS_UCONTEXT_RESULT];
	ms_tracer_finish_syscall(t);
	ms_tracer_show_native_context(w, uc, w->pc);
	return true;
}

bool ms_tracer_queue_signal(const struct ms_tracer_window *w, const struct ms_tracer_siginfo *info)
{
	return ms_runtime_syscall(__NR_rt_tgsigqueueinfo, pid(), (long)w->tid, info->signal,
				  (long)info, 0, 0) == 0;
}

void ms_tracer_send_bare_signal(const struct ms_tracer_window *w, int signal)
{
	ms_tracer_queue_signal(w, &(struct ms_tracer_siginfo){ .signal = signal });
}

bool ms_tracer_is_bare_signal(const struct ms_tracer_siginfo *info)
{
	return info->code == 0 && info->rest[0] == 0;
}

static void requeue_signal(struct ms_tracer_window *w, const struct ms_tracer_siginfo *info)
{
	if (ms_tracer_queue_signal(w, info))
		return;
	w->refused = *info; /* before it can arrive */
	ms_tracer_send_bare_signal(w, info->signal);
}

/*
 * A signal of the program with memspy's number has arrived, before all pending ones. It is queued
 * again, so it must stay first: all pending ones are taken out and queued after it, up to a mark.
 * Pending signals of memspy are dropped, since they are not needed any more.
 */
static void requeue_first(struct ms_runtime_thread *t, const struct ms_tracer_siginfo *first)
{
	static const uint64_t at_once[2], own_bit = MS_TRACER_SIGNAL_BIT;
	struct ms_tracer_window *w = ms_tracer_get_window(t);
	struct ms_tracer_siginfo mark = { .signal = MS_SIGNALS_TRACER_SIGNAL,
					  .code = MS_TRACER_SI_QUEUE },
				 next;

	mark.rest[MS_TRACER_SI_VALUE_WORD] = (uint64_t)t + 1;
	bool marked = ms_tracer_queue_signal(w, &mark);
	requeue_signal(w, first);
	while (marked && ms_runtime_syscall(__NR_rt_sigtimedwait, (long)&own_bit, (long)&next,
					    (long)at_once, 8, 0, 0) > 0) {
		if (ms_tracer_is_reopen_signal(t, &next) || ms_tracer_is_leave_signal(t, &next))
			continue;
		if (next.code == mark.code &&
		    next.rest[MS_TRACER_SI_VALUE_WORD] == mark.rest[MS_TRACER_SI_VALUE_WORD])
			break;
		if (!ms_tracer_queue_signal(w, &next))
			ms_tracer_send_bare_signal(w, MS_SIGNALS_TRACER_SIGNAL);
	}
}

/* If another signal of the same number has arrived in between, it is queued after this one. */
static void restore_refused_info(struct ms_tracer_window *w, struct ms_tracer_siginfo *info)
{
	struct ms_tracer_siginfo came = *info;

	if (w->refused.signal != came.signal)
		return;
	*info = w->refused;
	w->refused.signal = 0;
	if (!ms_tracer_is_bare_signal(&came))
		requeue_signal(w, &came);
}

static void block_all(void)
{
	ms_runtime_syscall(__NR_rt_sigprocmask, 0, (long)&ms_tracer_held_signals, 0, 8, 0, 0);
}

uint64_t ms_tracer_block_signals(void)
{
	uint64_t mask = 0;

	ms_runtime_syscall(__NR_rt_sigprocmask, 0, (long)&ms_tracer_held_signals, (long)&mask, 8, 0,
			   0);
	return mask;
}

void ms_tracer_set_signal_mask(uint64_t mask)
{
	ms_runtime_syscall(__NR_rt_sigprocmask, SIG_SET, (long)&mask, 0, 8, 0, 0);
}

/* A second signal may have arrived since this one, and be held. Then this one waits. */
static uint64_t hold_signal(struct ms_runtime_thread *t, const struct ms_tracer_siginfo *info,
			    uint64_t *uc)
{
	struct ms_tracer_window *w = ms_tracer_get_window(t);

	block_all();
	w->mask = uc[MS_SIGNALS_UCONTEXT_MASK]; /* the program's mask: the second signal has
				     returned and has seen ours */
	uc[MS_SIGNALS_UCONTEXT_MASK] |= ms_tracer_held_signals;
	if (w->pending != 0) {
		requeue_signal(w, info);
		return 0;
	}
	w->holds++;
	w->held = *info;
	w->pending = 1;
	if (t->limit != 0)
		w->held_limit = t->limit;
	t->limit = 0; /* the next block calls C */
	return 0;
}

static uint64_t handle_fault(struct ms_runtime_thread *t, const struct arrival *a)
{
	struct ms_tracer_window *w = ms_tracer_get_window(t);
	struct ms_tracer_block *b;
	const struct ms_tracer_insn_site *site =
		ms_tracer_find_site(a->uc[MS_SIGNALS_UCONTEXT_PC], &b);

	w->faults++;
	if (site == NULL)
		return enter(a, NULL); /* a fault in code that is not the program's */
	ms_tracer_show_fault_context(w, b, site, a->uc);
	a->uc[MS_SIGNALS_UCONTEXT_PC] = site->pc;
	return run_handler(t, a);
}

/* --- our own --- */

/* A signal of the program has arrived instead of memspy's. It stays pending, since the program has
 * blocked it. */
static bool is_program_signal_instead(struct ms_runtime_thread *t,
				      const struct ms_tracer_siginfo *info, uint64_t *uc)
{
	bool leaves = ms_tracer_is_leaving(t);

	if (!leaves && !ms_tracer_give_up_reopen(t, uc))
		return false;
	requeue_first(t, info);
	if (leaves)
		ms_tracer_handle_leave_signal(t, uc);
	return true;
}

static bool handle_own_signal(struct ms_runtime_thread *t, const struct ms_tracer_siginfo *info,
			      uint64_t *uc)
{
	if (ms_tracer_is_leave_signal(t, info))
		ms_tracer_handle_leave_signal(t, uc);
	else if (ms_tracer_is_reopen_signal(t, info))
		ms_tracer_handle_reopen_signal(t, uc);
	else
		return is_program_signal_instead(t, info, uc);
	return true;
}

/* t: NULL if memspy does not trace the thread. True: the signal was memspy's. */
static bool is_own_signal(struct ms_runtime_thread *t, int signal,
			  const struct ms_tracer_siginfo *info, uint64_t *uc)
{
	if (signal != MS_SIGNALS_TRACER_SIGNAL)
		return false;
	if (t != NULL && handle_own_signal(t, info, uc))
		return true;
	if (ms_signals_has_handler(ms_signals_get_shadow_action(signal)))
		return false;
	if (ms_signals_get_shadow_action(signal)->handler == 0)
		ms_signals_end_program_by(MS_SIGNALS_TRACER_SIGNAL);
	return true;
}

/* --- all signals --- */

/*
 * Another signal arrived before all were blocked. Natively its handler would begin before the first
 * instruction of the first signal's handler. Here it waits until that handler has been entered.
 */
static uint64_t defer_signal(struct ms_signals_altstack *altstack,
			     const struct ms_tracer_siginfo *info, uint64_t *uc)
{
	uint64_t bit = UINT64_C(1) << (info->signal - 1);
	long tid = ms_runtime_syscall(__NR_gettid, 0, 0, 0, 0, 0, 0);

	if (is_fault(info)) /* a fault of memspy itself */
		ms_signals_end_program_by((uint64_t)info->signal);
	altstack->deferred |= bit;
	uc[MS_SIGNALS_UCONTEXT_MASK] |= bit;
	if (ms_runtime_syscall(__NR_rt_tgsigqueueinfo, pid(), tid, info->signal, (long)info, 0,
			       0) != 0)
		ms_runtime_syscall(__NR_tgkill, pid(), tid, info->signal, 0, 0, 0);
	return 0;
}

/*
 * The signals that are blocked while the handler runs. The kernel has blocked exactly these, except
 * for signals that memspy uses as well: with them it blocks all. From here on no signal arrives.
 */
static uint64_t find_handler_mask(struct ms_signals_altstack *altstack, int signal,
				  const uint64_t *uc)
{
	static const uint64_t everything = ~0ull;
	uint64_t mask = 0;

	ms_runtime_syscall(__NR_rt_sigprocmask, 0, (long)&everything, (long)&mask, 8, 0, 0);
	mask &= ~altstack->deferred;
	altstack->deferred = 0;
	if (signal != MS_SIGNALS_TRACER_SIGNAL)
		return mask;
	mask = uc[MS_SIGNALS_UCONTEXT_MASK] | ms_signals_get_shadow_action(signal)->mask;
	return ms_signals_get_shadow_action(signal)->flags & MS_SIGNALS_ACTION_NODEFER
		       ? mask
		       : mask | MS_TRACER_SIGNAL_BIT;
}

uint64_t ms_tracer_handle_signal(int signal, struct ms_tracer_siginfo *info, uint64_t *uc,
				 uint64_t ends)
{
	struct ms_runtime_thread *t = ms_runtime_get_thread(); /* or its creator's: see threads.c */

	if (ms_signals_is_on_memspy_stack(t, uc[MS_SIGNALS_UCONTEXT_SP]))
		return defer_signal(ms_signals_get_altstack(t), info, uc);
	struct arrival a = { signal, info, uc, ends,
			     find_handler_mask(ms_signals_get_altstack(t), signal, uc) };
	/*
	 * A child that shares our memory (vfork) has everything but its thread id from its parent.
	 */
	if (ms_tracer_get_window(t)->tid !=
	    (uint64_t)ms_runtime_syscall(__NR_gettid, 0, 0, 0, 0, 0, 0))
		t = NULL;
	if (t != NULL && t->thread_pointer != ms_runtime_get_thread_pointer()) {
		/* The program uses another thread's pointer (it changed fs): try again
		 * later. */
		if (signal == MS_SIGNALS_TRACER_SIGNAL && ms_tracer_is_reopen_signal(t, info)) {
			ms_tracer_schedule_reopen(t);
			return 0;
		}
		t = NULL;
	}
	if (is_own_signal(t, signal, info, uc))
		return 0;
	if (t != NULL)
		restore_refused_info(ms_tracer_get_window(t), info);
	if (t != NULL && ms_tracer_is_in_untraced_time(t) &&
	    ms_signals_has_handler(ms_signals_get_shadow_action(signal)))
		return resume_in_handler(t, &a);
	if (t == NULL || t->traced == 0)
		return enter(&a, NULL);
	if (is_fault(info) && ms_tracer_is_in_cache(uc[MS_SIGNALS_UCONTEXT_PC]))
		return handle_fault(t, &a);
	if (is_in_syscall(t, uc))
		return run_handler(t, &a);
	return hold_signal(t, info, uc);
}

/* --- between blocks --- */

void ms_tracer_deliver_held(struct ms_runtime_thread *t)
{
	struct ms_tracer_window *w = ms_tracer_get_window(t);

	block_all(); /* otherwise it would arrive here at once */
	ms_runtime_restore_limit(t, w->held_limit);
	w->pending = 0;
	requeue_signal(w, &w->held);
	ms_tracer_deliver_pending(t);
}

/* Blocks memspy's signal, too: the program may have blocked it, and one may be pending.
 * window_exit.c unblocks it. */
void ms_tracer_release_held(struct ms_runtime_thread *t)
{
	static const uint64_t everything = ~0ull;
	struct ms_tracer_window *w = ms_tracer_get_window(t);
	uint64_t mask;

	ms_runtime_syscall(__NR_rt_sigprocmask, SIG_SET, (long)&everything, (long)&mask, 8, 0, 0);
	if (w->pending != 0) { /* it arrived since the last check: w->mask is the program's */
		w->pending = 0;
		requeue_signal(w, &w->held);
	} else {
		w->mask = mask;
	}
	ms_runtime_restore_limit(t, w->held_limit);
}

_Noreturn void ms_tracer_emulate_sigreturn(struct ms_runtime_thread *t)
{
	struct ms_tracer_window *w = ms_tracer_get_window(t);
	uint64_t *uc = (uint64_t *)w->regs[MS_TRACER_REG_SP] + MS_TRACER_FRAME_CONTEXT;

	/* The handler interrupted native code of the runtime, which continues natively. */
	if (ms_tracer_is_runtime_code(uc[MS_SIGNALS_UCONTEXT_PC]))
		ms_tracer_end_window(t, MS_TRACER_END_OWN);
	if (!ms_tracer_can_trace_vectors(uc))
		ms_tracer_end_window(t, MS_TRACER_END_INSTRUCTION);
	uc[MS_SIGNALS_UCONTEXT_MASK] |=
		ms_signals_get_hidden_mask(t); /* the handler may have begun between windows */
	block_all();
	if (w->pending != 0) /* held in the handler, delivered after it */
		w->mask = uc[MS_SIGNALS_UCONTEXT_MASK];
	ms_tracer_resume_traced(t, uc);
	ms_signals_keep_altstack_at_return(t, uc);
	ms_tracer_call_sigreturn(t);
}
