/*
 * signals.c - the program's signal handlers while it is traced, and how a window is left.
 *
 * The kernel calls ms_signal_entry in place of each of them, with the program's own flags, mask and
 * way back, so that the frame on the stack is the one that the handler would see. A thread that is
 * traced can be
 *
 *    in a system call     the frame is made true (registers, pc), the handler runs traced
 *    in a block, or in C  the signal is held, all others are blocked; at the block's end it is sent
 *                         to the thread again, with the mask as it was, and arrives as in a call
 *    at a fault           the block's registers are given back in the frame, the pc is the
 *                         program's, the handler runs traced
 *
 * Returning from a handler is the kernel's business too; it goes on where the frame says, by way of
 * ms_glue_enter, traced. A handler that leaves by longjmp needs nothing: no state is kept.
 *
 * With all registers the program's there is none left to branch by. So a window is left by a signal
 * of our own to the thread, in whose frame the registers, flags, pc and mask are made the
 * program's; vector registers, of whatever length, the kernel keeps there itself.
 */
#include "tracer_priv.h"

enum {
	SIGNALS = 64,
	FLAG_INFO = 4,
	SIG_SET = 2,
	SIG_ILL = 4,
	SIG_TRAP = 5,
	SIG_BUS = 7,
	SIG_FPE = 8,
	SIG_KILL = 9,
	SIG_SEGV = 11,
	SIG_STOP = 19,
	SIG_SYS = 31,
	CODE_TIMER = -2,
};
static const uint64_t flag_reset = 0x80000000;
static const uint64_t faults = 1ull << (SIG_ILL - 1) | 1ull << (SIG_TRAP - 1) |
			       1ull << (SIG_BUS - 1) | 1ull << (SIG_FPE - 1) |
			       1ull << (SIG_SEGV - 1) | 1ull << (SIG_SYS - 1);
/* Of the processor's state: flags, and whence an indirect branch came. */
static const uint64_t state_flags = 0xf0000000, state_branch = 0xc00;

static struct ms_action actions[SIGNALS + 1]; /* the program's, where it has a handler */

static int64_t kernel_action(uint64_t signal, const struct ms_action *act, struct ms_action *old)
{
	return ms_sys(__NR_rt_sigaction, (long)signal, (long)act, (long)old, 8, 0, 0);
}

static long pid(void)
{
	return ms_sys(SYS_getpid, 0, 0, 0, 0, 0, 0);
}

/* --- which handlers there are --- */

static bool has_handler(const struct ms_action *a)
{
	return a->handler > 1;
}

static int64_t install(uint64_t signal, const struct ms_action *theirs)
{
	struct ms_action ours = *theirs;

	ours.handler = (uint64_t)ms_signal_entry;
	ours.flags = (ours.flags | FLAG_INFO) & ~flag_reset;
	return kernel_action(signal, &ours, NULL);
}

/* On no other stack: a window is left from C's own. */
static void install_own(void)
{
	static const struct ms_action own = { /* and restart */ .flags = FLAG_INFO | 0x10000000,
					      .mask = ~0ull };
	struct ms_action was;

	if (kernel_action(MS_SIGNAL, NULL, &was) != 0 || was.handler == (uint64_t)ms_signal_entry)
		return;
	actions[MS_SIGNAL] = was;
	install(MS_SIGNAL, &own);
}

/* What the program has set while it ran natively, or before us. */
static void take_over(void)
{
	for (uint64_t s = 1; s <= SIGNALS; s++) {
		struct ms_action a;

		if (s == MS_SIGNAL || kernel_action(s, NULL, &a) != 0 ||
		    a.handler == (uint64_t)ms_signal_entry)
			continue;
		actions[s] = has_handler(&a) ? a : (struct ms_action){ 0 };
		if (has_handler(&a))
			install(s, &a);
	}
	install_own();
}

void ms_signals_start(void)
{
	take_over();
}

static int64_t set_action(uint64_t signal, const struct ms_action *wanted)
{
	struct ms_action now = *wanted;

	actions[signal] = has_handler(&now) || signal == MS_SIGNAL ? now : (struct ms_action){ 0 };
	if (signal == MS_SIGNAL)
		return 0; /* it stays ours */
	return has_handler(&now) ? install(signal, &now) : kernel_action(signal, &now, NULL);
}

