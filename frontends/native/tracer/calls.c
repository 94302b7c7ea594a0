/*
 * calls.c - system calls of traced code. They run natively, from C, with the program's registers
 * and on its stack. The runtime is notified before and after.
 *
 * Some calls change what the tracer depends on: signals (signals.c), mapped code, threads. A new
 * thread starts natively; a forked child continues in its parent's window.
 */
#include "altstack.h"
#include "arch.h"
#include "exec_signals.h"
#include "maps/maps.h"
#include "runtime.h"
#include "runtime/clock.h"
#include "runtime/config.h"
#include "runtime/lanes.h"
#include "runtime/locks.h"
#include "runtime/thread_state.h"
#include "sample.h"
#include "sys.h"
#include "syscalls/syscalls.h"
#include "tracer.h"
#include "tracer/arch_priv.h"
#include "tracer/code_cache.h"
#include "tracer/signal_delivery.h"
#include "tracer/window.h"
#include "unwind/unwind.h"

enum { CLONE_VM_FLAG = 0x100, CLONE_VFORK_FLAG = 0x4000, MAP_FIXED_FLAG = 0x10 };
enum { SITES = 32 };

/* --- threads --- */

static struct site {
	uint64_t pc;
	ms_code *code;
} sites[SITES];

/* Child and parent may return from the call with the same registers: only the address of the code
 * distinguishes them. */
static ms_code *site_of(uint64_t pc)
{
	ms_code *code = NULL;

	ms_lock(MS_LOCK_TRACER);
	for (uint32_t i = 0; i < SITES && code == NULL; i++) {
		if (sites[i].code == NULL)
			sites[i] = (struct site){ pc, ms_cache_keep(ms_clone_site, pc) };
		if (sites[i].pc == pc)
			code = sites[i].code;
	}
	ms_unlock(MS_LOCK_TRACER);
	return code;
}

bool ms_calls_is_site(uint64_t pc, bool *done)
{
	for (uint32_t i = 0; i < SITES && sites[i].code != NULL; i++)
		if (pc - (uint64_t)sites[i].code < MS_CLONE_BYTES) {
			*done = pc != (uint64_t)sites[i].code;
			return true;
		}
	return false;
}

static uint64_t clone_flags(uint64_t number, const uint64_t *args)
{
	if (number == (uint64_t)MS_CALL_VFORK)
		return CLONE_VM_FLAG | CLONE_VFORK_FLAG;
	if (number == __NR_clone)
		return args[0];
	return number == __NR_clone3 && ms_signals_can_read(args[0]) ? *(const uint64_t *)args[0]
								     : 0;
}

static bool forks(uint64_t number)
{
	return number == (uint64_t)MS_CALL_FORK || number == (uint64_t)MS_CALL_VFORK ||
	       number == __NR_clone || number == __NR_clone3;
}

/* --- code that is unmapped or changed --- */

static bool protects(uint64_t number)
{
	return number == __NR_mprotect || number == __NR_pkey_mprotect;
}

static bool changes_code(uint64_t number, const uint64_t *args)
{
	return number == __NR_munmap || protects(number) || number == __NR_mremap ||
	       (number == __NR_mmap && (args[3] & MAP_FIXED_FLAG) != 0);
}

static bool makes_writable(uint64_t number, const uint64_t *args)
{
	enum { WRITE = 2 };

	return protects(number) && (args[2] & WRITE) != 0 && ms_maps_has_code(args[0], args[1]);
}

static void change_code(uint64_t number, const uint64_t *args)
{
	if (!changes_code(number, args))
		return;
	if (ms_made_is_in(args[0], args[1]))
		ms_made_forget(args[0], args[1]);
	if (makes_writable(number, args))
		ms_maps_written(args[0], args[1]);
	if (ms_cache_may_hold(args[0], args[1]))
		ms_tracer_forget(args[0], args[1]);
}

/* Signals are blocked meanwhile, because a handler of the program could call this, too. */
void ms_tracer_changes(uint64_t number, const uint64_t args[6])
{
	uint64_t mask;

	/* In a child whose fork was not noticed, other threads' locks may be held forever. Such a
	 * child is not traced. */
	if (!ms_on || !changes_code(number, args) ||
	    !(ms_made_is_in(args[0], args[1]) || makes_writable(number, args) ||
	      ms_cache_may_hold(args[0], args[1])))
		return;
	ms_sys(__NR_rt_sigprocmask, 0, (long)&ms_signals_held, (long)&mask, 8, 0, 0);
	change_code(number, args);
	ms_sys(__NR_rt_sigprocmask, 2, (long)&mask, 0, 8, 0, 0);
}

/* --- the last system call that the runtime may make --- */

/* It is unknown what the filter permits afterwards: a system call of the runtime could end the
 * program. */
static const char *restriction(uint64_t number, const uint64_t *args)
{
	enum { SET_SECCOMP = 22, SET_DISPATCH = 59, SET_FILTER = 1 };

	if ((number == __NR_prctl && args[0] == SET_SECCOMP) ||
	    (number == __NR_seccomp && args[0] <= SET_FILTER))
		return "it restricts its system calls (seccomp)";
	if (number == __NR_prctl && args[0] == SET_DISPATCH)
		return "it restricts its system calls (PR_SET_SYSCALL_USER_DISPATCH)";
	return NULL;
}

static void leave(struct ms_thread *t, const char *why)
{
	ms_runtime_leave(t, why);
	ms_lane_forbid_calls();
}

