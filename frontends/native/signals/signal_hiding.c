/*
 * signal_hiding.c - hides memspy's timer signal from a sampled program while the program is not
 * traced. The program may set a handler for the signal, ignore it or block it. It reads back what
 * it has set, but the kernel keeps memspy's settings. Without this, the next sample would kill a
 * program that resets all signals to their defaults, and a program that waits for all signals would
 * receive memspy's. The action that the program sets for the tracer's own signal is kept in the
 * same way.
 *
 * Limit: only the C library's functions are intercepted. Raw system calls of untraced code bypass
 * this file.
 */
#include "interpose/function_numbers.h"
#include "interpose/interpose.h"
#include "maps/dynamic_loader.h"
#include "raw_syscall.h"
#include "runtime/config.h"
#include "runtime/hooks.h"
#include "runtime/runtime.h"
#include "runtime/thread_state.h"
#include "signals/altstack.h"
#include "signals/cpu_timer.h"
#include "signals/exec_signals.h"
#include "signals/program_actions.h"
#include "signals/signal_action.h"
#include "signals/signal_overflow.h"
#include "ucontext_layout.h"

/* Types of the C library. */
struct libc_sigset {
	uint64_t words[16];
};
struct libc_sigaction {
	uint64_t handler;
	struct libc_sigset mask;
	int32_t flags;
	uint64_t restorer;
};

enum { BLOCK, UNBLOCK, SET };
static const uint64_t our_bit = UINT64_C(1) << (MS_SIGNALS_TIMER_SIGNAL - 1);

/* Whether the thread runs natively. In traced code the tracer handles the system call itself. */
static bool is_native(const struct ms_runtime_thread *t)
{
	return t->thread_pointer != ms_runtime_get_thread_pointer() || t->traced == 0;
}

/* A traced thread stays traced until it has made the call. */
uint64_t ms_signals_is_native_call(void);
uint64_t ms_signals_is_native_call(void)
{
	struct ms_runtime_thread *t = ms_runtime_get_thread();

	if (is_native(t))
		return 1;
	ms_native_hooks.stay_traced(t);
	return 0;
}

static struct ms_signals_sigaction to_kernel(const struct libc_sigaction *a)
{
	return (struct ms_signals_sigaction){ a->handler, (uint32_t)a->flags, 0, a->mask.words[0] };
}

/*
 * These functions keep the action that the program requests for a signal of memspy (the timer's or
 * the tracer's), in windows and between them.
 */
typedef int64_t action_emulator(const uint64_t args[6]);
static int emulate_action(action_emulator *to, uint64_t signal, const struct libc_sigaction *wanted,
			  struct libc_sigaction *old)
{
	struct ms_signals_sigaction now = { 0 }, was = { 0 };
	const uint64_t args[6] = { signal, wanted != NULL ? (uint64_t)&now : 0, (uint64_t)&was, 8 };

	if (wanted != NULL)
		now = to_kernel(wanted);
	to(args);
	if (old != NULL)
		*old = (struct libc_sigaction){ .handler = was.handler,
						.flags = (int32_t)was.flags,
						.mask.words[0] = was.mask };
	return 0;
}

static struct libc_sigaction to_library(const struct ms_signals_sigaction *a)
{
	return (struct libc_sigaction){ .handler = a->handler,
					.mask.words[0] = a->mask,
					.flags = (int32_t)a->flags,
					.restorer = a->restorer };
}

/* Whether this is the thread itself, not a child process that sees a copy of its parent's timer. */
static bool is_sampled(const struct ms_runtime_thread *t)
{
	return ms_runtime_syscall(__NR_gettid, 0, 0, 0, 0, 0, 0) == (long)t->tid;
}

/*
 * Whether the kernel is to call the tracer's entry instead of the handler. Where no code is
 * traced, only handlers with SA_ONSTACK need it: the kernel has memspy's alternate stack
 * (altstack.c). A vfork child is excluded, because it shares the memory but not the signal actions.
 * A fork child has its own memory, and memspy is off there.
 */
