/*
 * signals.c - the program's signal handlers while it is traced.
 *
 * The kernel calls ms_signal_entry in place of each of them, on memspy's alternate stack
 * (altstack.c), with the program's own mask and way back. Before the handler begins, the frame is
 * copied to where the kernel would have put it, and the handler is entered by returning from the
 * signal: registers, stack and mask change at once. A thread that is traced can be
 *
 *    in a system call     the frame is made true (registers, pc), the handler runs traced
 *    in a block, or in C  the signal is held, all others are blocked; at the block's end it is sent
 *                         to the thread again, with the mask as it was, and arrives as in a call
 *    at a fault           the block's registers are given back in the frame, the pc is the
 *                         program's, the handler runs traced
 *
 * One that is not, but was until it did what cannot be traced, is traced again from there on.
 *
 * Returning from a handler is the kernel's business too; it goes on where the frame says, by way of
 * ms_glue_go, traced. A handler that leaves by longjmp needs nothing: no state is kept.
 *
 * One signal is our own: a timer's that opens windows again (again.c), and where an architecture
 * has no other way, the one that a window is left by (context.c). When the program uses it too, it
 * gets all others.
 */
#include "tracer_priv.h"

#include "action.h"
#include "exec_signals.h"
#include "overflow.h"
#include "sigframe.h"

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

static struct ms_action actions[SIGNALS + 1]; /* the program's, where it has a handler */
/* The last that each had: another thread may take it away while the kernel calls it here. */
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

/* What the program has set stays. */
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
	if (ms_overflow_is(a.handler)) /* it stays where it is */
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

/* The program's are its own again; but for ours, which a window may be left by. */
void ms_signals_give_back(void)
{
	for (uint64_t s = 1; s <= SIGNALS; s++)
		if (s != MS_SIGNAL && has_handler(&actions[s]))
			ms_action_set(s, &actions[s], NULL);
}

/* The kernel copies what it is given before it looks which signal it is for. */
bool ms_signals_can_read(uint64_t address)
{
	return ms_action_set(SIG_KILL, (const struct ms_action *)address, NULL) != BAD_ADDRESS;
}

/* At old, if the program has a place there. */
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
		return 0; /* it stays ours */
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

/* How a signal has come. */
struct arrival {
	int signal;
	struct ms_info *info;
	uint64_t *uc;
	uint64_t ends; /* the address that its handler returns to */
	uint64_t mask; /* what is blocked while the handler runs */
};

/*
 * Enters the handler: by the frame of memspy's own stack, or where the kernel has put the frame
 * where it belongs (the thread has no stack of memspy's), at the address that this returns. traced:
 * the thread whose handler runs traced, or NULL.
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
	a->uc[MS_UC_MASK] = a->mask;
	if (traced != NULL)
		ms_context_go(traced, a->uc);
	return 0;
}

/* The handler runs traced. It may wait for its turn before. */
static uint64_t run_handler(struct ms_thread *t, const struct arrival *a)
{
	ms_window_come_out(t)->signals++;
	return enter(a, t);
}

/*
 * The thread ran natively since its window ended too soon, and perhaps came here by what ended it:
 * a trap, a jump to where there is no code. Its handler runs traced, and what it returns to.
 */
