/*
 * disguise.c - hides memspy's timer signal from a sampled program while the program is not traced.
 * The program may set a handler for the signal, ignore it or block it. It reads back what it has
 * set, but the kernel keeps memspy's settings. Without this, the next sample would kill a program
 * that resets all signals to their defaults, and a program that waits for all signals would receive
 * memspy's. The action that the program sets for the tracer's own signal is kept in the same way.
 *
 * Limit: only the C library's functions are intercepted. Raw system calls of untraced code bypass
 * this file.
 */
#include "action.h"
#include "altstack.h"
#include "escort.h"
#include "exec_signals.h"
#include "interpose/interpose.h"
#include "link.h"
#include "overflow.h"
#include "runtime.h"
#include "runtime/config.h"
#include "runtime/thread_state.h"
#include "sample.h"
#include "sys.h"
#include "timed.h"
#include "timer.h"
#include "tracer.h"
#include "ucontext.h"
#include "wrap.h"

/* Types of the C library. */
struct set {
	uint64_t words[16];
};
struct theirs {
	uint64_t handler;
	struct set mask;
	int32_t flags;
	uint64_t restorer;
};

enum { BLOCK, UNBLOCK, SET };
static const uint64_t our_bit = UINT64_C(1) << (MS_TIMER_SIGNAL - 1);

/* Whether the thread runs natively. In traced code the tracer handles the system call itself. */
static bool is_native(const struct ms_thread *t)
{
	return t->pointer != ms_thread_pointer() || t->traced == 0;
}

/* A traced thread stays traced until it has made the call. */
uint64_t ms_untraced_is(void);
uint64_t ms_untraced_is(void)
{
	struct ms_thread *t = ms_self();

	if (is_native(t))
		return 1;
	ms_escort_keep(t, MS_ESCORT_SHORT);
	return 0;
}

static struct ms_action to_kernel(const struct theirs *a)
{
	return (struct ms_action){ a->handler, (uint32_t)a->flags, 0, a->mask.words[0] };
}

/*
 * These functions keep the action that the program requests for a signal of memspy (the timer's or
 * the tracer's), in windows and between them.
 */
typedef int64_t keeper(const uint64_t args[6]);
static int tell(keeper *to, uint64_t signal, const struct theirs *wanted, struct theirs *old)
{
	struct ms_action now = { 0 }, was = { 0 };
	const uint64_t args[6] = { signal, wanted != NULL ? (uint64_t)&now : 0, (uint64_t)&was, 8 };

	if (wanted != NULL)
		now = to_kernel(wanted);
	to(args);
	if (old != NULL)
		*old = (struct theirs){ .handler = was.handler,
					.flags = (int32_t)was.flags,
					.mask.words[0] = was.mask };
	return 0;
}

static struct theirs to_library(const struct ms_action *a)
{
	return (struct theirs){ .handler = a->handler,
				.mask.words[0] = a->mask,
				.flags = (int32_t)a->flags,
				.restorer = a->restorer };
}

/* Whether this is the thread itself, not a child process that sees a copy of its parent's timer. */
static bool is_sampled(const struct ms_thread *t)
{
	return ms_sys(__NR_gettid, 0, 0, 0, 0, 0, 0) == (long)t->tid;
}

/*
 * Whether the kernel is to call ms_signal_entry instead of the handler. Where no code is traced,
 * only handlers with SA_ONSTACK need it: the kernel has memspy's alternate stack (altstack.c). A
 * vfork child is excluded, because it shares the memory but not the signal actions. A fork child
 * has its own memory, and memspy is off there.
 */
static bool has_entry(int signal, const struct theirs *wanted)
{
	const struct ms_thread *t = ms_self();

	if (signal < 1 || signal > 64 || wanted->handler <= 1 ||
	    t->pointer != ms_thread_pointer() || t->altstack.own == 0 ||
	    (signal == MS_SIGNAL && !ms_config.idle))
		return false;
	return ((uint32_t)wanted->flags & MS_ACTION_ONSTACK) != 0 && (!ms_on || is_sampled(t));
}

/* Adds the restorer, which the C library has added to the program's action. NULL: the action was
 * refused. */
static void complete(int signal, const struct ms_action *action)
{
	struct ms_action now, recorded = { 0 };

	if (action != NULL)
		recorded = *action;
	if (action != NULL && ms_action_set((uint64_t)signal, NULL, &now) == 0) {
		recorded.flags |= now.flags & MS_ACTION_RESTORER;
		recorded.restorer = now.restorer;
	}
	ms_tracer_record((uint64_t)signal, &recorded);
}

