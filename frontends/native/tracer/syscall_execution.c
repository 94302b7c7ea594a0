/*
 * syscall_execution.c - system calls of traced code. They run natively, from C, with the program's
 * registers and on its stack. The runtime is notified before and after.
 *
 * Some calls change what the tracer depends on: signals (signal_delivery.c), mapped code, threads.
 * A new thread starts natively; a forked child continues in its parent's window.
 */
#include "arch.h"
#include "maps/maps.h"
#include "raw_syscall.h"
#include "runtime/clock.h"
#include "runtime/config.h"
#include "runtime/hooks.h"
#include "runtime/lanes.h"
#include "runtime/locks.h"
#include "runtime/runtime.h"
#include "runtime/thread_state.h"
#include "signals/altstack.h"
#include "signals/exec_signals.h"
#include "syscalls/syscalls.h"
#include "tracer/arch_priv.h"
#include "tracer/code_cache.h"
#include "tracer/signal_delivery.h"
#include "tracer/tracer.h"
#include "tracer/window.h"
#include "unwind/unwind.h"

enum { CLONE_VM_FLAG = 0x100, CLONE_VFORK_FLAG = 0x4000, MAP_FIXED_FLAG = 0x10 };
enum { SITES = 32 };

/* --- threads --- */

static struct clone_call {
	uint64_t pc;
	ms_tracer_code_unit *code;
} clone_calls[SITES];

/* Child and parent may return from the call with the same registers: only the address of the code
 * distinguishes them. */
static ms_tracer_code_unit *find_clone_call(uint64_t pc)
{
	ms_tracer_code_unit *code = NULL;

	ms_runtime_lock(MS_RUNTIME_LOCK_TRACER);
	for (uint32_t i = 0; i < SITES && code == NULL; i++) {
		if (clone_calls[i].code == NULL)
			clone_calls[i] = (struct clone_call){
				pc, ms_tracer_emit_permanent(ms_tracer_emit_clone_call, pc)
			};
		if (clone_calls[i].pc == pc)
			code = clone_calls[i].code;
	}
	ms_runtime_unlock(MS_RUNTIME_LOCK_TRACER);
	return code;
}

bool ms_tracer_is_clone_call(uint64_t pc, bool *done)
{
	for (uint32_t i = 0; i < SITES && clone_calls[i].code != NULL; i++)
		if (pc - (uint64_t)clone_calls[i].code < MS_TRACER_CLONE_CALL_BYTES) {
			*done = pc != (uint64_t)clone_calls[i].code;
			return true;
		}
	return false;
}

static uint64_t clone_flags(uint64_t number, const uint64_t *args)
{
	if (number == (uint64_t)MS_TRACER_SYSCALL_VFORK)
		return CLONE_VM_FLAG | CLONE_VFORK_FLAG;
	if (number == __NR_clone)
		return args[0];
	return number == __NR_clone3 && ms_signals_is_readable(args[0]) ? *(const uint64_t *)args[0]
									: 0;
}

static bool makes_process(uint64_t number)
{
	return number == (uint64_t)MS_TRACER_SYSCALL_FORK ||
	       number == (uint64_t)MS_TRACER_SYSCALL_VFORK || number == __NR_clone ||
	       number == __NR_clone3;
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

	return protects(number) && (args[2] & WRITE) != 0 &&
	       ms_maps_has_module_code(args[0], args[1]);
}

static void change_code(uint64_t number, const uint64_t *args)
{
	if (!changes_code(number, args))
		return;
	if (ms_tracer_has_jit_code(args[0], args[1]))
		ms_tracer_forget_jit_code(args[0], args[1]);
	if (makes_writable(number, args))
		ms_maps_mark_code_writable(args[0], args[1]);
	if (ms_tracer_may_have_blocks(args[0], args[1]))
		ms_tracer_forget_code(args[0], args[1]);
}