static bool needs_signal_entry(int signal, const struct libc_sigaction *wanted)
{
	const struct ms_runtime_thread *t = ms_runtime_get_thread();

	if (signal < 1 || signal > 64 || wanted->handler <= 1 ||
	    t->thread_pointer != ms_runtime_get_thread_pointer() ||
	    ms_signals_get_altstack(t)->memspy_stack == 0 ||
	    (signal == MS_SIGNALS_TRACER_SIGNAL && !ms_runtime_config.no_tracing))
		return false;
	return ((uint32_t)wanted->flags & MS_SIGNALS_ACTION_ONSTACK) != 0 &&
	       (!ms_runtime_active || is_sampled(t));
}

/* Adds the restorer, which the C library has added to the program's action. NULL: the action was
 * refused. */
static void record_restorer(int signal, const struct ms_signals_sigaction *action)
{
	struct ms_signals_sigaction now, recorded = { 0 };

	if (action != NULL)
		recorded = *action;
	if (action != NULL && ms_signals_set_action((uint64_t)signal, NULL, &now) == 0) {
		recorded.flags |= now.flags & MS_SIGNALS_ACTION_RESTORER;
		recorded.restorer = now.restorer;
	}
	ms_signals_set_program_action((uint64_t)signal, &recorded);
}

/* The action of any other signal. SIGIO may be memspy's (signal_overflow.c), and the kernel may
 * have a handler of the tracer. */
typedef int real_action(int, const struct libc_sigaction *, struct libc_sigaction *);
MS_RUNTIME_CALLS_PROGRAM static int set_real_action(int signal, const struct libc_sigaction *wanted,
						    struct libc_sigaction *old)
{
	struct ms_signals_sigaction was, a;
	struct libc_sigaction ours;
	bool known = ms_signals_get_program_action((uint64_t)signal, &was);
	bool entered = wanted != NULL && needs_signal_entry(signal, wanted);

	if (wanted != NULL && ms_signals_must_take_overflow((uint32_t)signal, wanted->handler)) {
		a = ms_signals_get_overflow_action();
		ours = to_library(&a);
		wanted = &ours;
	} else if (entered) {
		a = to_kernel(wanted);
		ms_signals_set_program_action((uint64_t)signal,
					      &a); /* first: the signal may arrive at once */
		ours = *wanted;
		ours.handler = ms_native_hooks.get_signal_entry();
		ours.flags = (int32_t)ms_signals_get_entry_flags((uint32_t)ours.flags);
		wanted = &ours;
	}
	int status = ((real_action *)ms_interpose_real_functions[MS_INTERPOSE_sigaction])(
		signal, wanted, old);
	if (entered)
		record_restorer(signal, status == 0 ? &a : known ? &was : NULL);
	if (status == 0 && old != NULL && ms_signals_is_overflow_handler(old->handler))
		*old = (struct libc_sigaction){ .handler = 0 };
	if (status == 0 && old != NULL && known)
		*old = to_library(&was);
	return status;
}

/*
 * Another thread may be in a window. A handler that the kernel calls there directly would find the
 * tracer's registers, and might never return to the tracer. So the tracer's handler is installed at
 * once. A child is excluded: a vfork child shares the memory but not the signal actions.
 */
static void take_handler(int signal)
{
	const struct ms_runtime_thread *t = ms_runtime_get_thread();

	if (!ms_runtime_config.no_tracing && ms_runtime_active &&
	    t->thread_pointer == ms_runtime_get_thread_pointer() && is_sampled(t))
		ms_signals_take_handler((uint64_t)signal);
}

static action_emulator *find_emulator(int signal)
{
	if (signal == MS_SIGNALS_TRACER_SIGNAL && !ms_runtime_config.no_tracing)
		return ms_signals_emulate_tracer_action;
	return signal == MS_SIGNALS_TIMER_SIGNAL && ms_signals_is_timer_signal_taken()
		       ? ms_signals_emulate_timer_action
		       : NULL;
}

