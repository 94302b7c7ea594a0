/*
 * cpu_timer.c - a timer of each thread's own CPU time.
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
#include "signals/cpu_timer.h"

#include <linux/perf_event.h>

#include "raw_syscall.h"
#include "runtime/config.h"
#include "runtime/runtime.h"
#include "runtime/thread_state.h"
#include "runtime/threads.h"
#include "signals/altstack.h"
#include "signals/exec_signals.h"
#include "signals/perf_descriptor.h"
#include "signals/signal_action.h"
#include "signals/signal_overflow.h"

/* They stay below the usual limit of 1024 descriptors. */
enum { MOST_EVENTS = 256 };
enum { THREAD_CLOCK = 3, NOTIFY_THREAD = 4, CODE_TIMER = -2, CODE_MOST_EVENT = 6 };
/* A watchdog expires so much later than the event should have. */
enum { WATCHDOG_TIMES = 8, WATCHDOG_LEAST = 50 * 1000 * 1000 };
static const uint64_t second = 1000 * 1000 * 1000;

struct timer_sigevent { /* the kernel's sigevent */
	uint64_t value;
	int32_t signal, notify, thread;
	int32_t pad[11];
};

struct info { /* siginfo_t, of a timer, or of a descriptor */
	int32_t signal, error, code, pad;
	uint64_t number_or_band;
	uint64_t value_or_fd;
};

static ms_signals_timer_handler *on_expired;
static ms_signals_event_handler *on_other;
static struct ms_signals_sigaction program_action; /* the program's action for the signal */
static bool is_signal_taken;                       /* memspy uses the signal */
static bool is_stopped;                            /* no system call is permitted any more */
static int32_t event_count;                        /* number of open events */

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

	return ms_signals_open_perf_event(&wanted, thread);
}

static void take_event(struct ms_runtime_thread *t)
{
	struct ms_signals_timer *timer = ms_signals_get_timer(t);

	if (__atomic_add_fetch(&event_count, 1, __ATOMIC_SEQ_CST) <= MOST_EVENTS)
		timer->fd = open_event(t->tid);
	if (timer->fd == 0)
		__atomic_sub_fetch(&event_count, 1, __ATOMIC_SEQ_CST);
}

static void give_event_back(struct ms_runtime_thread *t)
{
	ms_signals_get_timer(t)->fd = 0;
	__atomic_sub_fetch(&event_count, 1, __ATOMIC_SEQ_CST);
}

static bool ask_event(const struct ms_runtime_thread *t, uint64_t request, const uint64_t *argument)
{
	return ms_runtime_syscall(__NR_ioctl, ms_signals_get_timer(t)->fd, (long)request,
				  (long)argument, 0, 0, 0) == 0;
}

/*
 * A running event restarts with its new period. To stop it first and to start it again would
 * program the processor's timer twice more, which is slow in a virtual machine. False: its
 * descriptor has been closed.
 */
static bool arm_event(struct ms_runtime_thread *t, uint64_t nanoseconds)
{
	struct ms_signals_timer *timer = ms_signals_get_timer(t);

	if (timer->fd == 0)
		return false;
	if (ask_event(t, PERF_EVENT_IOC_PERIOD, &nanoseconds) &&
	    (timer->event_runs || ask_event(t, PERF_EVENT_IOC_ENABLE, NULL))) {
		timer->event_runs = 1;
		return true;
	}
	give_event_back(t);
	return false;
}

static void stop_event(struct ms_runtime_thread *t)
{
	struct ms_signals_timer *timer = ms_signals_get_timer(t);

	if (timer->fd != 0 && timer->event_runs)
		ask_event(t, PERF_EVENT_IOC_DISABLE, NULL);
	__atomic_store_n(&timer->event_runs, 0, __ATOMIC_SEQ_CST);
}

/*
 * It is no member of the timer's group: on Linux 6.18, a member of another kind than the leader
 * counts nothing from the time that it is enabled until the thread is scheduled again.
 */
static void stop_companion(struct ms_runtime_thread *t)
{
	struct ms_signals_timer *timer = ms_signals_get_timer(t);

	if (timer->companion == 0 || timer->companion_stopped)
		return;
	timer->companion_stopped = 1;
	ms_signals_pause_companion(t);
}

