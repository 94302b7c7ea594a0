/*
 * signal_hiding.c - hides memspy's timer signal from a sampled program while the program is not
 * traced. The program may set a handler for the signal, ignore it or block it. It reads back what
 * it has set, but the kernel keeps memspy's settings. Without this, the next sample would kill a
 * program that resets all signals to their defaults, and a program that waits for all signals would
 * receive memspy's. This file has the masks; hidden_actions.c has the actions, also that of the
 * tracer's own signal, and hidden_waits.c the functions that wait for signals.
 *
 * Limit: only the C library's functions are intercepted. Raw system calls of untraced code bypass
 * them.
 */
#include "interpose/function_numbers.h"
#include "interpose/interpose.h"
#include "raw_syscall.h"
#include "runtime/config.h"
#include "runtime/hooks.h"
#include "runtime/runtime.h"
#include "runtime/thread_state.h"
#include "signals/cpu_timer.h"
#include "signals/exec_signals.h"
#include "signals/signal_hiding_priv.h"
#include "ucontext_layout.h"

static const uint64_t our_bit = MS_SIGNALS_TIMER_BIT;

/* Whether the thread runs natively. In traced code the tracer handles the system call itself. */
static bool is_native(const struct ms_runtime_thread *t)
{
	return t->thread_pointer != ms_runtime_get_thread_pointer() || t->traced == 0;
}

/* A traced thread stays traced until it has made the call. */
uint64_t ms_signals_is_native_call(void)
{
	struct ms_runtime_thread *t = ms_runtime_get_thread();

	if (is_native(t))
		return 1;
	ms_native_hooks.stay_traced(t);
	return 0;
}

/* Whether this is the thread itself, not a child process that sees a copy of its parent's timer. */
bool ms_signals_is_sampled(const struct ms_runtime_thread *t)
{
	return ms_runtime_syscall(__NR_gettid, 0, 0, 0, 0, 0, 0) == (long)t->tid;
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
	ms_runtime_syscall(__NR_rt_sigprocmask, MS_SIGNALS_MASK_BLOCK, (long)&our_bit, (long)&mask,
			   8, 0, 0);
	ms_signals_stop_all_timers();
	requeue_program_signals(t, NULL);
	ms_runtime_syscall(__NR_rt_sigprocmask, MS_SIGNALS_MASK_SET, (long)&mask, 0, 8, 0, 0);
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
	bool sampled = ms_signals_is_sampled(t);
	timer->kernel_blocked = 1; /* first: prevents other threads from arming it */
	if (sampled)
		ms_signals_stop_called_timer(t);
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
bool ms_signals_is_hiding(const struct ms_runtime_thread *t)
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

	if (ms_signals_is_hiding(t) && !t->traced && timer->blocked_by_program &&
	    !timer->kernel_blocked)
		ms_runtime_syscall(__NR_rt_sigprocmask, how, (long)&our_bit, 0, 8, 0, 0);
}

void ms_signals_begin_thread_creation(const struct ms_runtime_thread *t)
{
	set_kernel_block(t, MS_SIGNALS_MASK_BLOCK);
}

void ms_signals_end_thread_creation(const struct ms_runtime_thread *t)
{
	set_kernel_block(t, MS_SIGNALS_MASK_UNBLOCK);
}

/* --- calls that wait for signals, or execute a program --- */

/*
 * A pending signal must be handled while the thread waits, not before: otherwise the thread would
 * wait for ever. So the signal is really blocked until then, and no timer of memspy interrupts the
 * wait.
 */
bool ms_signals_block_for_wait(struct ms_runtime_thread *t)
{
	struct ms_signals_timer *timer = ms_signals_get_timer(t);

	if (!timer->blocked_by_program || timer->kernel_blocked || !ms_signals_is_sampled(t))
		return false;
	ms_runtime_syscall(__NR_rt_sigprocmask, MS_SIGNALS_MASK_BLOCK, (long)&our_bit, 0, 8, 0, 0);
	timer->kernel_blocked = 1;
	ms_signals_stop_called_timer(t);
	requeue_program_signals(t, NULL);
	return true;
}

void ms_signals_unblock_after_wait(struct ms_runtime_thread *t)
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

	if (!ms_signals_is_hiding(t) || t->traced || !timer->blocked_by_program ||
	    timer->kernel_blocked || ms_signals_are_timers_stopped())
		return false;
	if (!ms_signals_block_for_wait(t))
		ms_runtime_syscall(__NR_rt_sigprocmask, MS_SIGNALS_MASK_BLOCK, (long)&our_bit, 0, 8,
				   0, 0);
	return true;
}

void ms_signals_unblock_after_failed_exec(struct ms_runtime_thread *t)
{
	if (ms_signals_is_sampled(t))
		ms_signals_unblock_after_wait(t);
	else
		ms_runtime_syscall(__NR_rt_sigprocmask, MS_SIGNALS_MASK_UNBLOCK, (long)&our_bit, 0,
				   8, 0, 0);
}

/* --- masks --- */

/* The timer of a sampled thread, which has its mask; NULL for other threads, whose mask is the
 * kernel's. */
struct ms_signals_timer *ms_signals_get_hiding_timer(void)
{
	struct ms_runtime_thread *t = ms_runtime_get_thread();