int ms_signals_native_sigaction(int signal, const struct libc_sigaction *wanted,
				struct libc_sigaction *old);
MS_RUNTIME_CALLS_PROGRAM int ms_signals_native_sigaction(int signal,
							 const struct libc_sigaction *wanted,
							 struct libc_sigaction *old)
{
	action_emulator *to = find_emulator(signal);

	if (to != NULL)
		return emulate_action(to, (uint64_t)signal, wanted, old);
	int status = set_real_action(signal, wanted, old);
	if (status == 0 && wanted != NULL)
		take_handler(signal);
	return status;
}

typedef uint64_t real_signal(int, uint64_t);
uint64_t ms_signals_native_signal(int signal, uint64_t handler);
MS_RUNTIME_CALLS_PROGRAM uint64_t ms_signals_native_signal(int signal, uint64_t handler)
{
	static const uint64_t failed = -1; /* SIG_ERR */
	action_emulator *to = find_emulator(signal);
	struct libc_sigaction old;

	if (to != NULL) {
		emulate_action(to, (uint64_t)signal,
			       &(struct libc_sigaction){ .handler = handler,
							 .flags = MS_SIGNALS_ACTION_RESTART },
			       &old);
		return old.handler;
	}
	if (ms_signals_must_take_overflow((uint32_t)signal, handler))
		return set_real_action(signal, &(struct libc_sigaction){ .handler = handler },
				       &old) == 0
			       ? old.handler
			       : failed;
	struct ms_signals_sigaction was;
	bool known = ms_signals_get_program_action((uint64_t)signal, &was);
	uint64_t before =
		((real_signal *)ms_interpose_real_functions[MS_INTERPOSE_signal])(signal, handler);
	if (before == failed)
		return failed;
	take_handler(signal);
	return known ? was.handler : ms_signals_is_overflow_handler(before) ? 0 : before;
}

/* --- signals that the program has blocked --- */

struct siginfo { /* siginfo_t */
	int32_t signal, error, code, rest[29];
};

/* Sends the signal to the thread or to the process, as it was sent before (pthread_sigqueue() and
 * sigqueue() cannot be distinguished). The kernel accepts the siginfo of a kill() (SI_USER) from
 * the first thread only. */
static void requeue_signal(struct siginfo *sent)
{
	enum { BY_KILL = 0, TO_THREAD = -6 };
	long pid = ms_runtime_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0),
	     tid = ms_runtime_syscall(__NR_gettid, 0, 0, 0, 0, 0, 0);

	if (sent->code != TO_THREAD &&
	    ms_runtime_syscall(__NR_rt_sigqueueinfo, pid, MS_SIGNALS_TIMER_SIGNAL, (long)sent, 0, 0,
			       0) == 0)
		return;
	if (sent->code == BY_KILL)
		ms_runtime_syscall(SYS_kill, pid, MS_SIGNALS_TIMER_SIGNAL, 0, 0, 0, 0);
	else
		ms_runtime_syscall(__NR_rt_tgsigqueueinfo, pid, tid, MS_SIGNALS_TIMER_SIGNAL,
				   (long)sent, 0, 0);
}

/* Removes pending signals of memspy's timer, which is stopped, and sends all others again in their
 * order. first: an earlier signal, or NULL. */
static void requeue_program_signals(const struct ms_runtime_thread *t, struct siginfo *first)
{
	enum { MOST = 4 };
	static const uint64_t at_once[2];
	struct siginfo others[MOST];
	int n = 0;

	while (n < MOST && ms_runtime_syscall(__NR_rt_sigtimedwait, (long)&our_bit,
					      (long)&others[n], (long)at_once, 8, 0, 0) > 0)
		n += !ms_signals_is_from_memspy_timer(t, &others[n]);
	if (first != NULL)
		requeue_signal(first);
	for (int i = 0; i < n; i++)
		requeue_signal(&others[i]);
}