static void start_companion(struct ms_runtime_thread *t)
{
	struct ms_signals_timer *timer = ms_signals_get_timer(t);

	if (timer->companion == 0 || !timer->companion_stopped)
		return;
	timer->companion_stopped = 0;
	ms_signals_resume_companion(t);
}

static void arm_posix(const struct ms_runtime_thread *t, uint64_t nanoseconds)
{
	const int64_t once[4] = { 0, 0, (int64_t)(nanoseconds / second),
				  (int64_t)(nanoseconds % second) };

	ms_runtime_syscall(__NR_timer_settime, ms_signals_get_timer(t)->posix, 0, (long)once, 0, 0,
			   0);
}

/* --- the signal --- */

static bool is_thread_timer(const struct ms_runtime_thread *t, const struct info *info)
{
	struct ms_signals_timer *timer = ms_signals_get_timer(t);

	if (info->code == CODE_TIMER)
		return info->value_or_fd == (uint64_t)t;
	return info->code > 0 && info->code <= CODE_MOST_EVENT && timer->fd != 0 &&
	       (uint32_t)info->value_or_fd == (uint32_t)timer->fd;
}

/*
 * The signal is from a timer or descriptor that was released, or from another thread's: a timer of
 * memspy carries its thread, and its descriptors are out of the program's range. All others are the
 * program's.
 */
static bool was_memspy_event(const struct info *info)
{
	const struct ms_runtime_thread *t = NULL;

	if (info->code > 0 && info->code <= CODE_MOST_EVENT)
		return (uint32_t)info->value_or_fd >= MS_SIGNALS_FIRST_DESCRIPTOR;
	if (info->code != CODE_TIMER)
		return false;
	while ((t = ms_runtime_get_next_thread(t)) != NULL)
		if (info->value_or_fd == (uint64_t)t)
			return true;
	return false;
}

bool ms_signals_is_from_memspy_timer(const struct ms_runtime_thread *t, const void *info)
{
	return is_thread_timer(t, info) || was_memspy_event(info);
}

/* An event that does not expire any more is lost: its descriptor has been closed or reused. */
static void check_watchdog(struct ms_runtime_thread *t, const struct info *info)
{
	struct ms_signals_timer *timer = ms_signals_get_timer(t);
	enum { ENOUGH = 3 };

	if (info->code == CODE_TIMER)
		timer->watched = 0;
	if (info->code != CODE_TIMER)
		timer->watchdog_shots = 0;
	else if (timer->fd != 0 && ++timer->watchdog_shots >= ENOUGH)
		give_event_back(t);
}

/*
 * The signal is the program's. Its handler runs where it would without memspy, unless the thread is
 * traced: then it interrupts generated code, and must return to that at once. ends: the address
 * that a handler returns to.
 */
static void forward_to_program(struct ms_runtime_thread *t, int signal, struct info *info,
			       uint64_t *uc, uint64_t ends)
{
	const struct ms_signals_sigaction was = program_action;
	bool traced = t->thread_pointer == ms_runtime_get_thread_pointer() && t->traced != 0;

	if (was.handler > 1 && (was.flags & MS_SIGNALS_ACTION_RESETHAND) != 0)
		program_action = (struct ms_signals_sigaction){ 0 };
	if (was.handler == 0)
		ms_signals_end_program_by(MS_SIGNALS_TIMER_SIGNAL);
	else if (was.handler > 1 &&
		 (traced || !ms_signals_enter_handler(t, &was, signal, uc, ends)))
		((void (*)(int, struct info *, uint64_t *))was.handler)(signal, info, uc);
}

/*
 * Another thread may arm the timer meanwhile (ms_sampling_call_into_window), and the two of them
 * may leave any combination of `event_runs` and the event's state. An event that has expired runs,
 * and one that was armed meanwhile must expire again.
 */