	return ms_signals_is_hiding(t) ? ms_signals_get_timer(t) : NULL;
}

void ms_signals_update_program_block(struct ms_signals_timer *timer, int how,
				     const struct ms_signals_libc_sigset *wanted)
{
	bool ours = (wanted->words[0] & our_bit) != 0;

	if (how == MS_SIGNALS_MASK_SET || ours)
		timer->blocked_by_program = ours && how != MS_SIGNALS_MASK_UNBLOCK;
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
	return ms_signals_is_hiding(t) && ms_signals_get_timer(t)->blocked_by_program ? our_bit : 0;
}

/*
 * A signal of memspy's timer must not be pending in a window: the program would receive it by
 * sigwaitinfo() or a signalfd. The timer is armed again at the end of the window.
 */
static void drop_timer_signals(struct ms_runtime_thread *t)
{
	uint64_t waiting = 0;

	ms_signals_stop_called_timer(t);
	ms_runtime_syscall(__NR_rt_sigpending, (long)&waiting, 8, 0, 0, 0, 0);
	if ((waiting & our_bit) != 0)
		requeue_program_signals(t, NULL);
}

void ms_signals_block_hidden_signal(struct ms_runtime_thread *t)
{
	if (ms_signals_get_hidden_mask(t) != 0)
		ms_runtime_syscall(__NR_rt_sigprocmask, MS_SIGNALS_MASK_BLOCK, (long)&our_bit, 0, 8,
				   0, 0);
}

void ms_signals_drop_hidden_signals(struct ms_runtime_thread *t)
{
	if (ms_signals_get_hidden_mask(t) != 0)
		drop_timer_signals(t);
}

void ms_signals_record_program_mask(struct ms_runtime_thread *t, const uint64_t args[6])
{
	struct ms_signals_timer *timer = ms_signals_get_timer(t);
	int32_t was = timer->blocked_by_program;

	if (!ms_signals_is_hiding(t) || args[1] == 0)
		return;
	ms_signals_update_program_block(timer, (int)args[0],
					(const struct ms_signals_libc_sigset *)args[1]);
	if (timer->blocked_by_program && !was)
		drop_timer_signals(t);
}

/* The program has unblocked the signal, and has received the pending one. */
static void resume_if_unblocked(struct ms_signals_timer *timer)
{
	if (!timer->kernel_blocked || timer->blocked_by_program)
		return;
	timer->kernel_blocked = 0;
	if (ms_signals_is_sampled(ms_runtime_get_thread()))
		ms_native_hooks.timer_may_run(ms_runtime_get_thread());
}

typedef int real_mask(int, const struct ms_signals_libc_sigset *, struct ms_signals_libc_sigset *);

/*
 * Makes the system call here. If a window opened in the C library's function before its system
 * call, the tracer would take the changed mask for the program's own. On an error, the library's
 * function is called for its error code. Two signals belong to the library.
 */
static inline int call_mask(real_mask *real, int how, const struct ms_signals_libc_sigset *wanted,
			    struct ms_signals_libc_sigset *old)
{
	static const uint64_t librarys = UINT64_C(3) << (32 - 1);
	uint64_t set = wanted != NULL ? wanted->words[0] & ~librarys : 0;
	int64_t status = ms_runtime_syscall(__NR_rt_sigprocmask, how,
					    wanted != NULL ? (long)&set : 0, (long)old, 8, 0, 0);

	return status == 0 ? 0 : real(how, wanted, old);
}

MS_RUNTIME_CALLS_PROGRAM static int change_mask(uint64_t function, int how,
						const struct ms_signals_libc_sigset *wanted,
						struct ms_signals_libc_sigset *old)
{
	real_mask *real = (real_mask *)ms_interpose_real_functions[function];
	struct ms_signals_timer *timer = ms_signals_get_hiding_timer();
	int32_t was = timer != NULL ? timer->blocked_by_program : 0;
	struct ms_signals_libc_sigset ours;

	if (timer != NULL && wanted != NULL)
		ms_signals_update_program_block(timer, how, wanted);
	bool sampled =
		timer != NULL ? !timer->kernel_blocked
			      : !ms_runtime_config.no_tracing && ms_signals_is_timer_signal_taken();
	if (wanted != NULL && how != MS_SIGNALS_MASK_UNBLOCK && sampled) {
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

int ms_signals_native_sigprocmask(int how, const struct ms_signals_libc_sigset *wanted,
				  struct ms_signals_libc_sigset *old);
MS_RUNTIME_CALLS_PROGRAM int
ms_signals_native_sigprocmask(int how, const struct ms_signals_libc_sigset *wanted,
			      struct ms_signals_libc_sigset *old)
{
	return change_mask(MS_INTERPOSE_sigprocmask, how, wanted, old);
}

int ms_signals_native_pthread_sigmask(int how, const struct ms_signals_libc_sigset *wanted,
				      struct ms_signals_libc_sigset *old);
MS_RUNTIME_CALLS_PROGRAM int
ms_signals_native_pthread_sigmask(int how, const struct ms_signals_libc_sigset *wanted,
				  struct ms_signals_libc_sigset *old)
{
	return change_mask(MS_INTERPOSE_pthread_sigmask, how, wanted, old);
}
