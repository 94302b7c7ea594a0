/*
 * signals.c - the program's signal handlers while it is traced.
 *
 * The kernel calls ms_signal_entry instead of each handler, on memspy's alternate stack
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
 * The kernel also returns from handlers. The frame leads to ms_glue_go, which continues traced. A
 * handler that leaves by longjmp needs no care, because no state is kept.
 *
 * One signal is memspy's own. A timer sends it to reopen windows (again.c); where an architecture
 * has no other way, it also leaves a window (leave.c). If the program uses the same signal, it gets
 * all other instances.
 */
#include "action.h"
#include "altstack.h"
#include "arch.h"
#include "exec_signals.h"
#include "overflow.h"
#include "runtime/thread_state.h"
#include "sample.h"
#include "sigframe.h"
#include "sys.h"
#include "timer.h"
#include "tracer.h"
#include "tracer/arch_priv.h"
#include "tracer/code_cache.h"
#include "tracer/signal_delivery.h"
#include "tracer/window.h"
#include "ucontext.h"

enum {
	SIGNALS = 64,
	SIG_SET = 2,
	SIG_ILL = 4,
	SIG_TRAP = 5,
	SIG_BUS = 7,
	SIG_FPE = 8,
	SIG_KILL = 9,
	SIG_SEGV = 11,
	SIG_STOP = 19,
	SIG_SYS = 31,
	BAD_ADDRESS = -14,
};
#define FAULTS                                                                    \
	(1ull << (SIG_ILL - 1) | 1ull << (SIG_TRAP - 1) | 1ull << (SIG_BUS - 1) | \
	 1ull << (SIG_FPE - 1) | 1ull << (SIG_SEGV - 1) | 1ull << (SIG_SYS - 1))
static const uint64_t faults = FAULTS;
const uint64_t ms_signals_held = ~FAULTS;

static struct ms_action actions[SIGNALS + 1]; /* of the program, for signals with a handler */
/*
 * The last handler of each signal: another thread may remove it while the kernel calls the entry.
 */
static uint64_t handlers[SIGNALS + 1];

static long pid(void)
{
	return ms_sys(__NR_getpid, 0, 0, 0, 0, 0, 0);
}

/* --- which handlers there are --- */

static bool has_handler(const struct ms_action *a)
{
	return a->handler > 1;
}

uint64_t ms_tracer_entry(void)
{
	return (uint64_t)ms_signal_entry;
}

uint64_t ms_tracer_entry_flags(uint64_t flags)
{
	return (flags | MS_ACTION_INFO | MS_ACTION_ONSTACK) & ~MS_ACTION_RESET;
}

void ms_tracer_record(uint64_t signal, const struct ms_action *action)
{
	actions[signal] = *action;
	if (has_handler(action))
		handlers[signal] = action->handler;
}

static int64_t install(uint64_t signal, const struct ms_action *theirs)
{
	struct ms_action ours = *theirs;

	handlers[signal] = theirs->handler;
	ours.handler = (uint64_t)ms_signal_entry;
	ours.flags = ms_tracer_entry_flags(ours.flags);
	return ms_action_set(signal, &ours, NULL);
}

void ms_signals_own(void)
{
	const struct ms_action own = ms_action_ours((uint64_t)ms_signal_entry);
	struct ms_action was;

	if (ms_action_set(MS_SIGNAL, NULL, &was) != 0 || was.handler == (uint64_t)ms_signal_entry ||
	    ms_exec_signals_are_given())
		return;
	actions[MS_SIGNAL] = was;
	ms_exec_signals_set(was.handler);
	ms_action_set(MS_SIGNAL, &own, NULL);
}

bool ms_tracer_ignores(void)
{
	return actions[MS_SIGNAL].handler == 1;
}

/* The program's action stays recorded. */
void ms_tracer_take_back(void)
{
	const struct ms_action own = ms_action_ours((uint64_t)ms_signal_entry);

	ms_action_set(MS_SIGNAL, &own, NULL);
}

void ms_tracer_take(uint64_t signal)
{
	struct ms_action a;

	if (signal == MS_SIGNAL || (signal == MS_TIMER_SIGNAL && ms_timer_is_on()) ||
	    ms_action_set(signal, NULL, &a) != 0 || a.handler == (uint64_t)ms_signal_entry)
		return;
	if (ms_overflow_is(a.handler)) /* the overflow handler stays installed */
		a = (struct ms_action){ 0 };
	actions[signal] = has_handler(&a) ? a : (struct ms_action){ 0 };
	if (has_handler(&a))
		install(signal, &a);
}