static void stop_expired(struct ms_runtime_thread *t, const struct info *info)
{
	struct ms_signals_timer *timer = ms_signals_get_timer(t);

	if (info->code != CODE_TIMER)
		__atomic_store_n(&timer->event_runs, timer->fd != 0, __ATOMIC_SEQ_CST);
	stop_event(t);
	if (__atomic_load_n(&timer->armed, __ATOMIC_SEQ_CST))
		arm_event(t, 1);
}

static void handle_signal(int signal, struct info *info, uint64_t *uc)
{
	struct ms_runtime_thread *t = ms_runtime_get_thread(); /* or its creator's */

	ms_runtime_disable_alignment_checks();
	if (is_stopped && (is_thread_timer(t, info) || was_memspy_event(info)))
		return;
	if (t->thread_pointer != ms_runtime_get_thread_pointer() || !is_thread_timer(t, info)) {
		if (!was_memspy_event(info) && !ms_signals_keep_program_signal(t, info, uc))
			forward_to_program(t, signal, info, uc,
					   (uint64_t)__builtin_return_address(0));
		else if (info->code > 0 && on_other != NULL && ms_runtime_active &&
			 t->thread_pointer == ms_runtime_get_thread_pointer())
			on_other(t, (int32_t)info->value_or_fd, uc);
		return;
	}
	check_watchdog(t, info);
	__atomic_store_n(&ms_signals_get_timer(t)->armed, 0, __ATOMIC_SEQ_CST);
	if (ms_runtime_active)
		on_expired(t, uc);
	if (!ms_signals_get_timer(t)->armed) /* it must expire only once */
		stop_expired(t, info);
}

/* The parent process may have ignored the signal. */
bool ms_signals_start_timers(ms_signals_timer_handler *expired)
{
	const struct ms_signals_sigaction ours =
		ms_signals_make_memspy_action((uint64_t)handle_signal);
	const uint64_t most = ms_runtime_config.attached ? 0 : 1;
	struct ms_signals_sigaction was;

	on_expired = expired;
	if (ms_signals_set_action(MS_SIGNALS_TIMER_SIGNAL, NULL, &was) != 0 || was.handler > most)
		return false;
	is_signal_taken = ms_signals_set_action(MS_SIGNALS_TIMER_SIGNAL, &ours, NULL) == 0;
	if (!is_signal_taken)
		return false;
	program_action = was;
	ms_signals_note_disposition(was.handler);
	ms_signals_take_overflow_signal();
	return true;
}

bool ms_signals_is_timer_signal_ignored(void)
{
	return is_signal_taken && program_action.handler == 1;
}

/* Signals of timers that have expired meanwhile were ignored. */
void ms_signals_retake_timer_signal(void)
{
	enum { SOON = 1000 * 1000 };
	const struct ms_signals_sigaction ours =
		ms_signals_make_memspy_action((uint64_t)handle_signal);
	struct ms_runtime_thread *t = NULL;
	struct ms_signals_sigaction was;

	if (!is_signal_taken || is_stopped ||
	    ms_signals_set_action(MS_SIGNALS_TIMER_SIGNAL, NULL, &was) != 0 ||
	    was.handler == ours.handler)
		return;
	ms_signals_set_action(MS_SIGNALS_TIMER_SIGNAL, &ours, NULL);
	while ((t = ms_runtime_get_next_thread(t)) != NULL)
		if (ms_signals_get_timer(t)->armed && !ms_signals_get_timer(t)->kernel_blocked &&
		    !t->ended)
			ms_signals_arm_timer(t, SOON);
}

bool ms_signals_is_timer_signal_taken(void)
{
	return is_signal_taken;
}

bool ms_signals_are_timers_stopped(void)
{
	return is_stopped;
}

void ms_signals_stop_all_timers(void)
{
	struct ms_runtime_thread *t = NULL;

	is_stopped = true;
	while ((t = ms_runtime_get_next_thread(t)) != NULL)
		ms_signals_stop_timer(t);
	ms_signals_release_overflow_signal();
}

void ms_signals_set_event_handler(ms_signals_event_handler *other)
{
	on_other = other;
}

