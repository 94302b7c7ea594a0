/*
 * signals.c - the program's signal handlers while it is traced.
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
 * ms_glue_go, traced. A handler that leaves by longjmp needs nothing: no state is kept.
 */
#include "tracer_priv.h"

struct action { /* the kernel's struct sigaction */
	uint64_t handler, flags, restorer, mask;
};

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
	BAD_ADDRESS = -14,
};
static const uint64_t flag_reset = 0x80000000;
static const uint64_t faults = 1ull << (SIG_ILL - 1) | 1ull << (SIG_TRAP - 1) |
			       1ull << (SIG_BUS - 1) | 1ull << (SIG_FPE - 1) |
			       1ull << (SIG_SEGV - 1) | 1ull << (SIG_SYS - 1);

/* Words of a ucontext. */
enum { UC_REGS = 5, UC_RIP = 21, UC_FLAGS = 22, UC_MASK = 37 };
static const uint8_t uc_order[16] = { R8,  R9,  R10, R11, R12, R13, R14, R15,
				      RDI, RSI, RBP, RBX, RDX, RAX, RCX, RSP };

static struct action actions[SIGNALS + 1]; /* the program's, where it has a handler */

static int64_t kernel_action(uint64_t signal, const struct action *act, struct action *old)
{
	return ms_sys(__NR_rt_sigaction, (long)signal, (long)act, (long)old, 8, 0, 0);
}

/* --- which handlers there are --- */

static bool has_handler(const struct action *a)
{
	return a->handler > 1;
}

static int64_t install(uint64_t signal, const struct action *theirs)
{
	struct action ours = *theirs;

	ours.handler = (uint64_t)ms_signal_entry;
	ours.flags = (ours.flags | FLAG_INFO) & ~flag_reset;
	return kernel_action(signal, &ours, NULL);
}

void ms_signals_start(void)
{
	for (uint64_t s = 1; s <= SIGNALS; s++) {
		struct action a;

		if (kernel_action(s, NULL, &a) != 0 || a.handler == (uint64_t)ms_signal_entry ||
		    a.handler == (uint64_t)ms_again_entry)
			continue;
		actions[s] = has_handler(&a) ? a : (struct action){ 0 };
		if (has_handler(&a))
			install(s, &a);
	}
}

/* The kernel copies what it is given before it looks which signal it is for. */
bool ms_signals_can_read(uint64_t address)
{
	return kernel_action(SIG_KILL, (const struct action *)address, NULL) != BAD_ADDRESS;
}

/* At old, if the program has a place there. */
static int64_t put_old(struct action *old, const struct action *was)
{
	if (old == NULL)
		return 0;
	if (kernel_action(SIG_KILL, NULL, old) != 0)
		return BAD_ADDRESS;
	*old = *was;
	return 0;
}

int64_t ms_signals_action(const uint64_t args[6])
{
	const struct action *wanted = (const struct action *)args[1];
	struct action *old = (struct action *)args[2];
	uint64_t signal = args[0];
	struct action was, now;
	int64_t result;

	if (signal < 1 || signal > SIGNALS || args[3] != 8 || signal == SIG_KILL ||
	    signal == SIG_STOP)
		return ms_sys(__NR_rt_sigaction, (long)args[0], (long)args[1], (long)args[2],
			      (long)args[3], 0, 0);
	if (wanted != NULL && !ms_signals_can_read(args[1]))
		return BAD_ADDRESS;
	was = actions[signal];
	if (!has_handler(&was))
		kernel_action(signal, NULL, &was);
	if (wanted != NULL) {
		now = *wanted;
		actions[signal] = has_handler(&now) ? now : (struct action){ 0 };
		result = has_handler(&now) ? install(signal, &now)
					   : kernel_action(signal, &now, NULL);
		if (result != 0)
			return result;
	}
	return put_old(old, &was);
}

/* --- frames --- */

/* The frame shows what the program would have natively, at pc. */
static void make_true(const struct ms_window *w, uint64_t *uc, uint64_t pc)
{
	for (uint32_t i = 0; i < 16; i++)
		uc[UC_REGS + i] = w->regs[uc_order[i]];
	uc[UC_FLAGS] = w->flags;
	uc[UC_RIP] = pc;
}

static void set_register(uint64_t *uc, uint32_t reg, uint64_t value)
{
	for (uint32_t i = 0; i < 16; i++)
		if (uc_order[i] == reg)
			uc[UC_REGS + i] = value;
}

static uint64_t register_in(const uint64_t *uc, uint32_t reg)
{
	for (uint32_t i = 0; i < 16; i++)
		if (uc_order[i] == reg)
			return uc[UC_REGS + i];
	return 0;
}