/* The action of any other signal. SIGIO may be memspy's (overflow.c), and the kernel may have a
 * handler of the tracer. */
typedef int real_action(int, const struct theirs *, struct theirs *);
MS_CALLS_OUT static int act(int signal, const struct theirs *wanted, struct theirs *old)
{
	struct ms_action was, a;
	struct theirs ours;
	bool known = ms_tracer_action_of((uint64_t)signal, &was);
	bool entered = wanted != NULL && has_entry(signal, wanted);

	if (wanted != NULL && ms_overflow_takes((uint32_t)signal, wanted->handler)) {
		a = ms_overflow_ours();
		ours = to_library(&a);
		wanted = &ours;
	} else if (entered) {
		a = to_kernel(wanted);
		ms_tracer_record((uint64_t)signal, &a); /* first: the signal may arrive at once */
		ours = *wanted;
		ours.handler = ms_tracer_entry();
		ours.flags = (int32_t)ms_tracer_entry_flags((uint32_t)ours.flags);
		wanted = &ours;
	}
	int status = ((real_action *)ms_wrap_real[MS_WRAP_sigaction])(signal, wanted, old);
	if (entered)
		complete(signal, status == 0 ? &a : known ? &was : NULL);
	if (status == 0 && old != NULL && ms_overflow_is(old->handler))
		*old = (struct theirs){ .handler = 0 };
	if (status == 0 && old != NULL && known)
		*old = to_library(&was);
	return status;
}

/*
 * Another thread may be in a window. A handler that the kernel calls there directly would find the
 * tracer's registers, and might never return to the tracer. So the tracer's handler is installed at
 * once. A child is excluded: a vfork child shares the memory but not the signal actions.
 */
static void take(int signal)
{
	const struct ms_thread *t = ms_self();

	if (!ms_config.idle && ms_on && t->pointer == ms_thread_pointer() && is_sampled(t))
		ms_tracer_take((uint64_t)signal);
}

static keeper *keeper_of(int signal)
{
	if (signal == MS_SIGNAL && !ms_config.idle)
		return ms_tracer_own_action;
	return signal == MS_TIMER_SIGNAL && ms_timer_is_on() ? ms_timer_action : NULL;
}

int ms_untraced_sigaction(int signal, const struct theirs *wanted, struct theirs *old);
MS_CALLS_OUT int ms_untraced_sigaction(int signal, const struct theirs *wanted, struct theirs *old)
{
	keeper *to = keeper_of(signal);

	if (to != NULL)
		return tell(to, (uint64_t)signal, wanted, old);
	int status = act(signal, wanted, old);
	if (status == 0 && wanted != NULL)
		take(signal);
	return status;
}

typedef uint64_t real_signal(int, uint64_t);
uint64_t ms_untraced_signal(int signal, uint64_t handler);
MS_CALLS_OUT uint64_t ms_untraced_signal(int signal, uint64_t handler)
{
	static const uint64_t failed = -1; /* SIG_ERR */
	keeper *to = keeper_of(signal);
	struct theirs old;

	if (to != NULL) {
		tell(to, (uint64_t)signal,
		     &(struct theirs){ .handler = handler, .flags = MS_ACTION_RESTART }, &old);
		return old.handler;
	}
	if (ms_overflow_takes((uint32_t)signal, handler))
		return act(signal, &(struct theirs){ .handler = handler }, &old) == 0 ? old.handler
										      : failed;
	struct ms_action was;
	bool known = ms_tracer_action_of((uint64_t)signal, &was);
	uint64_t before = ((real_signal *)ms_wrap_real[MS_WRAP_signal])(signal, handler);
	if (before == failed)
		return failed;
	take(signal);
	return known ? was.handler : ms_overflow_is(before) ? 0 : before;
}

/* --- signals that the program has blocked --- */

struct sent { /* siginfo_t */
	int32_t signal, error, code, rest[29];
};

/* Sends the signal to the thread or to the process, as it was sent before (pthread_sigqueue() and
 * sigqueue() cannot be distinguished). The kernel accepts the siginfo of a kill() (SI_USER) from
 * the first thread only. */