static uint64_t run_handler_again(struct ms_thread *t, struct arrival *a)
{
	struct ms_window *w = ms_window_of(t);

	/* The instruction itself: nothing went by. (int3 is shown behind itself.) */
	if (is_fault(a->info) && a->uc[MS_UC_PC] - w->pc <= 1)
		ms_sample_back(t);
	/* Others wait until ms_window_go() has opened the window. */
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
	uint64_t pc = uc[MS_UC_PC];
	bool done = pc == (uint64_t)ms_call_done;

	if (pc == (uint64_t)ms_deliver_done ||
	    (pc >= (uint64_t)ms_call_ready && pc <= (uint64_t)ms_call_insn) ||
	    (ms_calls_is_site(pc, &done) && !done)) {
		ms_context_true(w, uc, w->pc);
		return true;
	}
	if (!done)
		return false;
	w->regs[MS_REG_RESULT] = uc[MS_UC_RESULT];
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
 * Of the tracer's signal one of the program's has come: before all that wait, which go round behind
 * it, up to a mark. Of those that wait none of ours is wanted any more.
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

/* If another of its kind has come in between, that one is behind it now. */
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

/* A second signal may have come since this one did, and be held: then this one waits its turn. */
static uint64_t hold(struct ms_thread *t, const struct ms_info *info, uint64_t *uc)
{
	struct ms_window *w = ms_window_of(t);

	block_all();
	w->mask = uc[MS_UC_MASK]; /* the program's: the second one has returned, and saw ours */
	uc[MS_UC_MASK] |= ms_signals_held;
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
	const struct ms_site *site = ms_cache_site_at(a->uc[MS_UC_PC], &b);

	w->faults++;
	if (site == NULL)
		return enter(a, NULL); /* of code that is not the program's */
	ms_context_fault(w, b, site, a->uc);
	a->uc[MS_UC_PC] = site->pc;
	return run_handler(t, a);
}

/* --- our own --- */

/* Where one of the program's has come in the place of ours it waits, as the program has blocked it.
 */
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

/* t: NULL if the thread is not ours. True: it was for us. */
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
 * Another signal came before all were blocked: natively its handler would begin before the first
 * instruction of the other one's. It waits until that has been entered.
 */
static uint64_t defer(struct ms_altstack *altstack, const struct ms_info *info, uint64_t *uc)
{
	uint64_t bit = UINT64_C(1) << (info->signal - 1);
	long tid = ms_sys(__NR_gettid, 0, 0, 0, 0, 0, 0);

	if (is_fault(info)) /* memspy's own */
		ms_action_end_by((uint64_t)info->signal);
	altstack->deferred |= bit;
	uc[MS_UC_MASK] |= bit;
	if (ms_sys(__NR_rt_tgsigqueueinfo, pid(), tid, info->signal, (long)info, 0, 0) != 0)
		ms_sys(__NR_tgkill, pid(), tid, info->signal, 0, 0, 0);
	return 0;
}

/*
 * What is blocked while the handler runs: the kernel has blocked that, but for the signals that are
 * memspy's as well, with which all are. From here on nothing comes.
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
	mask = uc[MS_UC_MASK] | actions[signal].mask;
	return actions[signal].flags & MS_ACTION_NODEFER ? mask : mask | MS_OWN_BIT;
}

uint64_t ms_signals_arrive(int signal, struct ms_info *info, uint64_t *uc, uint64_t ends)
{
	struct ms_thread *t = ms_self(); /* or its maker's: see thread.c */

	if (ms_altstack_is_ours(t, uc[MS_UC_SP]))
		return defer(&t->altstack, info, uc);
	struct arrival a = { signal, info, uc, ends, mask_of(&t->altstack, signal, uc) };
	/* A child that borrows our memory (vfork) has all but its number from its parent. */
	if (ms_window_of(t)->tid != (uint64_t)ms_sys(__NR_gettid, 0, 0, 0, 0, 0, 0))
		t = NULL;
	if (t != NULL && t->pointer != ms_thread_pointer()) {
		/* The program has another thread's data in use (it changed fs): not now. */
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
	if (is_fault(info) && ms_cache_holds(uc[MS_UC_PC]))
		return fault(t, &a);
	if (in_call(t, uc))
		return run_handler(t, &a);
	return hold(t, info, uc);
}

/* --- between blocks --- */

void ms_signals_deliver(struct ms_thread *t)
{
	struct ms_window *w = ms_window_of(t);

	block_all(); /* or it would come back here at once */
	if (t->limit == 0)
		t->limit = w->held_limit;
	w->pending = 0;
	send_again(w, &w->held);
	ms_deliver_program(t);
}

/* Our own, too: the program may have blocked it, and one of it may wait. leave.c opens it. */
void ms_signals_release(struct ms_thread *t)
{
	static const uint64_t everything = ~0ull;
	struct ms_window *w = ms_window_of(t);
	uint64_t mask;

	ms_sys(__NR_rt_sigprocmask, SIG_SET, (long)&everything, (long)&mask, 8, 0, 0);
	if (w->pending != 0) { /* it has come since the last look: w->mask is the program's */
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

	/* The handler came natively, in the midst of our own code: there it goes on, natively. */
	if (ms_window_is_ours(uc[MS_UC_PC]))
		ms_window_end(t, MS_END_OWN);
	if (!ms_vectors_can_go(uc))
		ms_window_end(t, MS_END_INSTRUCTION);
	uc[MS_UC_MASK] |= ms_disguise_hides(t); /* it may have come between windows */
	block_all();
	if (w->pending != 0) /* held in the handler, delivered behind it */
		w->mask = uc[MS_UC_MASK];
	ms_context_go(t, uc);
	ms_altstack_return(t, uc);
	ms_sigreturn_program(t);
}