static uint64_t handler_of(int signal)
{
	struct action *a = &actions[signal];
	uint64_t handler = a->handler;
	struct action none = { 0 };

	if (a->flags & flag_reset) {
		*a = none;
		kernel_action((uint64_t)signal, &none, NULL);
	}
	return handler;
}

/* The handler runs traced, on this frame. */
static uint64_t run_handler(struct ms_thread *t, int signal, const uint64_t *uc)
{
	struct ms_window *w = ms_window_of(t);

	w->signals++;
	ms_other_handler(w, uc);
	w->pc = handler_of(signal);
	return (uint64_t)ms_glue_go;
}

static bool in_call(struct ms_thread *t, uint64_t *uc)
{
	struct ms_window *w = ms_window_of(t);
	uint64_t rip = uc[UC_RIP];
	bool done = rip == (uint64_t)ms_call_done;

	if (rip == (uint64_t)ms_deliver_done ||
	    (rip >= (uint64_t)ms_call_ready && rip <= (uint64_t)ms_call_insn) ||
	    (ms_calls_is_site(rip, &done) && !done)) {
		make_true(w, uc, w->pc);
		return true;
	}
	if (!done)
		return false;
	w->regs[RAX] = uc[UC_REGS + 13];
	ms_calls_done(t);
	make_true(w, uc, w->pc);
	return true;
}

static void send_again(const struct ms_window *w, const struct ms_info *info)
{
	ms_sys(__NR_rt_tgsigqueueinfo, ms_sys(__NR_getpid, 0, 0, 0, 0, 0, 0), (long)w->tid,
	       info->signal, (long)info, 0, 0);
}

static void block_all(void)
{
	static const uint64_t all = ~faults;

	ms_sys(__NR_rt_sigprocmask, 0, (long)&all, 0, 8, 0, 0);
}

/* A second signal may have come since this one did, and be held: then this one waits its turn. */
static uint64_t hold(struct ms_thread *t, const struct ms_info *info, uint64_t *uc)
{
	struct ms_window *w = ms_window_of(t);

	block_all();
	w->mask = uc[UC_MASK]; /* the program's: the second one has returned, and saw ours */
	uc[UC_MASK] |= ~faults;
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

static uint64_t fault(struct ms_thread *t, int signal, uint64_t *uc)
{
	struct ms_window *w = ms_window_of(t);
	struct ms_block *b;
	const struct ms_site *site = ms_cache_site_at(uc[UC_RIP], &b);

	w->faults++;
	if (site == NULL)
		return handler_of(signal); /* of code that is not the program's */
	if (site->state == MS_SITE_JUMP) {
		set_register(uc, RCX, w->spill[RCX]);
		set_register(uc, R11, w->spill[R11]);
	} else {
		const uint8_t given[] = { b->b, b->s, site->taken };

		if (site->state == MS_SITE_REP)
			set_register(uc, RCX, register_in(uc, RCX) + register_in(uc, b->s));
		for (uint32_t i = 0; i < 3; i++)
			set_register(uc, given[i], given[i] != NO_REG ? w->spill[given[i]] : 0);
	}
	uc[UC_RIP] = site->pc;
	return run_handler(t, signal, uc);
}

uint64_t ms_signals_arrive(int signal, struct ms_info *info, uint64_t *uc)
{
	struct ms_thread *t = ms_self(); /* or its maker's: see thread.c */

	/* A child that borrows our memory (vfork) has all but its number from its parent. */
	if (t->pointer != ms_thread_pointer() || t->traced == 0 ||
	    ms_window_of(t)->tid != (uint64_t)ms_sys(__NR_gettid, 0, 0, 0, 0, 0, 0))
		return handler_of(signal);
	if (info->code > 0 && faults >> (signal - 1) & 1 && ms_cache_holds(uc[UC_RIP]))
		return fault(t, signal, uc);
	if (in_call(t, uc))
		return run_handler(t, signal, uc);
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
	ms_deliver_program();
}

_Noreturn void ms_signals_return(struct ms_thread *t)
{
	struct ms_window *w = ms_window_of(t);
	uint64_t *uc = (uint64_t *)w->regs[RSP];

	block_all();
	if (w->pending != 0) /* held in the handler, delivered behind it */
		w->mask = uc[UC_MASK];
	w->pc = uc[UC_RIP];
	uc[UC_RIP] = (uint64_t)ms_glue_go;
	ms_other_return(w, uc);
	ms_sigreturn_program();
}