/* Signals are blocked, so no window opens meanwhile. */
void ms_tracer_restricts(struct ms_thread *t, uint64_t number, const uint64_t args[6])
{
	const char *why = restriction(number, args);

	if (why == NULL)
		return;
	uint64_t mask = ms_signals_block();

	ms_signals_give_back();
	ms_altstack_remove(t);
	t->busy = 1;
	leave(t, why);
	t->busy = 0;
	ms_signals_unblock(mask);
}

/* --- one call --- */

static void after_fork(struct ms_thread *t)
{
	ms_lock_forked();
	ms_tracer_forked(t);
	ms_runtime_forked(t);
}

/* The time of the call is the program's, not the tracer's. */
static int call_natively(struct ms_thread *t, int (*call)(struct ms_thread *t))
{
	uint64_t since = ms_counter();
	int signal_first = call(t);

	ms_sample_not_own(t, since);
	return signal_first;
}

/* Likewise for fork. Where processes are followed, the caller never forks natively. */
static int fork_natively(struct ms_thread *t, int (*call)(struct ms_thread *t))
{
	uint64_t began, now;
	int signal_first;

	if (ms_config.follow)
		return call(t);
	began = ms_timer_cpu();
	signal_first = call_natively(t, call);
	now = ms_timer_cpu(); /* the clock of a child begins at zero */
	ms_sample_forks(t, now > began ? now - began : 0);
	return signal_first;
}

/* The child's initial stack pointer; 0: the same as its parent's. */
static uint64_t stack_of(uint64_t number, const uint64_t *args)
{
	enum { STACK = 5, STACK_SIZE = 6 };
	const uint64_t *clone_args = (const uint64_t *)args[0];

	if (number == __NR_clone)
		return args[1];
	if (number != __NR_clone3 || clone_args[STACK] == 0)
		return 0;
	return clone_args[STACK] + clone_args[STACK_SIZE];
}

/* Takes all locks first, so that the child finds no half-done work of other threads. Not for a
 * vfork, where the parent waits: other threads must not wait for what the child does. */
static int run_fork(struct ms_thread *t, bool waits)
{
	struct ms_window *w = ms_window_of(t);
	uint64_t mask = ms_signals_block(), stack;
	int signal_first;

	if (!waits) {
		ms_follow_fork(t);
		ms_lock_all();
	}
	signal_first = fork_natively(t, ms_call_program);
	if (signal_first == 0 && w->regs[MS_REG_RESULT] == 0) {
		stack = stack_of(w->call, w->call_args);
		if (stack != 0)
			w->regs[MS_REG_SP] = stack;
		after_fork(t);
	} else if (!waits) {
		ms_unlock_all();
		ms_follow_forked(t, signal_first == 0 ? (int64_t)w->regs[MS_REG_RESULT] : -1);
	}
	ms_signals_unblock(mask);
	return signal_first;
}

/*
 * A child that shares the parent's memory (vfork) continues natively, and will execute a program.
 */
static int clone_at_site(struct ms_thread *t, uint64_t flags)
{
	int signal_first;

	if (flags & CLONE_VFORK_FLAG)
		ms_exec_signals_begin(t);
	signal_first = fork_natively(t, ms_clone_program);
	ms_exec_signals_end(t);
	return signal_first;
}

static int run(struct ms_thread *t, uint64_t number, const uint64_t *args)
{
	struct ms_window *w = ms_window_of(t);
	uint64_t flags = forks(number) ? clone_flags(number, args) : 0;

	if (flags & CLONE_VM_FLAG) {
		w->site = (uint64_t)site_of(w->pc);
		if (w->site != 0)
			return clone_at_site(t, flags);
	} else if (forks(number)) {
		return run_fork(t, flags & CLONE_VFORK_FLAG);
	}
	return call_natively(t, ms_call_program);
}

void ms_calls_done(struct ms_thread *t)
{
	struct ms_window *w = ms_window_of(t);
	struct ms_frame frame;

	w->pc += MS_CALL_BYTES;
	frame = ms_context_frame(w);
	ms_call_after(t, w->call, w->call_args, (int64_t)w->regs[MS_REG_RESULT], &frame);
	ms_context_called(w);
}

static void copy_args(struct ms_window *w)
{
	for (uint32_t i = 0; i < 6; i++)
		w->call_args[i] = w->regs[ms_reg_call[i]];
	w->call = w->regs[MS_REG_NUMBER];
}

void ms_calls_run(struct ms_thread *t)
{
	struct ms_window *w = ms_window_of(t);
	const uint64_t *args = w->call_args;
	const char *why;
	struct ms_frame frame;

	copy_args(w);
	w->calls++;
	if (w->call == __NR_rt_sigreturn)
		ms_signals_return(t);
	why = restriction(w->call, args);
	if (why != NULL) {
		ms_signals_give_back();
		leave(t, why);
		return; /* the window ends before the call */
	}
	if (ms_context_moves_thread(w->call, args))
		ms_window_end(t, MS_END_SEGMENT);
	change_code(w->call, args);
	if (w->call == __NR_rt_sigaction) {
		w->regs[MS_REG_RESULT] = (uint64_t)ms_signals_action(args);
		ms_calls_done(t);
		return;
	}
	if (w->call == __NR_sigaltstack) {
		w->regs[MS_REG_RESULT] = (uint64_t)ms_altstack_call(
			t, w->regs[MS_REG_SP], (const struct ms_sigstack *)args[0],
			(struct ms_sigstack *)args[1]);
		ms_calls_done(t);
		return;
	}
	if (ms_limits_call(w->call, args, &w->regs[MS_REG_RESULT])) {
		ms_calls_done(t);
		return;
	}
	frame = ms_context_frame(w);
	ms_call_before(t, w->call, args, &frame);
	if (run(t, w->call, args) != 0)
		return; /* a held signal is delivered first */
	ms_calls_done(t);
}
