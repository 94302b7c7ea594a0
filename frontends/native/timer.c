/*
 * timer.c - a timer of each thread's own CPU time.
 *
 * The kernel has two. Its perf event "task clock" is accurate to some microseconds. Restricted to
 * user code, it expires only there, so that it never interrupts a system call. It needs a
 * descriptor, which is kept out of the program's range, and may be denied (perf_event_paranoid,
 * seccomp). A POSIX timer needs nothing, and expires at the scheduler's ticks, some milliseconds
 * late. It is used where the event is denied, for threads beyond the first MOST_EVENTS, and as a
 * watchdog of an event: a program that closes all descriptors closes memspy's too.
 *
 * The signal is the program's unless a timer of memspy sends it.
 */
#include "timer.h"

#include <linux/perf_event.h>

#include "action.h"
#include "altstack.h"
#include "exec_signals.h"
#include "overflow.h"
#include "runtime.h"
#include "runtime/config.h"
#include "runtime/thread_state.h"
#include "runtime/threads.h"
#include "sys.h"

/* They stay below the usual limit of 1024 descriptors. */
enum { MOST_EVENTS = 256, FIRST_FD = 700 };
enum { THREAD_CLOCK = 3, NOTIFY_THREAD = 4, CODE_TIMER = -2, CODE_MOST_EVENT = 6 };
/* As in <fcntl.h>. */
enum { SET_FLAGS = 4, SET_SIGNAL = 10, SET_OWNER = 15, DUPLICATE = 1030, ASYNC = 020000 };
/* A watchdog expires so much later than the event should have. */
enum { WATCHDOG_TIMES = 8, WATCHDOG_LEAST = 50 * 1000 * 1000 };
static const uint64_t second = 1000 * 1000 * 1000;

struct event { /* the kernel's sigevent */
	uint64_t value;
	int32_t signal, notify, thread;
	int32_t pad[11];
};

struct info { /* siginfo_t, of a timer, or of a descriptor */
	int32_t signal, error, code, pad;
	uint64_t number_or_band;
	uint64_t value_or_fd;
};

static ms_timer_expired *on_expired;
static ms_timer_other *on_other;
static struct ms_action theirs; /* the program's action for the signal */
static bool on;                 /* memspy uses the signal */
static bool left;               /* no system call is permitted any more */
static int32_t events;          /* number of open events */

/* --- the kernel's timers --- */

static int32_t open_event(uint32_t thread)
{
	const struct perf_event_attr wanted = { .type = PERF_TYPE_SOFTWARE,
						.size = sizeof(wanted),
						.config = PERF_COUNT_SW_TASK_CLOCK,
						.sample_period = second,
						.wakeup_events = 1,
						.disabled = 1,
						.exclude_kernel = 1,
						.exclude_hv = 1 };
	const int32_t owner[2] = { 0 /* a thread */, (int32_t)thread };
	long low = ms_sys(__NR_perf_event_open, (long)&wanted, thread, -1, -1, PERF_FLAG_FD_CLOEXEC,
			  0);
	long fd;

	if (low < 0)
		return 0;
	fd = ms_sys(__NR_fcntl, low, DUPLICATE, FIRST_FD, 0, 0, 0);
	ms_sys(SYS_close, low, 0, 0, 0, 0, 0);
	if (fd < 0)
		return 0;
	if (ms_sys(__NR_fcntl, fd, SET_OWNER, (long)owner, 0, 0, 0) == 0 &&
	    ms_sys(__NR_fcntl, fd, SET_SIGNAL, MS_TIMER_SIGNAL, 0, 0, 0) == 0 &&
	    ms_sys(__NR_fcntl, fd, SET_FLAGS, ASYNC, 0, 0, 0) == 0)
		return (int32_t)fd;
	ms_sys(SYS_close, fd, 0, 0, 0, 0, 0);
	return 0;
}