bool ms_tracer_action_of(uint64_t signal, struct ms_action *was)
{
	struct ms_action a;

	if (signal < 1 || signal > SIGNALS || ms_action_set(signal, NULL, &a) != 0 ||
	    a.handler != (uint64_t)ms_signal_entry)
		return false;
	*was = actions[signal];
	return true;
}

void ms_signals_start(void)
{
	for (uint64_t s = 1; s <= SIGNALS; s++)
		ms_tracer_take(s);
	ms_signals_own();
}

/* Restores the program's handlers, except for memspy's signal, which may be needed to leave a
 * window. */
void ms_signals_give_back(void)
{
	for (uint64_t s = 1; s <= SIGNALS; s++)
		if (s != MS_SIGNAL && has_handler(&actions[s]))
			ms_action_set(s, &actions[s], NULL);
}

/* The kernel copies the action before it checks the signal's number. */
bool ms_signals_can_read(uint64_t address)
{
	return ms_action_set(SIG_KILL, (const struct ms_action *)address, NULL) != BAD_ADDRESS;
}

/* Writes the old action, if the address is writable. */
static int64_t put_old(struct ms_action *old, const struct ms_action *was)
{
	if (old == NULL)
		return 0;
	if (ms_action_set(SIG_KILL, NULL, old) != 0)
		return BAD_ADDRESS;
	*old = *was;
	return 0;
}

static int64_t set_action(uint64_t signal, struct ms_action now)
{
	actions[signal] = has_handler(&now) || signal == MS_SIGNAL ? now : (struct ms_action){ 0 };
	if (signal == MS_SIGNAL) {
		ms_exec_signals_set(now.handler);
		return 0; /* the kernel keeps memspy's handler */
	}
	if (has_handler(&now))
		return install(signal, &now);
	if (ms_overflow_takes(signal, now.handler))
		now = ms_overflow_ours();
	return ms_action_set(signal, &now, NULL);
}

int64_t ms_signals_action(const uint64_t args[6])
{
	const struct ms_action *wanted = (const struct ms_action *)args[1];
	uint64_t signal = args[0];
	struct ms_action was;
	int64_t result;

	if (signal < 1 || signal > SIGNALS || args[3] != 8 || signal == SIG_KILL ||
	    signal == SIG_STOP)
		return ms_sys(__NR_rt_sigaction, (long)args[0], (long)args[1], (long)args[2],
			      (long)args[3], 0, 0);
	if (wanted != NULL && !ms_signals_can_read(args[1]))
		return BAD_ADDRESS;
	if (signal == MS_TIMER_SIGNAL && ms_timer_is_on())
		return ms_timer_action(args);
	was = actions[signal];
	if (!has_handler(&was) && signal != MS_SIGNAL)
		ms_action_set(signal, NULL, &was);
	if (ms_overflow_is(was.handler))
		was = (struct ms_action){ 0 };
	if (wanted != NULL) {
		result = set_action(signal, *wanted);
		if (result != 0)
			return result;
	}
	return put_old((struct ms_action *)args[2], &was);
}

int64_t ms_tracer_own_action(const uint64_t args[6])
{
	ms_signals_own();
	return ms_signals_action(args);
}

/* --- frames --- */

static uint64_t handler_of(int signal)
{
	const struct ms_action now = actions[signal];

	if (now.flags & MS_ACTION_RESET)
		set_action((uint64_t)signal, (struct ms_action){ 0 });
	return has_handler(&now) ? now.handler : handlers[signal];
}

static bool is_fault(const struct ms_info *info)
{
	return info->code > 0 && faults >> (info->signal - 1) & 1;
}

/* One arrival of a signal. */
struct arrival {
	int signal;
	struct ms_info *info;
	uint64_t *uc;
	uint64_t ends; /* the address that its handler returns to */
	uint64_t mask; /* what is blocked while the handler runs */
};

/*
 * Enters the handler. Usually the frame on memspy's own stack leads there. If the thread has no
 * such stack, the kernel has put the frame where it belongs, and the function returns the handler's
 * address. traced: the thread whose handler runs traced, or NULL.
 */