int64_t ms_signals_action(const uint64_t args[6])
{
	const struct ms_action *wanted = (const struct ms_action *)args[1];
	struct ms_action *old = (struct ms_action *)args[2], was;
	uint64_t signal = args[0];
	int64_t result = 0;

	if (signal < 1 || signal > SIGNALS || args[3] != 8 || signal == SIG_KILL ||
	    signal == SIG_STOP)
		return ms_sys(__NR_rt_sigaction, (long)args[0], (long)args[1], (long)args[2],
			      (long)args[3], 0, 0);
	was = actions[signal];
	if (!has_handler(&was) && signal != MS_SIGNAL)
		kernel_action(signal, NULL, &was);
	if (wanted != NULL)
		result = set_action(signal, wanted);
	if (result == 0 && old != NULL)
		*old = was;
	return result;
}

/* --- frames --- */

/* The frame shows what the program would have natively, at pc. */
static void make_true(const struct ms_window *w, uint64_t *uc, uint64_t pc)
{
	ms_copy(&uc[MS_UC_REGS], w->regs, 31 * 8);
	uc[MS_UC_SP] = w->regs[SP];
	uc[MS_UC_STATE] =
		(uc[MS_UC_STATE] & ~(state_flags | state_branch)) | (w->flags & state_flags);
	uc[MS_UC_PC] = pc;
}

static uint64_t handler_of(int signal)
{
	struct ms_action *a = &actions[signal];
	uint64_t handler = a->handler;
	struct ms_action none = { 0 };

	if (a->flags & flag_reset) {
		*a = none;
		kernel_action((uint64_t)signal, &none, NULL);
	}
	return handler;
}

/* The handler runs traced, on this frame. */
static uint64_t run_handler(struct ms_thread *t, int signal)
{
	struct ms_window *w = ms_window_of(t);

	w->signals++;
	w->pc = handler_of(signal);
	return (uint64_t)ms_glue_enter;
}

static bool in_call(struct ms_thread *t, uint64_t *uc)
{
	struct ms_window *w = ms_window_of(t);
	uint64_t pc = uc[MS_UC_PC];
	bool done = pc == (uint64_t)ms_call_done;

	if (pc == (uint64_t)ms_deliver_done ||
	    (pc >= (uint64_t)ms_call_ready && pc <= (uint64_t)ms_call_insn) ||
	    (ms_calls_is_site(pc, &done) && !done)) {
		make_true(w, uc, w->pc);
		return true;
	}
	if (!done)
		return false;
	w->regs[0] = uc[MS_UC_REGS];
	ms_calls_done(t);
	make_true(w, uc, w->pc);
	return true;
}

static void send_again(const struct ms_window *w, const struct ms_info *info)
{
	ms_sys(__NR_rt_tgsigqueueinfo, pid(), (long)w->tid, info->signal, (long)info, 0, 0);
}

static uint64_t hold(struct ms_thread *t, const struct ms_info *info, uint64_t *uc)
{
	struct ms_window *w = ms_window_of(t);

	if (w->pending != 0) { /* a second one: one that is not blocked */
		uc[MS_UC_MASK] |= 1ull << (info->signal - 1);
		send_again(w, info);
		return 0;
	}
	w->holds++;
	w->held = *info;
	w->mask = uc[MS_UC_MASK];
	w->pending = 1;
	uc[MS_UC_MASK] |= ~faults;
	if (t->limit != 0)
		w->held_limit = t->limit;
	t->limit = 0; /* the next block calls C */
	return 0;
}

static uint64_t fault(struct ms_thread *t, int signal, uint64_t *uc)
{
	struct ms_window *w = ms_window_of(t);
	struct ms_block *b;
	const struct ms_site *site = ms_cache_site_at(uc[MS_UC_PC], &b);

	w->faults++;
	if (site == NULL)
		return handler_of(signal); /* of code that is not the program's */
	for (uint32_t i = 0; i < 3 && site->state == MS_SITE_BODY; i++)
		if (b->taken[i] != NO_REG)
			uc[MS_UC_REGS + b->taken[i]] = w->spill[b->taken[i]];
	uc[MS_UC_REGS + MS_OURS] = w->regs[MS_OURS];
	uc[MS_UC_PC] = site->pc;
	return run_handler(t, signal);
}

/* --- our own signal --- */