static void take_event(struct ms_thread *t)
{
	if (__atomic_add_fetch(&events, 1, __ATOMIC_SEQ_CST) <= MOST_EVENTS)
		t->timer.fd = open_event(t->tid);
	if (t->timer.fd == 0)
		__atomic_sub_fetch(&events, 1, __ATOMIC_SEQ_CST);
}

static void give_event_back(struct ms_thread *t)
{
	t->timer.fd = 0;
	__atomic_sub_fetch(&events, 1, __ATOMIC_SEQ_CST);
}

static bool ask_event(const struct ms_thread *t, uint64_t request, const uint64_t *argument)
{
	return ms_sys(__NR_ioctl, t->timer.fd, (long)request, (long)argument, 0, 0, 0) == 0;
}

/*
 * A running event restarts with its new period. To stop it first and to start it again would
 * program the processor's timer twice more, which is slow in a virtual machine. False: its
 * descriptor has been closed.
 */
static bool arm_event(struct ms_thread *t, uint64_t nanoseconds)
{
	if (t->timer.fd == 0)
		return false;
	if (ask_event(t, PERF_EVENT_IOC_PERIOD, &nanoseconds) &&
	    (t->timer.runs || ask_event(t, PERF_EVENT_IOC_ENABLE, NULL))) {
		t->timer.runs = 1;
		return true;
	}
	give_event_back(t);
	return false;
}

static void stop_event(struct ms_thread *t)
{
	if (t->timer.fd != 0 && t->timer.runs)
		ask_event(t, PERF_EVENT_IOC_DISABLE, NULL);
	t->timer.runs = 0;
}

static void arm_posix(const struct ms_thread *t, uint64_t nanoseconds)
{
	const int64_t once[4] = { 0, 0, (int64_t)(nanoseconds / second),
				  (int64_t)(nanoseconds % second) };

	ms_sys(__NR_timer_settime, t->timer.posix, 0, (long)once, 0, 0, 0);
}

/* --- the signal --- */

static bool is_ours(const struct ms_thread *t, const struct info *info)
{
	if (info->code == CODE_TIMER)
		return info->value_or_fd == (uint64_t)t;
	return info->code > 0 && info->code <= CODE_MOST_EVENT && t->timer.fd != 0 &&
	       (uint32_t)info->value_or_fd == (uint32_t)t->timer.fd;
}

/*
 * The signal is from a timer or descriptor that was released, or from another thread's: a timer of
 * memspy carries its thread, and its descriptors are out of the program's range. All others are the
 * program's.
 */
static bool was_ours(const struct info *info)
{
	const struct ms_thread *t = NULL;

	if (info->code > 0 && info->code <= CODE_MOST_EVENT)
		return (uint32_t)info->value_or_fd >= FIRST_FD;
	if (info->code != CODE_TIMER)
		return false;
	while ((t = ms_thread_next(t)) != NULL)
		if (info->value_or_fd == (uint64_t)t)
			return true;
	return false;
}

bool ms_timer_is_ours(const struct ms_thread *t, const void *info)
{
	return is_ours(t, info) || was_ours(info);
}

/* An event that does not expire any more is lost: its descriptor has been closed or reused. */
static void watch(struct ms_thread *t, const struct info *info)
{
	enum { ENOUGH = 3 };

	if (info->code == CODE_TIMER)
		t->timer.watched = 0;
	if (info->code != CODE_TIMER)
		t->timer.shots = 0;
	else if (t->timer.fd != 0 && ++t->timer.shots >= ENOUGH)
		give_event_back(t);
}

/*
 * The signal is the program's. Its handler runs where it would without memspy, unless the thread is
 * traced: then it interrupts generated code, and must return to that at once. ends: the address
 * that a handler returns to.
 */