static uint64_t enter(const struct arrival *a, struct ms_thread *traced)
{
	uint64_t flags = actions[a->signal].flags, handler = handler_of(a->signal);
	uint64_t *copy = ms_altstack_move(ms_self(), a->uc, flags, a->ends);

	if (copy == NULL) {
		ms_signals_unblock(a->mask);
		if (traced == NULL)
			return handler;
		ms_window_of(traced)->pc = handler;
		return (uint64_t)ms_glue_go;
	}
	ms_sigframe_enter(a->uc, copy, a->signal, handler, a->ends);
	a->uc[MS_UCONTEXT_MASK] = a->mask;
	if (traced != NULL)
		ms_context_go(traced, a->uc);
	return 0;
}

/* The handler runs traced. It may first wait for its turn. */
static uint64_t run_handler(struct ms_thread *t, const struct arrival *a)
{
	ms_window_come_out(t)->signals++;
	return enter(a, t);
}

/*
 * The thread runs natively since its window ended too early. The event that ended the window may
 * have caused this signal: a trap, or a jump to an address without code. The handler runs traced,
 * and so does the code that it returns to.
 */
static uint64_t run_handler_again(struct ms_thread *t, struct arrival *a)
{
	struct ms_window *w = ms_window_of(t);

	/* The pc is at the instruction that ended the window: nothing ran untraced. (int3 reports
	 * the pc after itself.) */
	if (is_fault(a->info) && a->uc[MS_UCONTEXT_PC] - w->pc <= 1)
		ms_sample_back(t);
	/* Other signals stay blocked until ms_window_go() has opened the window. */
	w->mask = a->mask | ms_disguise_hides(t);
	a->mask |= ms_signals_held;
	t->traced = 1;
	w->opening = true;
	w->signals++;
	return enter(a, t);
}

static bool in_call(struct ms_thread *t, uint64_t *uc)
{
	struct ms_window *w = ms_window_of(t);
	uint64_t pc = uc[MS_UCONTEXT_PC];
	bool done = pc == (uint64_t)ms_call_done;

	if (pc == (uint64_t)ms_deliver_done ||
	    (pc >= (uint64_t)ms_call_ready && pc <= (uint64_t)ms_call_insn) ||
	    (ms_calls_is_site(pc, &done) && !done)) {
		ms_context_true(w, uc, w->pc);
		return true;
	}
	if (!done)
		return false;
	w->regs[MS_REG_RESULT] = uc[MS_SIGNALS_UCONTEXT_RESULT];
	ms_calls_done(t);
	ms_context_true(w, uc, w->pc);
	return true;
}

bool ms_signals_queue(const struct ms_window *w, const struct ms_info *info)
{
	return ms_sys(__NR_rt_tgsigqueueinfo, pid(), (long)w->tid, info->signal, (long)info, 0,
		      0) == 0;
}

void ms_signals_send_bare(const struct ms_window *w, int signal)
{
	ms_signals_queue(w, &(struct ms_info){ .signal = signal });
}

bool ms_signals_is_bare(const struct ms_info *info)
{
	return info->code == 0 && info->rest[0] == 0;
}

static void send_again(struct ms_window *w, const struct ms_info *info)
{
	if (ms_signals_queue(w, info))
		return;
	w->refused = *info; /* before it can arrive */
	ms_signals_send_bare(w, info->signal);
}

/*
 * A signal of the program with memspy's number has arrived, before all pending ones. It is queued
 * again, so it must stay first: all pending ones are taken out and queued after it, up to a mark.
 * Pending signals of memspy are dropped, since they are not needed any more.
 */
static void send_first_again(struct ms_thread *t, const struct ms_info *first)
{
	static const uint64_t at_once[2], own_bit = MS_OWN_BIT;
	struct ms_window *w = ms_window_of(t);
	struct ms_info mark = { .signal = MS_SIGNAL, .code = MS_INFO_QUEUED }, next;

	mark.rest[MS_INFO_VALUE] = (uint64_t)t + 1;
	bool marked = ms_signals_queue(w, &mark);
	send_again(w, first);
	while (marked && ms_sys(__NR_rt_sigtimedwait, (long)&own_bit, (long)&next, (long)at_once, 8,
				0, 0) > 0) {
		if (ms_again_is(t, &next) || ms_leave_is(t, &next))
			continue;
		if (next.code == mark.code && next.rest[MS_INFO_VALUE] == mark.rest[MS_INFO_VALUE])
			break;
		if (!ms_signals_queue(w, &next))
			ms_signals_send_bare(w, MS_SIGNAL);
	}
}