static void send_again(struct sent *sent)
{
	enum { BY_KILL = 0, TO_THREAD = -6 };
	long pid = ms_sys(SYS_getpid, 0, 0, 0, 0, 0, 0),
	     tid = ms_sys(__NR_gettid, 0, 0, 0, 0, 0, 0);

	if (sent->code != TO_THREAD &&
	    ms_sys(__NR_rt_sigqueueinfo, pid, MS_TIMER_SIGNAL, (long)sent, 0, 0, 0) == 0)
		return;
	if (sent->code == BY_KILL)
		ms_sys(SYS_kill, pid, MS_TIMER_SIGNAL, 0, 0, 0, 0);
	else
		ms_sys(__NR_rt_tgsigqueueinfo, pid, tid, MS_TIMER_SIGNAL, (long)sent, 0, 0);
}

/* Removes pending signals of memspy's timer, which is stopped, and sends all others again in their
 * order. first: an earlier signal, or NULL. */
static void sort_out(const struct ms_thread *t, struct sent *first)
{
	enum { MOST = 4 };
	static const uint64_t at_once[2];
	struct sent others[MOST];
	int n = 0;

	while (n < MOST && ms_sys(__NR_rt_sigtimedwait, (long)&our_bit, (long)&others[n],
				  (long)at_once, 8, 0, 0) > 0)
		n += !ms_timer_is_ours(t, &others[n]);
	if (first != NULL)
		send_again(first);
	for (int i = 0; i < n; i++)
		send_again(&others[i]);
}

/* From here on, even the return from a handler may be forbidden. */
void ms_disguise_leave(const struct ms_thread *t)
{
	uint64_t mask;

	if (!ms_timer_is_on())
		return;
	ms_sys(__NR_rt_sigprocmask, BLOCK, (long)&our_bit, (long)&mask, 8, 0, 0);
	ms_timer_leave();
	sort_out(t, NULL);
	ms_sys(__NR_rt_sigprocmask, SET, (long)&mask, 0, 8, 0, 0);
}

/* A thread continues without memspy: its mask becomes the one that it has set. The other threads
 * call this when their own timers expire. */
void ms_disguise_ends(struct ms_thread *t, uint64_t *mask)
{
	if (!ms_timer_is_on())
		return;
	*mask |= ms_disguise_hides(t);
	t->timer.hidden = 0;
	ms_timer_end(t);
	sort_out(t, NULL);
}

static void resume(struct ms_thread *t)
{
	if (ms_config.idle)
		ms_timed_resume(t);
	else
		ms_sample_resume(t);
}

/* Waits until another thread has received the signal; false: no thread has. */
static bool is_taken(void)
{
	enum { TIMES = 20 };
	static const uint64_t pause[2] = { 0, 50000 };
	uint64_t pending = our_bit;

	for (int i = 0; i < TIMES && (pending & our_bit) != 0; i++) {
		if (i > 0)
			ms_sys(__NR_nanosleep, (long)pause, 0, 0, 0, 0, 0);
		ms_sys(__NR_rt_sigpending, (long)&pending, 8, 0, 0, 0, 0);
	}
	return (pending & our_bit) == 0;
}

/*
 * If no other thread receives the signal, it stays pending for this one: the signal is really
 * blocked from here on, and the thread is not sampled until it unblocks it. (If it is really
 * blocked and arrives all the same, the thread is in a call that unblocks it temporarily, such as
 * ppoll().)
 */
bool ms_disguise_keep(struct ms_thread *t, void *info, uint64_t *uc)
{
	if (t->pointer != ms_thread_pointer() || !t->timer.hidden ||
	    (uc[MS_UCONTEXT_MASK] & our_bit) != 0)
		return false;
	bool sampled = is_sampled(t);
	t->timer.given = 1; /* first: prevents other threads from arming it */
	if (sampled)
		ms_timer_stop(t);
	sort_out(t, info);
	if (is_taken()) {
		t->timer.given = 0;
		if (sampled)
			resume(t);
	} else {
		uc[MS_UCONTEXT_MASK] |= our_bit;
	}
	return true;
}

/* Whether the kernel's mask may differ from the thread's. */
static bool is_disguised(const struct ms_thread *t)
{
	return t->pointer == ms_thread_pointer() && (ms_config.idle || ms_timer_is_on());
}

/*
 * A new thread inherits the mask of its creator, and is unknown until it registers. So the signal
 * is really blocked in the creator while it creates a thread.
 */
static void block_really(const struct ms_thread *t, int how)
{
	if (is_disguised(t) && !t->traced && t->timer.hidden && !t->timer.given)
		ms_sys(__NR_rt_sigprocmask, how, (long)&our_bit, 0, 8, 0, 0);
}