/* What was interrupted goes on traced, if it is code that can be. */
static void open_again(struct ms_thread *t, uint64_t *uc)
{
	struct ms_window *w = ms_window_of(t);
	uint64_t start, end;

	if (t->busy || !ms_maps_is_stable(uc[MS_UC_PC], &start, &end) ||
	    ms_window_is_ours(uc[MS_UC_PC])) {
		ms_again_arm(t);
		return;
	}
	take_over();
	w->pc = uc[MS_UC_PC];
	w->regs[MS_OURS] = uc[MS_UC_REGS + MS_OURS];
	uc[MS_UC_REGS + MS_OURS] = (uint64_t)t;
	uc[MS_UC_PC] = (uint64_t)ms_glue_enter;
}

/* True: it was for us. */
static bool is_own(struct ms_thread *t, int signal, const struct ms_info *info, uint64_t *uc)
{
	static const struct ms_action none;

	if (signal != MS_SIGNAL)
		return false;
	if (t != NULL && t->traced == MS_LEAVING) {
		t->traced = 0;
		make_true(ms_window_of(t), uc, ms_window_of(t)->pc);
		uc[MS_UC_MASK] = ms_window_of(t)->mask;
		if (ms_window_of(t)->ended_early)
			ms_again_arm(t);
		return true;
	}
	if (info->code == CODE_TIMER && t != NULL && ms_window_of(t)->timer_made) {
		if (!t->traced && ms_on)
			open_again(t, uc);
		return true;
	}
	if (has_handler(&actions[signal]))
		return false;
	if (actions[signal].handler == 0) { /* it ends the program */
		kernel_action(MS_SIGNAL, &none, NULL);
		ms_sys(SYS_kill, pid(), MS_SIGNAL, 0, 0, 0, 0);
	}
	return true;
}

void ms_signals_leave(struct ms_thread *t)
{
	static const uint64_t all_but_ours = ~(1ull << (MS_SIGNAL - 1));
	struct ms_window *w = ms_window_of(t);
	uint64_t mask;

	ms_sys(__NR_rt_sigprocmask, SIG_SET, (long)&all_but_ours, (long)&mask, 8, 0, 0);
	if (w->pending != 0) { /* arrives when the program's mask lets it */
		w->pending = 0;
		send_again(w, &w->held);
	} else {
		w->mask = mask;
	}
	if (t->limit == 0)
		t->limit = w->held_limit;
	install_own();
	t->traced = MS_LEAVING;
	ms_sys(__NR_tgkill, pid(), (long)w->tid, MS_SIGNAL, 0, 0, 0);
	for (;;) /* it arrived in that call */
		ms_sys(__NR_tgkill, pid(), (long)w->tid, SIG_KILL, 0, 0, 0);
}

/* --- all signals --- */

uint64_t ms_signals_arrive(int signal, struct ms_info *info, uint64_t *uc)
{
	struct ms_thread *t = ms_self();

	/* A child that borrows our memory (vfork) has all but its number from its parent. */
	if (t->pointer != ms_thread_pointer() ||
	    ms_window_of(t)->tid != (uint64_t)ms_sys(__NR_gettid, 0, 0, 0, 0, 0, 0))
		t = NULL;
	if (is_own(t, signal, info, uc))
		return 0;
	if (t == NULL || t->traced == 0)
		return handler_of(signal);
	if (info->code > 0 && faults >> (signal - 1) & 1 && ms_cache_holds(uc[MS_UC_PC]))
		return fault(t, signal, uc);
	if (in_call(t, uc))
		return run_handler(t, signal);
	return hold(t, info, uc);
}

/* --- between blocks --- */

void ms_signals_deliver(struct ms_thread *t)
{
	struct ms_window *w = ms_window_of(t);

	if (t->limit == 0)
		t->limit = w->held_limit;
	w->pending = 0;
	send_again(w, &w->held);
	ms_deliver_program(t);
}

_Noreturn void ms_signals_return(struct ms_thread *t)
{
	enum { INFO_WORDS = 16 };
	struct ms_window *w = ms_window_of(t);
	uint64_t *uc = (uint64_t *)w->regs[SP] + INFO_WORDS;

	w->pc = uc[MS_UC_PC];
	uc[MS_UC_PC] = (uint64_t)ms_glue_enter;
	w->regs[MS_OURS] = uc[MS_UC_REGS + MS_OURS];
	uc[MS_UC_REGS + MS_OURS] = (uint64_t)t;
	ms_sigreturn_program(t);
}