int64_t ms_signals_emulate_timer_action(const uint64_t args[6])
{
	const struct ms_signals_sigaction was = program_action;

	if (args[1] != 0) {
		program_action = *(const struct ms_signals_sigaction *)args[1];
		ms_signals_note_disposition(program_action.handler);
	}
	if (args[2] != 0)
		*(struct ms_signals_sigaction *)args[2] = was;
	return 0;
}

/* --- a thread's timer --- */

void ms_signals_set_companion(struct ms_runtime_thread *t, int32_t fd)
{
	struct ms_signals_timer *timer = ms_signals_get_timer(t);

	timer->companion = fd;
	timer->companion_stopped = 0;
}

void ms_signals_pause_companion(const struct ms_runtime_thread *t)
{
	const struct ms_signals_timer *timer = ms_signals_get_timer(t);

	if (timer->companion != 0)
		ms_runtime_syscall(__NR_ioctl, timer->companion, PERF_EVENT_IOC_DISABLE, 0, 0, 0,
				   0);
}

void ms_signals_resume_companion(const struct ms_runtime_thread *t)
{
	const struct ms_signals_timer *timer = ms_signals_get_timer(t);

	if (timer->companion != 0 && !timer->companion_stopped)
		ms_runtime_syscall(__NR_ioctl, timer->companion, PERF_EVENT_IOC_ENABLE, 0, 0, 0, 0);
}

static const uint64_t our_bit = UINT64_C(1) << (MS_SIGNALS_TIMER_SIGNAL - 1);

static bool is_blocked(void)
{
	uint64_t blocked = 0;

	ms_runtime_syscall(__NR_rt_sigprocmask, 0, 0, (long)&blocked, 8, 0, 0);
	return (blocked & our_bit) != 0;
}

bool ms_signals_create_timer(struct ms_runtime_thread *t)
{
	struct ms_signals_timer *timer = ms_signals_get_timer(t);
	const struct timer_sigevent wanted = { .value = (uint64_t)t,
					       .signal = MS_SIGNALS_TIMER_SIGNAL,
					       .notify = NOTIFY_THREAD,
					       .thread = (int32_t)t->tid };

	if (timer->is_created)
		return true;
	*timer = (struct ms_signals_timer){ 0 };
	if (is_blocked()) /* its creator, or the parent process, may have blocked all signals */
		timer->blocked_by_program = timer->kernel_blocked = 1;
	if (ms_runtime_syscall(__NR_timer_create, THREAD_CLOCK, (long)&wanted, (long)&timer->posix,
			       0, 0, 0) != 0)
		return false;
	take_event(t);
	timer->is_created = 1;
	return true;
}

void ms_signals_unblock_timer(struct ms_runtime_thread *t)
{
	struct ms_signals_timer *timer = ms_signals_get_timer(t);

	if (!timer->is_created || !timer->kernel_blocked)
		return;
	timer->kernel_blocked = 0;
	if (timer->blocked_by_program)
		ms_signals_require_exec_wrappers();
	ms_runtime_syscall(__NR_rt_sigprocmask, 1 /* unblock */, (long)&our_bit, 0, 8, 0, 0);
}

/* Not each time: that would take as long as arming the event. The rest of its time, at least half,
 * is enough for the event. */
static void arm_watchdog(struct ms_runtime_thread *t, uint64_t nanoseconds)
{
	struct ms_signals_timer *timer = ms_signals_get_timer(t);
	uint64_t enough = nanoseconds * WATCHDOG_TIMES / 2 + WATCHDOG_LEAST / 2;

	if (timer->watched < enough + nanoseconds) {
		timer->watched = 2 * enough;
		arm_posix(t, timer->watched);
	}
	timer->watched -= nanoseconds;
}

void ms_signals_arm_timer(struct ms_runtime_thread *t, uint64_t nanoseconds)
{
	struct ms_signals_timer *timer = ms_signals_get_timer(t);

	if (!timer->is_created || is_stopped)
		return;
	__atomic_store_n(&timer->armed, 1, __ATOMIC_SEQ_CST);
	start_companion(t);
	if (!arm_event(t, nanoseconds)) {
		timer->watched = 0;
		arm_posix(t, nanoseconds > 0 ? nanoseconds : 1);
	} else {
		arm_watchdog(t, nanoseconds);
	}
}