/* From here on, even the return from a handler may be forbidden. */
void ms_signals_stop_hiding(const struct ms_runtime_thread *t)
{
	uint64_t mask;

	if (!ms_signals_is_timer_signal_taken())
		return;
	ms_runtime_syscall(__NR_rt_sigprocmask, BLOCK, (long)&our_bit, (long)&mask, 8, 0, 0);
	ms_signals_stop_all_timers();
	requeue_program_signals(t, NULL);
	ms_runtime_syscall(__NR_rt_sigprocmask, SET, (long)&mask, 0, 8, 0, 0);
}

/* A thread continues without memspy: its mask becomes the one that it has set. The other threads
 * call this when their own timers expire. */
void ms_signals_stop_hiding_thread(struct ms_runtime_thread *t, uint64_t *mask)
{
	if (!ms_signals_is_timer_signal_taken())
		return;
	*mask |= ms_signals_get_hidden_mask(t);
	ms_signals_get_timer(t)->blocked_by_program = 0;
	ms_signals_delete_timer(t);
	requeue_program_signals(t, NULL);
}

/* Waits until another thread has received the signal; false: no thread has. */
static bool was_taken(void)
{
	enum { TIMES = 20 };
	static const uint64_t pause[2] = { 0, 50000 };
	uint64_t pending = our_bit;

	for (int i = 0; i < TIMES && (pending & our_bit) != 0; i++) {
		if (i > 0)
			ms_runtime_syscall(__NR_nanosleep, (long)pause, 0, 0, 0, 0, 0);
		ms_runtime_syscall(__NR_rt_sigpending, (long)&pending, 8, 0, 0, 0, 0);
	}
	return (pending & our_bit) == 0;
}

/*
 * If no other thread receives the signal, it stays pending for this one: the signal is really
 * blocked from here on, and the thread is not sampled until it unblocks it. (If it is really
 * blocked and arrives all the same, the thread is in a call that unblocks it temporarily, such as
 * ppoll().)
 */
bool ms_signals_keep_program_signal(struct ms_runtime_thread *t, void *info, uint64_t *uc)
{
	struct ms_signals_timer *timer = ms_signals_get_timer(t);

	if (t->thread_pointer != ms_runtime_get_thread_pointer() || !timer->blocked_by_program ||
	    (uc[MS_SIGNALS_UCONTEXT_MASK] & our_bit) != 0)
		return false;
	bool sampled = is_sampled(t);
	timer->kernel_blocked = 1; /* first: prevents other threads from arming it */
	if (sampled)
		ms_signals_stop_timer(t);
	requeue_program_signals(t, info);
	if (was_taken()) {
		timer->kernel_blocked = 0;
		if (sampled)
			ms_native_hooks.timer_may_run(t);
	} else {
		uc[MS_SIGNALS_UCONTEXT_MASK] |= our_bit;
	}
	return true;
}

/* Whether the kernel's mask may differ from the thread's. */
static bool is_hiding(const struct ms_runtime_thread *t)
{
	return t->thread_pointer == ms_runtime_get_thread_pointer() &&
	       (ms_runtime_config.no_tracing || ms_signals_is_timer_signal_taken());
}

/*
 * A new thread inherits the mask of its creator, and is unknown until it registers. So the signal
 * is really blocked in the creator while it creates a thread.
 */
static void set_kernel_block(const struct ms_runtime_thread *t, int how)
{
	struct ms_signals_timer *timer = ms_signals_get_timer(t);

	if (is_hiding(t) && !t->traced && timer->blocked_by_program && !timer->kernel_blocked)
		ms_runtime_syscall(__NR_rt_sigprocmask, how, (long)&our_bit, 0, 8, 0, 0);
}

void ms_signals_begin_thread_creation(const struct ms_runtime_thread *t)
{
	set_kernel_block(t, BLOCK);
}