/* If another signal of the same number has arrived in between, it is queued after this one. */
static void say_what_was_refused(struct ms_window *w, struct ms_info *info)
{
	struct ms_info came = *info;

	if (w->refused.signal != came.signal)
		return;
	*info = w->refused;
	w->refused.signal = 0;
	if (!ms_signals_is_bare(&came))
		send_again(w, &came);
}

static void block_all(void)
{
	ms_sys(__NR_rt_sigprocmask, 0, (long)&ms_signals_held, 0, 8, 0, 0);
}

uint64_t ms_signals_block(void)
{
	uint64_t mask = 0;

	ms_sys(__NR_rt_sigprocmask, 0, (long)&ms_signals_held, (long)&mask, 8, 0, 0);
	return mask;
}

void ms_signals_unblock(uint64_t mask)
{
	ms_sys(__NR_rt_sigprocmask, SIG_SET, (long)&mask, 0, 8, 0, 0);
}

/* A second signal may have arrived since this one, and be held. Then this one waits. */
static uint64_t hold(struct ms_thread *t, const struct ms_info *info, uint64_t *uc)
{
	struct ms_window *w = ms_window_of(t);

	block_all();
	w->mask = uc[MS_UCONTEXT_MASK]; /* the program's mask: the second signal has returned and
				     has seen ours */
	uc[MS_UCONTEXT_MASK] |= ms_signals_held;
	if (w->pending != 0) {
		send_again(w, info);
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

static uint64_t fault(struct ms_thread *t, const struct arrival *a)
{
	struct ms_window *w = ms_window_of(t);
	struct ms_block *b;
	const struct ms_site *site = ms_cache_site_at(a->uc[MS_UCONTEXT_PC], &b);

	w->faults++;
	if (site == NULL)
		return enter(a, NULL); /* a fault in code that is not the program's */
	ms_context_fault(w, b, site, a->uc);
	a->uc[MS_UCONTEXT_PC] = site->pc;
	return run_handler(t, a);
}

/* --- our own --- */

/* A signal of the program has arrived instead of memspy's. It stays pending, since the program has
 * blocked it. */
static bool is_theirs_for_ours(struct ms_thread *t, const struct ms_info *info, uint64_t *uc)
{
	bool leaves = ms_leave_is_due(t);

	if (!leaves && !ms_again_gives_up(t, uc))
		return false;
	send_first_again(t, info);
	if (leaves)
		ms_leave_arrived(t, uc);
	return true;
}

static bool is_for(struct ms_thread *t, const struct ms_info *info, uint64_t *uc)
{
	if (ms_leave_is(t, info))
		ms_leave_arrived(t, uc);
	else if (ms_again_is(t, info))
		ms_again_arrive(t, uc);
	else
		return is_theirs_for_ours(t, info, uc);
	return true;
}

/* t: NULL if memspy does not trace the thread. True: the signal was memspy's. */
static bool is_own(struct ms_thread *t, int signal, const struct ms_info *info, uint64_t *uc)
{
	if (signal != MS_SIGNAL)
		return false;
	if (t != NULL && is_for(t, info, uc))
		return true;
	if (has_handler(&actions[signal]))
		return false;
	if (actions[signal].handler == 0)
		ms_action_end_by(MS_SIGNAL);
	return true;
}

/* --- all signals --- */

/*
 * Another signal arrived before all were blocked. Natively its handler would begin before the first
 * instruction of the first signal's handler. Here it waits until that handler has been entered.
 */
static uint64_t defer(struct ms_altstack *altstack, const struct ms_info *info, uint64_t *uc)
{
	uint64_t bit = UINT64_C(1) << (info->signal - 1);
	long tid = ms_sys(__NR_gettid, 0, 0, 0, 0, 0, 0);

	if (is_fault(info)) /* a fault of memspy itself */
		ms_action_end_by((uint64_t)info->signal);
	altstack->deferred |= bit;
	uc[MS_UCONTEXT_MASK] |= bit;
	if (ms_sys(__NR_rt_tgsigqueueinfo, pid(), tid, info->signal, (long)info, 0, 0) != 0)
		ms_sys(__NR_tgkill, pid(), tid, info->signal, 0, 0, 0);
	return 0;
}

/*
 * The signals that are blocked while the handler runs. The kernel has blocked exactly these, except
 * for signals that memspy uses as well: with them it blocks all. From here on no signal arrives.
 */
static uint64_t mask_of(struct ms_altstack *altstack, int signal, const uint64_t *uc)
{
	static const uint64_t everything = ~0ull;
	uint64_t mask = 0;

	ms_sys(__NR_rt_sigprocmask, 0, (long)&everything, (long)&mask, 8, 0, 0);
	mask &= ~altstack->deferred;
	altstack->deferred = 0;
	if (signal != MS_SIGNAL)
		return mask;
	mask = uc[MS_UCONTEXT_MASK] | actions[signal].mask;
	return actions[signal].flags & MS_ACTION_NODEFER ? mask : mask | MS_OWN_BIT;
}

uint64_t ms_signals_arrive(int signal, struct ms_info *info, uint64_t *uc, uint64_t ends)
{
	struct ms_thread *t = ms_self(); /* or its creator's: see thread.c */

	if (ms_altstack_is_ours(t, uc[MS_UCONTEXT_SP]))
		return defer(&t->altstack, info, uc);
	struct arrival a = { signal, info, uc, ends, mask_of(&t->altstack, signal, uc) };
	/*
	 * A child that shares our memory (vfork) has everything but its thread id from its parent.
	 */
	if (ms_window_of(t)->tid != (uint64_t)ms_sys(__NR_gettid, 0, 0, 0, 0, 0, 0))
		t = NULL;
	if (t != NULL && t->pointer != ms_thread_pointer()) {
		/* The program uses another thread's pointer (it changed fs): try again later. */
		if (signal == MS_SIGNAL && ms_again_is(t, info)) {
			ms_again_arm(t);
			return 0;
		}
		t = NULL;
	}
	if (is_own(t, signal, info, uc))
		return 0;
	if (t != NULL)
		say_what_was_refused(ms_window_of(t), info);
	if (t != NULL && ms_blind_is(t) && has_handler(&actions[signal]))
		return run_handler_again(t, &a);
	if (t == NULL || t->traced == 0)
		return enter(&a, NULL);
	if (is_fault(info) && ms_cache_holds(uc[MS_UCONTEXT_PC]))
		return fault(t, &a);
	if (in_call(t, uc))
		return run_handler(t, &a);
	return hold(t, info, uc);
}

/* --- between blocks --- */

void ms_signals_deliver(struct ms_thread *t)
{
	struct ms_window *w = ms_window_of(t);

	block_all(); /* otherwise it would arrive here at once */
	if (t->limit == 0)
		t->limit = w->held_limit;
	w->pending = 0;
	send_again(w, &w->held);
	ms_deliver_program(t);
}

/* Blocks memspy's signal, too: the program may have blocked it, and one may be pending. leave.c
 * unblocks it. */
void ms_signals_release(struct ms_thread *t)
{
	static const uint64_t everything = ~0ull;
	struct ms_window *w = ms_window_of(t);
	uint64_t mask;

	ms_sys(__NR_rt_sigprocmask, SIG_SET, (long)&everything, (long)&mask, 8, 0, 0);
	if (w->pending != 0) { /* it arrived since the last check: w->mask is the program's */
		w->pending = 0;
		send_again(w, &w->held);
	} else {
		w->mask = mask;
	}
	if (t->limit == 0)
		t->limit = w->held_limit;
}

_Noreturn void ms_signals_return(struct ms_thread *t)
{
	struct ms_window *w = ms_window_of(t);
	uint64_t *uc = (uint64_t *)w->regs[MS_REG_SP] + MS_FRAME_CONTEXT;

	/* The handler interrupted native code of the runtime, which continues natively. */
	if (ms_window_is_ours(uc[MS_UCONTEXT_PC]))
		ms_window_end(t, MS_END_OWN);
	if (!ms_vectors_can_go(uc))
		ms_window_end(t, MS_END_INSTRUCTION);
	uc[MS_UCONTEXT_MASK] |=
		ms_disguise_hides(t); /* the handler may have begun between windows */
	block_all();
	if (w->pending != 0) /* held in the handler, delivered after it */
		w->mask = uc[MS_UCONTEXT_MASK];
	ms_context_go(t, uc);
	ms_altstack_return(t, uc);
	ms_sigreturn_program(t);
}