static void pass_on(struct ms_thread *t, int signal, struct info *info, uint64_t *uc, uint64_t ends)
{
	const struct ms_action was = theirs;
	bool traced = t->pointer == ms_thread_pointer() && t->traced != 0;

	if (was.handler > 1 && (was.flags & MS_ACTION_RESET) != 0)
		theirs = (struct ms_action){ 0 };
	if (was.handler == 0)
		ms_action_end_by(MS_TIMER_SIGNAL);
	else if (was.handler > 1 && (traced || !ms_altstack_enter(t, &was, signal, uc, ends)))
		((void (*)(int, struct info *, uint64_t *))was.handler)(signal, info, uc);
}

static void arrive(int signal, struct info *info, uint64_t *uc)
{
	struct ms_thread *t = ms_self(); /* or its creator's */

	ms_no_checks();
	if (left && (is_ours(t, info) || was_ours(info)))
		return;
	if (t->pointer != ms_thread_pointer() || !is_ours(t, info)) {
		if (!was_ours(info) && !ms_disguise_keep(t, info, uc))
			pass_on(t, signal, info, uc, (uint64_t)__builtin_return_address(0));
		else if (info->code > 0 && on_other != NULL && ms_on &&
			 t->pointer == ms_thread_pointer())
			on_other(t, (int32_t)info->value_or_fd, uc);
		return;
	}
	watch(t, info);
	t->timer.armed = 0;
	if (ms_on)
		on_expired(t, uc);
	if (!t->timer.armed) /* it must expire only once */
		stop_event(t);
}

/* The parent process may have ignored the signal. */
bool ms_timer_start(ms_timer_expired *expired)
{
	const struct ms_action ours = ms_action_ours((uint64_t)arrive);
	const uint64_t most = ms_config.attached ? 0 : 1;
	struct ms_action was;

	on_expired = expired;
	if (ms_action_set(MS_TIMER_SIGNAL, NULL, &was) != 0 || was.handler > most)
		return false;
	on = ms_action_set(MS_TIMER_SIGNAL, &ours, NULL) == 0;
	if (!on)
		return false;
	theirs = was;
	ms_exec_signals_set(was.handler);
	ms_overflow_start();
	return true;
}

bool ms_timer_ignores(void)
{
	return on && theirs.handler == 1;
}

/* Signals of timers that have expired meanwhile were ignored. */
void ms_timer_take_back(void)
{
	enum { SOON = 1000 * 1000 };
	const struct ms_action ours = ms_action_ours((uint64_t)arrive);
	struct ms_thread *t = NULL;
	struct ms_action was;

	if (!on || left || ms_action_set(MS_TIMER_SIGNAL, NULL, &was) != 0 ||
	    was.handler == ours.handler)
		return;
	ms_action_set(MS_TIMER_SIGNAL, &ours, NULL);
	while ((t = ms_thread_next(t)) != NULL)
		if (t->timer.armed && !t->timer.given && !t->ended)
			ms_timer_arm(t, SOON);
}

bool ms_timer_is_on(void)
{
	return on;
}

bool ms_timer_has_left(void)
{
	return left;
}

void ms_timer_leave(void)
{
	struct ms_thread *t = NULL;

	left = true;
	while ((t = ms_thread_next(t)) != NULL)
		ms_timer_stop(t);
	ms_overflow_leave();
}

void ms_timer_others(ms_timer_other *other)
{
	on_other = other;
}

int64_t ms_timer_action(const uint64_t args[6])
{
	const struct ms_action was = theirs;

	if (args[1] != 0) {
		theirs = *(const struct ms_action *)args[1];
		ms_exec_signals_set(theirs.handler);
	}
	if (args[2] != 0)
		*(struct ms_action *)args[2] = was;
	return 0;
}

/* --- a thread's timer --- */

static const uint64_t our_bit = UINT64_C(1) << (MS_TIMER_SIGNAL - 1);

static bool is_blocked(void)
{
	uint64_t blocked = 0;

	ms_sys(__NR_rt_sigprocmask, 0, 0, (long)&blocked, 8, 0, 0);
	return (blocked & our_bit) != 0;
}