void ms_signals_end_thread_creation(const struct ms_runtime_thread *t)
{
	set_kernel_block(t, UNBLOCK);
}

/* --- masks --- */

/* The timer of a sampled thread, which has its mask; NULL for other threads, whose mask is the
 * kernel's. */
static struct ms_signals_timer *get_hiding_timer(void)
{
	struct ms_runtime_thread *t = ms_runtime_get_thread();

	return is_hiding(t) ? ms_signals_get_timer(t) : NULL;
}

static void update_program_block(struct ms_signals_timer *timer, int how,
				 const struct libc_sigset *wanted)
{
	bool ours = (wanted->words[0] & our_bit) != 0;

	if (how == SET || ours)
		timer->blocked_by_program = ours && how != UNBLOCK;
	if (timer->blocked_by_program)
		ms_signals_require_exec_wrappers();
}

/*
 * In a window the kernel has the mask that the program has set, so that reading the mask, and
 * pending signals, are correct. At the start of a window, the signal is really blocked if the
 * program has blocked it. What the program sets in the window is kept for the time after it.
 */
uint64_t ms_signals_get_hidden_mask(const struct ms_runtime_thread *t)
{
	return is_hiding(t) && ms_signals_get_timer(t)->blocked_by_program ? our_bit : 0;
}

/*
 * A signal of memspy's timer must not be pending in a window: the program would receive it by
 * sigwaitinfo() or a signalfd. The timer is armed again at the end of the window.
 */
static void drop_timer_signals(struct ms_runtime_thread *t)
{
	uint64_t waiting = 0;

	ms_signals_stop_timer(t);
	ms_runtime_syscall(__NR_rt_sigpending, (long)&waiting, 8, 0, 0, 0, 0);
	if ((waiting & our_bit) != 0)
		requeue_program_signals(t, NULL);
}

void ms_signals_block_hidden_signal(struct ms_runtime_thread *t)
{
	if (ms_signals_get_hidden_mask(t) == 0)
		return;
	ms_runtime_syscall(__NR_rt_sigprocmask, BLOCK, (long)&our_bit, 0, 8, 0, 0);
	drop_timer_signals(t);
}

void ms_signals_record_program_mask(struct ms_runtime_thread *t, const uint64_t args[6])
{
	struct ms_signals_timer *timer = ms_signals_get_timer(t);
	int32_t was = timer->blocked_by_program;

	if (!is_hiding(t) || args[1] == 0)
		return;
	update_program_block(timer, (int)args[0], (const struct libc_sigset *)args[1]);
	if (timer->blocked_by_program && !was)
		drop_timer_signals(t);
}

/* The program has unblocked the signal, and has received the pending one. */
static void resume_if_unblocked(struct ms_signals_timer *timer)
{
	if (!timer->kernel_blocked || timer->blocked_by_program)
		return;
	timer->kernel_blocked = 0;
	if (is_sampled(ms_runtime_get_thread()))
		ms_native_hooks.timer_may_run(ms_runtime_get_thread());
}

typedef int real_mask(int, const struct libc_sigset *, struct libc_sigset *);

/*
 * Makes the system call here. If a window opened in the C library's function before its system
 * call, the tracer would take the changed mask for the program's own. On an error, the library's
 * function is called for its error code. Two signals belong to the library.
 */
static inline int call_mask(real_mask *real, int how, const struct libc_sigset *wanted,
			    struct libc_sigset *old)
{
	static const uint64_t librarys = UINT64_C(3) << (32 - 1);
	uint64_t set = wanted != NULL ? wanted->words[0] & ~librarys : 0;
	int64_t status = ms_runtime_syscall(__NR_rt_sigprocmask, how,
					    wanted != NULL ? (long)&set : 0, (long)old, 8, 0, 0);

	return status == 0 ? 0 : real(how, wanted, old);
}