void ms_disguise_makes(const struct ms_thread *t)
{
	block_really(t, BLOCK);
}

void ms_disguise_made(const struct ms_thread *t)
{
	block_really(t, UNBLOCK);
}

/* --- masks --- */

/* The timer of a sampled thread, which has its mask; NULL for other threads, whose mask is the
 * kernel's. */
static struct ms_timer *timer_disguised(void)
{
	struct ms_thread *t = ms_self();

	return is_disguised(t) ? &t->timer : NULL;
}

static void hide(struct ms_timer *timer, int how, const struct set *wanted)
{
	bool ours = (wanted->words[0] & our_bit) != 0;

	if (how == SET || ours)
		timer->hidden = ours && how != UNBLOCK;
	if (timer->hidden)
		ms_exec_signals_needed();
}

/*
 * In a window the kernel has the mask that the program has set, so that reading the mask, and
 * pending signals, are correct. At the start of a window, the signal is really blocked if the
 * program has blocked it. What the program sets in the window is kept for the time after it.
 */
uint64_t ms_disguise_hides(const struct ms_thread *t)
{
	return is_disguised(t) && t->timer.hidden ? our_bit : 0;
}

/*
 * A signal of memspy's timer must not be pending in a window: the program would receive it by
 * sigwaitinfo() or a signalfd. The timer is armed again at the end of the window.
 */
static void silence(struct ms_thread *t)
{
	uint64_t waiting = 0;

	ms_timer_stop(t);
	ms_sys(__NR_rt_sigpending, (long)&waiting, 8, 0, 0, 0, 0);
	if ((waiting & our_bit) != 0)
		sort_out(t, NULL);
}

void ms_disguise_opens(struct ms_thread *t)
{
	if (ms_disguise_hides(t) == 0)
		return;
	ms_sys(__NR_rt_sigprocmask, BLOCK, (long)&our_bit, 0, 8, 0, 0);
	silence(t);
}

void ms_disguise_sets(struct ms_thread *t, const uint64_t args[6])
{
	int32_t was = t->timer.hidden;

	if (!is_disguised(t) || args[1] == 0)
		return;
	hide(&t->timer, (int)args[0], (const struct set *)args[1]);
	if (t->timer.hidden && !was)
		silence(t);
}

/* The program has unblocked the signal, and has received the pending one. */
static void take_back(struct ms_timer *timer)
{
	if (!timer->given || timer->hidden)
		return;
	timer->given = 0;
	if (is_sampled(ms_self()))
		resume(ms_self());
}

typedef int real_mask(int, const struct set *, struct set *);

/*
 * Makes the system call here. If a window opened in the C library's function before its system
 * call, the tracer would take the changed mask for the program's own. On an error, the library's
 * function is called for its error code. Two signals belong to the library.
 */
static inline int call_mask(real_mask *real, int how, const struct set *wanted, struct set *old)
{
	static const uint64_t librarys = UINT64_C(3) << (32 - 1);
	uint64_t set = wanted != NULL ? wanted->words[0] & ~librarys : 0;
	int64_t status = ms_sys(__NR_rt_sigprocmask, how, wanted != NULL ? (long)&set : 0,
				(long)old, 8, 0, 0);

	return status == 0 ? 0 : real(how, wanted, old);
}

MS_CALLS_OUT static int mask(uint64_t function, int how, const struct set *wanted, struct set *old)
{
	real_mask *real = (real_mask *)ms_wrap_real[function];
	struct ms_timer *timer = timer_disguised();
	int32_t was = timer != NULL ? timer->hidden : 0;
	struct set ours;

	if (timer != NULL && wanted != NULL)
		hide(timer, how, wanted);
	bool sampled = timer != NULL ? !timer->given : !ms_config.idle && ms_timer_is_on();
	if (wanted != NULL && how != UNBLOCK && sampled) {
		/* The kernel reads only this word. */
		ours.words[0] = wanted->words[0] & ~our_bit;
		wanted = &ours;
	}
	int status = call_mask(real, how, wanted, old);
	if (timer == NULL)
		return status;
	if (status != 0)
		timer->hidden = was;
	else if (old != NULL && was)
		old->words[0] |= our_bit;
	take_back(timer);
	return status;
}