/* Signals are blocked meanwhile, because a handler of the program could call this, too. */
void ms_tracer_handle_code_change(uint64_t number, const uint64_t args[6])
{
	uint64_t mask;

	/* In a child whose fork was not noticed, other threads' locks may be held forever. Such a
	 * child is not traced. */
	if (!ms_runtime_active || !changes_code(number, args) ||
	    !(ms_tracer_has_jit_code(args[0], args[1]) || makes_writable(number, args) ||
	      ms_tracer_may_have_blocks(args[0], args[1])))
		return;
	ms_runtime_syscall(__NR_rt_sigprocmask, 0, (long)&ms_tracer_held_signals, (long)&mask, 8, 0,
			   0);
	change_code(number, args);
	ms_runtime_syscall(__NR_rt_sigprocmask, 2, (long)&mask, 0, 8, 0, 0);
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

static void leave_program(struct ms_runtime_thread *t, const char *why)
{
	ms_runtime_leave_program(t, why);
	ms_runtime_forbid_syscalls();
}

/* Signals are blocked, so no window opens meanwhile. */
void ms_tracer_handle_restriction(struct ms_runtime_thread *t, uint64_t number,
				  const uint64_t args[6])
{
	const char *why = restriction(number, args);

	if (why == NULL)
		return;
	uint64_t mask = ms_tracer_block_signals();

	ms_signals_restore_handlers();
	ms_signals_remove_altstack(t);
	t->busy = 1;
	leave_program(t, why);
	t->busy = 0;
	ms_tracer_set_signal_mask(mask);
}

/* --- one call --- */

static void after_fork(struct ms_runtime_thread *t)
{
	ms_runtime_reset_locks();
	ms_tracer_handle_fork(t);
	ms_native_hooks.process_forked(t);
}

/* The time of the call is the program's, not the tracer's. */
static int call_natively(struct ms_runtime_thread *t, int (*call)(struct ms_runtime_thread *t))
{
	uint64_t since = ms_tracer_begin_program_time(ms_tracer_get_work_time(t));
	int signal_first = call(t);

	ms_tracer_exclude_program_time(ms_tracer_get_work_time(t), since);
	return signal_first;
}

/* Likewise for fork. Where processes are followed, the caller never forks natively. */
static int fork_natively(struct ms_runtime_thread *t, int (*call)(struct ms_runtime_thread *t))
{
	uint64_t began, now;
	int signal_first;

	if (ms_runtime_config.follow_children)
		return call(t);
	began = ms_runtime_read_cpu_clock();
	signal_first = call_natively(t, call);
	now = ms_runtime_read_cpu_clock(); /* the clock of a child begins at zero */
	ms_native_hooks.fork_timed(t, now > began ? now - began : 0);
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
static int run_fork(struct ms_runtime_thread *t, bool is_vfork)
{
	struct ms_tracer_window *w = ms_tracer_get_window(t);
	uint64_t mask = ms_tracer_block_signals(), stack;
	int signal_first;

	if (!is_vfork) {
		ms_syscalls_prepare_fork(t);
		ms_runtime_lock_all();
	}
	signal_first = fork_natively(t, ms_tracer_call_syscall);
	if (signal_first == 0 && w->regs[MS_TRACER_REG_RESULT] == 0) {
		stack = stack_of(w->call, w->call_args);
		if (stack != 0)
			w->regs[MS_TRACER_REG_SP] = stack;
		after_fork(t);
	} else if (!is_vfork) {
		ms_runtime_unlock_all();
		ms_syscalls_wait_for_child(
			t, signal_first == 0 ? (int64_t)w->regs[MS_TRACER_REG_RESULT] : -1);
	}
	ms_tracer_set_signal_mask(mask);
	return signal_first;
}

/*
 * A child that shares the parent's memory (vfork) continues natively, and will execute a program.
 */
static int clone_at_site(struct ms_runtime_thread *t, uint64_t flags)
{
	int signal_first;

	if (flags & CLONE_VFORK_FLAG)
		ms_signals_begin_exec(t);
	signal_first = fork_natively(t, ms_tracer_call_clone);
	ms_signals_end_exec(t);
	return signal_first;
}

static int run_natively(struct ms_runtime_thread *t, uint64_t number, const uint64_t *args)
{
	struct ms_tracer_window *w = ms_tracer_get_window(t);
	uint64_t flags = makes_process(number) ? clone_flags(number, args) : 0;

	if (flags & CLONE_VM_FLAG) {
		w->site = (uint64_t)find_clone_call(w->pc);
		if (w->site != 0)
			return clone_at_site(t, flags);
	} else if (makes_process(number)) {
		return run_fork(t, flags & CLONE_VFORK_FLAG);
	}
	return call_natively(t, ms_tracer_call_syscall);
}

/* An executed program is followed: its environment gets memspy's variables, for this call. */
static int run_exec(struct ms_runtime_thread *t, uint64_t number, const uint64_t *args)
{
	struct ms_tracer_window *w = ms_tracer_get_window(t);
	const uint32_t at = number == __NR_execveat ? 3 : 2;
	const char *path = number == __NR_execve ? (const char *)args[0] : NULL;
	uint64_t *env = &w->regs[ms_tracer_syscall_arg_regs[at]];
	struct ms_syscalls_exec_environment made;

	if (ms_syscalls_make_exec_environment(path, (const char *const *)args[at], &made))
		*env = (uint64_t)made.at;
	int signal_first = call_natively(t, ms_tracer_call_syscall);
	*env = args[at];
	ms_syscalls_drop_exec_environment(&made);
	return signal_first;
}

static int run_call(struct ms_runtime_thread *t, uint64_t number, const uint64_t *args)
{
	return number == __NR_execve || number == __NR_execveat ? run_exec(t, number, args)
								: run_natively(t, number, args);
}

void ms_tracer_finish_syscall(struct ms_runtime_thread *t)
{
	struct ms_tracer_window *w = ms_tracer_get_window(t);
	struct ms_unwind_frame frame;

	w->pc += MS_TRACER_SYSCALL_BYTES;
	frame = ms_tracer_get_frame(w);
	ms_syscalls_handle_after(t, w->call, w->call_args, (int64_t)w->regs[MS_TRACER_REG_RESULT],
				 &frame);
	ms_tracer_drop_syscall_registers(w);
}

static void copy_args(struct ms_tracer_window *w)
{
	for (uint32_t i = 0; i < 6; i++)
		w->call_args[i] = w->regs[ms_tracer_syscall_arg_regs[i]];
	w->call = w->regs[MS_TRACER_REG_SYSCALL_NUMBER];
}

void ms_tracer_run_syscall(struct ms_runtime_thread *t)
{
	struct ms_tracer_window *w = ms_tracer_get_window(t);
	const uint64_t *args = w->call_args;
	const char *why;
	struct ms_unwind_frame frame;

	copy_args(w);
	w->calls++;
	if (w->call == __NR_rt_sigreturn)
		ms_tracer_emulate_sigreturn(t);
	why = restriction(w->call, args);
	if (why != NULL) {
		ms_signals_restore_handlers();
		leave_program(t, why);
		return; /* the window ends before the call */
	}
	if (ms_tracer_changes_thread_pointer(w->call, args))
		ms_tracer_end_window(t, MS_TRACER_END_SEGMENT);
	change_code(w->call, args);
	if (w->call == __NR_rt_sigaction) {
		w->regs[MS_TRACER_REG_RESULT] = (uint64_t)ms_signals_emulate_sigaction(args);
		ms_tracer_finish_syscall(t);
		return;
	}
	if (w->call == __NR_sigaltstack) {
		w->regs[MS_TRACER_REG_RESULT] = (uint64_t)ms_signals_emulate_sigaltstack(
			t, w->regs[MS_TRACER_REG_SP],
			(const struct ms_signals_kernel_stack *)args[0],
			(struct ms_signals_kernel_stack *)args[1]);
		ms_tracer_finish_syscall(t);
		return;
	}
	if (ms_syscalls_emulate_limit_call(w->call, args, &w->regs[MS_TRACER_REG_RESULT])) {
		ms_tracer_finish_syscall(t);
		return;
	}
	frame = ms_tracer_get_frame(w);
	ms_syscalls_handle_before(t, w->call, args, &frame);
	if (run_call(t, w->call, args) != 0)
		return; /* a held signal is delivered first */
	ms_tracer_finish_syscall(t);
}