MS_RUNTIME_CALLS_PROGRAM static int
change_mask(uint64_t function, int how, const struct libc_sigset *wanted, struct libc_sigset *old)
{
	real_mask *real = (real_mask *)ms_interpose_real_functions[function];
	struct ms_signals_timer *timer = get_hiding_timer();
	int32_t was = timer != NULL ? timer->blocked_by_program : 0;
	struct libc_sigset ours;

	if (timer != NULL && wanted != NULL)
		update_program_block(timer, how, wanted);
	bool sampled =
		timer != NULL ? !timer->kernel_blocked
			      : !ms_runtime_config.no_tracing && ms_signals_is_timer_signal_taken();
	if (wanted != NULL && how != UNBLOCK && sampled) {
		/* The kernel reads only this word. */
		ours.words[0] = wanted->words[0] & ~our_bit;
		wanted = &ours;
	}
	int status = call_mask(real, how, wanted, old);
	if (timer == NULL)
		return status;
	if (status != 0)
		timer->blocked_by_program = was;
	else if (old != NULL && was)
		old->words[0] |= our_bit;
	resume_if_unblocked(timer);
	return status;
}

int ms_signals_native_sigprocmask(int how, const struct libc_sigset *wanted,
				  struct libc_sigset *old);
MS_RUNTIME_CALLS_PROGRAM int
ms_signals_native_sigprocmask(int how, const struct libc_sigset *wanted, struct libc_sigset *old)
{
	return change_mask(MS_INTERPOSE_sigprocmask, how, wanted, old);
}

int ms_signals_native_pthread_sigmask(int how, const struct libc_sigset *wanted,
				      struct libc_sigset *old);
MS_RUNTIME_CALLS_PROGRAM int ms_signals_native_pthread_sigmask(int how,
							       const struct libc_sigset *wanted,
							       struct libc_sigset *old)
{
	return change_mask(MS_INTERPOSE_pthread_sigmask, how, wanted, old);
}

/*
 * A pending signal must be handled while the thread waits, not before: otherwise the thread would
 * wait for ever. So the signal is really blocked until then, and no timer of memspy interrupts the
 * wait.
 */
static bool block_for_wait(struct ms_runtime_thread *t)
{
	struct ms_signals_timer *timer = ms_signals_get_timer(t);

	if (!timer->blocked_by_program || timer->kernel_blocked || !is_sampled(t))
		return false;
	ms_runtime_syscall(__NR_rt_sigprocmask, BLOCK, (long)&our_bit, 0, 8, 0, 0);
	timer->kernel_blocked = 1;
	ms_signals_stop_timer(t);
	requeue_program_signals(t, NULL);
	return true;
}

static void unblock_after_wait(struct ms_runtime_thread *t)
{
	ms_native_hooks.timer_may_run(t);
	ms_signals_unblock_timer(t);
}

/*
 * An executed program inherits the kernel's mask, which lacks the bit. A child that is not sampled
 * (a vfork child shares the memory) has no timer that could send the signal.
 */
bool ms_signals_block_hidden_for_exec(struct ms_runtime_thread *t)
{
	struct ms_signals_timer *timer = ms_signals_get_timer(t);

	if (!is_hiding(t) || t->traced || !timer->blocked_by_program || timer->kernel_blocked ||
	    ms_signals_are_timers_stopped())
		return false;
	if (!block_for_wait(t))
		ms_runtime_syscall(__NR_rt_sigprocmask, BLOCK, (long)&our_bit, 0, 8, 0, 0);
	return true;
}

void ms_signals_unblock_after_failed_exec(struct ms_runtime_thread *t)
{
	if (is_sampled(t))
		unblock_after_wait(t);
	else
		ms_runtime_syscall(__NR_rt_sigprocmask, UNBLOCK, (long)&our_bit, 0, 8, 0, 0);
}