bool ms_timer_make(struct ms_thread *t)
{
	const struct event wanted = { .value = (uint64_t)t,
				      .signal = MS_TIMER_SIGNAL,
				      .notify = NOTIFY_THREAD,
				      .thread = (int32_t)t->tid };

	if (t->timer.made)
		return true;
	t->timer = (struct ms_timer){ 0 };
	if (is_blocked()) /* its creator, or the parent process, may have blocked all signals */
		t->timer.hidden = t->timer.given = 1;
	if (ms_sys(__NR_timer_create, THREAD_CLOCK, (long)&wanted, (long)&t->timer.posix, 0, 0,
		   0) != 0)
		return false;
	take_event(t);
	t->timer.made = 1;
	return true;
}

void ms_timer_open(struct ms_thread *t)
{
	if (!t->timer.made || !t->timer.given)
		return;
	t->timer.given = 0;
	if (t->timer.hidden)
		ms_exec_signals_needed();
	ms_sys(__NR_rt_sigprocmask, 1 /* unblock */, (long)&our_bit, 0, 8, 0, 0);
}

/* Not each time: that would take as long as arming the event. The rest of its time, at least half,
 * is enough for the event. */
static void arm_watchdog(struct ms_thread *t, uint64_t nanoseconds)
{
	uint64_t enough = nanoseconds * WATCHDOG_TIMES / 2 + WATCHDOG_LEAST / 2;

	if (t->timer.watched < enough + nanoseconds) {
		t->timer.watched = 2 * enough;
		arm_posix(t, t->timer.watched);
	}
	t->timer.watched -= nanoseconds;
}

void ms_timer_arm(struct ms_thread *t, uint64_t nanoseconds)
{
	if (!t->timer.made || left)
		return;
	t->timer.armed = 1;
	if (!arm_event(t, nanoseconds)) {
		t->timer.watched = 0;
		arm_posix(t, nanoseconds > 0 ? nanoseconds : 1);
	} else {
		arm_watchdog(t, nanoseconds);
	}
}

/* The signal of its other timer has an entry in the queue. */
void ms_timer_overflowed(struct ms_thread *t)
{
	if (left || !t->timer.runs)
		return;
	stop_event(t);
	t->timer.watched = 0;
	t->timer.shots = 0;
	arm_posix(t, 1);
}

bool ms_timer_spares_calls(const struct ms_thread *t)
{
	return t->timer.fd != 0;
}

void ms_timer_stop(struct ms_thread *t)
{
	if (!t->timer.made)
		return;
	stop_event(t);
	t->timer.watched = 0;
	arm_posix(t, 0);
}

void ms_timer_end(struct ms_thread *t)
{
	if (!t->timer.made)
		return;
	ms_timer_stop(t);
	ms_sys(__NR_timer_delete, t->timer.posix, 0, 0, 0, 0, 0);
	/*
	 * Only if it is still memspy's: a program may have closed it, and have another file there.
	 */
	if (t->timer.fd != 0 &&
	    ms_sys(__NR_ioctl, t->timer.fd, PERF_EVENT_IOC_DISABLE, 0, 0, 0, 0) == 0) {
		ms_sys(SYS_close, t->timer.fd, 0, 0, 0, 0, 0);
		give_event_back(t);
	}
	t->timer.made = 0;
}

/* The child's descriptor, which refers to the parent's event: the event continues. */
static void close_copy(const struct ms_thread *t)
{
	uint64_t id;

	if (t->timer.fd != 0 &&
	    ms_sys(__NR_ioctl, t->timer.fd, PERF_EVENT_IOC_ID, (long)&id, 0, 0, 0) == 0)
		ms_sys(SYS_close, t->timer.fd, 0, 0, 0, 0, 0);
}

void ms_timer_forked(struct ms_thread *t)
{
	for (struct ms_thread *each = ms_thread_next(NULL); each != NULL;
	     each = ms_thread_next(each))
		close_copy(each);
	t->timer = (struct ms_timer){ .hidden = t->timer.hidden, .given = t->timer.given };
	events = 0;
}