int ms_untraced_sigprocmask(int how, const struct set *wanted, struct set *old);
MS_CALLS_OUT int ms_untraced_sigprocmask(int how, const struct set *wanted, struct set *old)
{
	return mask(MS_WRAP_sigprocmask, how, wanted, old);
}

int ms_untraced_pthread_sigmask(int how, const struct set *wanted, struct set *old);
MS_CALLS_OUT int ms_untraced_pthread_sigmask(int how, const struct set *wanted, struct set *old)
{
	return mask(MS_WRAP_pthread_sigmask, how, wanted, old);
}

/*
 * A pending signal must be handled while the thread waits, not before: otherwise the thread would
 * wait for ever. So the signal is really blocked until then, and no timer of memspy interrupts the
 * wait.
 */
static bool give(struct ms_thread *t)
{
	if (!t->timer.hidden || t->timer.given || !is_sampled(t))
		return false;
	ms_sys(__NR_rt_sigprocmask, BLOCK, (long)&our_bit, 0, 8, 0, 0);
	t->timer.given = 1;
	ms_timer_stop(t);
	sort_out(t, NULL);
	return true;
}

static void ungive(struct ms_thread *t)
{
	resume(t);
	ms_timer_open(t);
}

/*
 * An executed program inherits the kernel's mask, which lacks the bit. A child that is not sampled
 * (a vfork child shares the memory) has no timer that could send the signal.
 */
bool ms_disguise_executes(struct ms_thread *t)
{
	if (!is_disguised(t) || t->traced || !t->timer.hidden || t->timer.given ||
	    ms_timer_has_left())
		return false;
	if (!give(t))
		ms_sys(__NR_rt_sigprocmask, BLOCK, (long)&our_bit, 0, 8, 0, 0);
	return true;
}

void ms_disguise_executed_nothing(struct ms_thread *t)
{
	if (is_sampled(t))
		ungive(t);
	else
		ms_sys(__NR_rt_sigprocmask, UNBLOCK, (long)&our_bit, 0, 8, 0, 0);
}

typedef int real_suspend(const struct set *);
int ms_untraced_sigsuspend(const struct set *meanwhile);
MS_CALLS_OUT int ms_untraced_sigsuspend(const struct set *meanwhile)
{
	struct ms_timer *timer = timer_disguised();
	int32_t was = timer != NULL ? timer->hidden : 0;
	bool given = timer != NULL && give(ms_self());

	if (timer != NULL)
		hide(timer, SET, meanwhile);
	int status = ((real_suspend *)ms_wrap_real[MS_WRAP_sigsuspend])(meanwhile);
	if (timer != NULL)
		timer->hidden = was;
	if (given)
		ungive(ms_self());
	return status;
}

/* Other functions that unblock signals while they wait, or receive them: whether memspy's is among
 * these, and ms_waited() must be called afterwards. */
static uint64_t waits(const struct set *set, bool opens)
{
	struct ms_thread *t = ms_self();

	if (set == NULL || !is_disguised(t) || !t->timer.hidden || ms_untraced_is() == 0)
		return 0;
	return ((set->words[0] & our_bit) == 0) == opens && give(t);
}

void ms_waited(void);
void ms_waited(void)
{
	struct ms_thread *t = ms_self();

	if (t->timer.given && !t->traced)
		ungive(t);
}

#define WAIT(name, opens, ...)                                \
	uint64_t ms_waits_##name(__VA_ARGS__);                \
	uint64_t ms_waits_##name(__VA_ARGS__)                 \
	{                                                     \
		return waits((const struct set *)set, opens); \
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
		find = (errno_address *)(uintptr_t)ms_link_next("__errno_location", &object);
	if (find != NULL)
		*find() = error;
}

int ms_untraced_sigaltstack(const struct ms_sigstack *wanted, struct ms_sigstack *old);
MS_CALLS_OUT int ms_untraced_sigaltstack(const struct ms_sigstack *wanted, struct ms_sigstack *old)
{
	struct ms_thread *t = ms_self();
	uint64_t sp = (uint64_t)__builtin_frame_address(0);
	bool known = t->pointer == ms_thread_pointer() && t->altstack.own != 0;
	int64_t result;

	if (known && ms_on && !ms_timer_has_left() && is_sampled(t))
		result = ms_altstack_call(t, sp, wanted, old);
	else
		result = known ? ms_altstack_pass(t, wanted, old) : ms_sigstack_call(wanted, old);
	if (result == 0)
		return 0;
	set_errno((int)-result);
	return -1;
}