/* The signal of its other timer has an entry in the queue. */
void ms_signals_retry_timer(struct ms_runtime_thread *t)
{
	struct ms_signals_timer *timer = ms_signals_get_timer(t);

	if (is_stopped || !timer->event_runs)
		return;
	stop_event(t);
	stop_companion(t);
	timer->watched = 0;
	timer->watchdog_shots = 0;
	arm_posix(t, 1);
}

bool ms_signals_timer_spares_syscalls(const struct ms_runtime_thread *t)
{
	return ms_signals_get_timer(t)->fd != 0;
}

void ms_signals_stop_timer(struct ms_runtime_thread *t)
{
	struct ms_signals_timer *timer = ms_signals_get_timer(t);

	if (!timer->is_created)
		return;
	stop_event(t);
	stop_companion(t);
	timer->watched = 0;
	arm_posix(t, 0);
}

void ms_signals_begin_call(const struct ms_runtime_thread *t)
{
	__atomic_add_fetch(&ms_signals_get_timer(t)->callers, 1, __ATOMIC_SEQ_CST);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void ms_signals_end_call(const struct ms_runtime_thread *t)
{
	__atomic_sub_fetch(&ms_signals_get_timer(t)->callers, 1, __ATOMIC_SEQ_CST);
}

/* A caller needs only to run. If a handler of the program has interrupted it, and does not return,
 * waiting for it would not end. */
static void wait_for_callers(const struct ms_signals_timer *timer)
{
	enum { TIMES = 1000 };
	static const uint64_t pause[2] = { 0, 50000 };

	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	for (int i = 0; i < TIMES && __atomic_load_n(&timer->callers, __ATOMIC_SEQ_CST) != 0; i++)
		ms_runtime_syscall(__NR_nanosleep, (long)pause, 0, 0, 0, 0, 0);
}

/* `event_runs` may be wrong: see stop_expired(). */
void ms_signals_stop_called_timer(struct ms_runtime_thread *t)
{
	struct ms_signals_timer *timer = ms_signals_get_timer(t);

	wait_for_callers(timer);
	__atomic_store_n(&timer->event_runs, timer->fd != 0, __ATOMIC_SEQ_CST);
	ms_signals_stop_timer(t);
}

void ms_signals_delete_timer(struct ms_runtime_thread *t)
{
	struct ms_signals_timer *timer = ms_signals_get_timer(t);

	if (!timer->is_created)
		return;
	ms_signals_stop_timer(t);
	ms_runtime_syscall(__NR_timer_delete, timer->posix, 0, 0, 0, 0, 0);
	/*
	 * Only if it is still memspy's: a program may have closed it, and have another file there.
	 */
	if (timer->fd != 0 &&
	    ms_runtime_syscall(__NR_ioctl, timer->fd, PERF_EVENT_IOC_DISABLE, 0, 0, 0, 0) == 0) {
		ms_runtime_syscall(SYS_close, timer->fd, 0, 0, 0, 0, 0);
		give_event_back(t);
	}
	timer->is_created = 0;
}

/* The child's descriptor, which refers to the parent's event: the event continues. */
static void close_copy(const struct ms_runtime_thread *t)
{
	struct ms_signals_timer *timer = ms_signals_get_timer(t);
	uint64_t id;

	if (timer->fd != 0 &&
	    ms_runtime_syscall(__NR_ioctl, timer->fd, PERF_EVENT_IOC_ID, (long)&id, 0, 0, 0) == 0)
		ms_runtime_syscall(SYS_close, timer->fd, 0, 0, 0, 0, 0);
}

void ms_signals_reset_timers(struct ms_runtime_thread *t)
{
	struct ms_signals_timer *timer = ms_signals_get_timer(t);

	for (struct ms_runtime_thread *each = ms_runtime_get_next_thread(NULL); each != NULL;
	     each = ms_runtime_get_next_thread(each))
		close_copy(each);
	*timer = (struct ms_signals_timer){ .blocked_by_program = timer->blocked_by_program,
					    .kernel_blocked = timer->kernel_blocked };
	event_count = 0;
}