typedef int real_suspend(const struct libc_sigset *);
int ms_signals_native_sigsuspend(const struct libc_sigset *meanwhile);
MS_RUNTIME_CALLS_PROGRAM int ms_signals_native_sigsuspend(const struct libc_sigset *meanwhile)
{
	struct ms_signals_timer *timer = get_hiding_timer();
	int32_t was = timer != NULL ? timer->blocked_by_program : 0;
	bool given = timer != NULL && block_for_wait(ms_runtime_get_thread());

	if (timer != NULL)
		update_program_block(timer, SET, meanwhile);
	int status =
		((real_suspend *)ms_interpose_real_functions[MS_INTERPOSE_sigsuspend])(meanwhile);
	if (timer != NULL)
		timer->blocked_by_program = was;
	if (given)
		unblock_after_wait(ms_runtime_get_thread());
	return status;
}

/* Other functions that unblock signals while they wait, or receive them: whether memspy's is among
 * these, and ms_signals_after_wait() must be called afterwards. */
static uint64_t begin_wait(const struct libc_sigset *set, bool opens)
{
	struct ms_runtime_thread *t = ms_runtime_get_thread();

	if (set == NULL || !is_hiding(t) || !ms_signals_get_timer(t)->blocked_by_program ||
	    ms_signals_is_native_call() == 0)
		return 0;
	return ((set->words[0] & our_bit) == 0) == opens && block_for_wait(t);
}

void ms_signals_after_wait(void);
void ms_signals_after_wait(void)
{
	struct ms_runtime_thread *t = ms_runtime_get_thread();

	if (ms_signals_get_timer(t)->kernel_blocked && !t->traced)
		unblock_after_wait(t);
}

#define WAIT(name, opens, ...)                                             \
	uint64_t ms_signals_before_##name(__VA_ARGS__);                    \
	uint64_t ms_signals_before_##name(__VA_ARGS__)                     \
	{                                                                  \
		return begin_wait((const struct libc_sigset *)set, opens); \
	}
WAIT(sigwait, false, uint64_t set)
WAIT(sigwaitinfo, false, uint64_t set)
WAIT(sigtimedwait, false, uint64_t set)
WAIT(ppoll, true, uint64_t files, uint64_t n, uint64_t until, uint64_t set)
WAIT(__ppoll_chk, true, uint64_t files, uint64_t n, uint64_t until, uint64_t set)
WAIT(pselect, true, uint64_t n, uint64_t in, uint64_t out, uint64_t other, uint64_t until,
     uint64_t set)
WAIT(epoll_pwait, true, uint64_t fd, uint64_t events, uint64_t n, uint64_t until, uint64_t set)

/* --- alternate stacks --- */

static void set_errno(int error)
{
	typedef int *errno_address(void);
	static errno_address *find;
	const char *object;

	if (find == NULL)
		find = (errno_address *)(uintptr_t)ms_maps_find_next_function("__errno_location",
									      &object);
	if (find != NULL)
		*find() = error;
}

int ms_signals_native_sigaltstack(const struct ms_signals_kernel_stack *wanted,
				  struct ms_signals_kernel_stack *old);
MS_RUNTIME_CALLS_PROGRAM int
ms_signals_native_sigaltstack(const struct ms_signals_kernel_stack *wanted,
			      struct ms_signals_kernel_stack *old)
{
	struct ms_runtime_thread *t = ms_runtime_get_thread();
	uint64_t sp = (uint64_t)__builtin_frame_address(0);
	bool known = t->thread_pointer == ms_runtime_get_thread_pointer() &&
		     ms_signals_get_altstack(t)->memspy_stack != 0;
	int64_t result;

	if (known && ms_runtime_active && !ms_signals_are_timers_stopped() && is_sampled(t))
		result = ms_signals_emulate_sigaltstack(t, sp, wanted, old);
	else
		result = known ? ms_signals_forward_sigaltstack(t, wanted, old)
			       : ms_signals_call_sigaltstack(wanted, old);
	if (result == 0)
		return 0;
	set_errno((int)-result);
	return -1;
}
