/*
 * program_actions.c - the signal actions that the program has set, while memspy's entry is
 * installed.
 *
 * The kernel has the tracer's entry for each signal with a handler. sigaction() operates on a
 * copy of the program's actions, so the program reads what it has set.
 */
#include "signals/program_actions.h"

#include "raw_syscall.h"
#include "runtime/hooks.h"
#include "signals/cpu_timer.h"
#include "signals/exec_signals.h"
#include "signals/signal_action.h"
#include "signals/signal_overflow.h"

enum {
	SIGNALS = 64,
	SIG_KILL = 9,
	SIG_STOP = 19,
	BAD_ADDRESS = -14,
};

static struct ms_signals_sigaction
	actions[SIGNALS + 1]; /* of the program, for signals with a handler */
/*
 * The last handler of each signal: another thread may remove it while the kernel calls the entry.
 */
static uint64_t handlers[SIGNALS + 1];

const struct ms_signals_sigaction *ms_signals_get_shadow_action(int signal)
{
	return &actions[signal];
}

bool ms_signals_has_handler(const struct ms_signals_sigaction *a)
{
	return a->handler > 1;
}

uint64_t ms_signals_get_entry_flags(uint64_t flags)
{
	return (flags | MS_SIGNALS_ACTION_SIGINFO | MS_SIGNALS_ACTION_ONSTACK) &
	       ~MS_SIGNALS_ACTION_RESETHAND;
}

void ms_signals_set_program_action(uint64_t signal, const struct ms_signals_sigaction *action)
{
	actions[signal] = *action;
	if (ms_signals_has_handler(action))
		handlers[signal] = action->handler;
}

static int64_t install_entry(uint64_t signal, const struct ms_signals_sigaction *program_action)
{
	struct ms_signals_sigaction memspy_action = *program_action;

	handlers[signal] = program_action->handler;
	memspy_action.handler = ms_native_hooks.get_signal_entry();
	memspy_action.flags = ms_signals_get_entry_flags(memspy_action.flags);
	return ms_signals_set_action(signal, &memspy_action, NULL);
}

void ms_signals_install_tracer_signal(void)
{
	const struct ms_signals_sigaction own =
		ms_signals_make_memspy_action(ms_native_hooks.get_signal_entry());
	struct ms_signals_sigaction was;

	if (ms_signals_set_action(MS_SIGNALS_TRACER_SIGNAL, NULL, &was) != 0 ||
	    was.handler == ms_native_hooks.get_signal_entry() || ms_signals_is_exec_under_way())
		return;
	actions[MS_SIGNALS_TRACER_SIGNAL] = was;
	ms_signals_note_disposition(was.handler);
	ms_signals_set_action(MS_SIGNALS_TRACER_SIGNAL, &own, NULL);
}

bool ms_signals_is_tracer_signal_ignored(void)
{
	return actions[MS_SIGNALS_TRACER_SIGNAL].handler == 1;
}

/* The program's action stays recorded. */
void ms_signals_retake_tracer_signal(void)
{
	const struct ms_signals_sigaction own =
		ms_signals_make_memspy_action(ms_native_hooks.get_signal_entry());

	ms_signals_set_action(MS_SIGNALS_TRACER_SIGNAL, &own, NULL);
}

void ms_signals_take_handler(uint64_t signal)
{
	struct ms_signals_sigaction a;

	if (signal == MS_SIGNALS_TRACER_SIGNAL ||
	    (signal == MS_SIGNALS_TIMER_SIGNAL && ms_signals_is_timer_signal_taken()) ||
	    ms_signals_set_action(signal, NULL, &a) != 0 ||
	    a.handler == ms_native_hooks.get_signal_entry())
		return;
	if (ms_signals_is_overflow_handler(a.handler)) /* the overflow handler stays installed */
		a = (struct ms_signals_sigaction){ 0 };
	actions[signal] = ms_signals_has_handler(&a) ? a : (struct ms_signals_sigaction){ 0 };
	if (ms_signals_has_handler(&a))
		install_entry(signal, &a);
}

bool ms_signals_get_program_action(uint64_t signal, struct ms_signals_sigaction *was)
{
	struct ms_signals_sigaction a;

	if (signal < 1 || signal > SIGNALS || ms_signals_set_action(signal, NULL, &a) != 0 ||
	    a.handler != ms_native_hooks.get_signal_entry())
		return false;
	*was = actions[signal];
	return true;
}

void ms_signals_take_all_handlers(void)
{
	for (uint64_t s = 1; s <= SIGNALS; s++)
		ms_signals_take_handler(s);
	ms_signals_install_tracer_signal();
}

/* Restores the program's handlers, except for memspy's signal, which may be needed to leave a
 * window. */
void ms_signals_restore_handlers(void)
{
	for (uint64_t s = 1; s <= SIGNALS; s++)
		if (s != MS_SIGNALS_TRACER_SIGNAL && ms_signals_has_handler(&actions[s]))
			ms_signals_set_action(s, &actions[s], NULL);
}

/* The kernel copies the action before it checks the signal's number. */
bool ms_signals_is_readable(uint64_t address)
{
	return ms_signals_set_action(SIG_KILL, (const struct ms_signals_sigaction *)address,
				     NULL) != BAD_ADDRESS;
}

/* Writes the old action, if the address is writable. */
static int64_t write_old_action(struct ms_signals_sigaction *old,
				const struct ms_signals_sigaction *was)
{
	if (old == NULL)
		return 0;
	if (ms_signals_set_action(SIG_KILL, NULL, old) != 0)
		return BAD_ADDRESS;
	*old = *was;
	return 0;
}

static int64_t set_action(uint64_t signal, struct ms_signals_sigaction now)
{
	actions[signal] = ms_signals_has_handler(&now) || signal == MS_SIGNALS_TRACER_SIGNAL
				  ? now
				  : (struct ms_signals_sigaction){ 0 };
	if (signal == MS_SIGNALS_TRACER_SIGNAL) {
		ms_signals_note_disposition(now.handler);
		return 0; /* the kernel keeps memspy's handler */
	}
	if (ms_signals_has_handler(&now))
		return install_entry(signal, &now);
	if (ms_signals_must_take_overflow(signal, now.handler))
		now = ms_signals_get_overflow_action();
	return ms_signals_set_action(signal, &now, NULL);
}

int64_t ms_signals_emulate_sigaction(const uint64_t args[6])
{
	const struct ms_signals_sigaction *wanted = (const struct ms_signals_sigaction *)args[1];
	uint64_t signal = args[0];
	struct ms_signals_sigaction was;
	int64_t result;

	if (signal < 1 || signal > SIGNALS || args[3] != 8 || signal == SIG_KILL ||
	    signal == SIG_STOP)
		return ms_runtime_syscall(__NR_rt_sigaction, (long)args[0], (long)args[1],
					  (long)args[2], (long)args[3], 0, 0);
	if (wanted != NULL && !ms_signals_is_readable(args[1]))
		return BAD_ADDRESS;
	if (signal == MS_SIGNALS_TIMER_SIGNAL && ms_signals_is_timer_signal_taken())
		return ms_signals_emulate_timer_action(args);
	was = actions[signal];
	if (!ms_signals_has_handler(&was) && signal != MS_SIGNALS_TRACER_SIGNAL)
		ms_signals_set_action(signal, NULL, &was);
	if (ms_signals_is_overflow_handler(was.handler))
		was = (struct ms_signals_sigaction){ 0 };
	if (wanted != NULL) {
		result = set_action(signal, *wanted);
		if (result != 0)
			return result;
	}
	return write_old_action((struct ms_signals_sigaction *)args[2], &was);
}

int64_t ms_signals_emulate_tracer_action(const uint64_t args[6])
{
	ms_signals_install_tracer_signal();
	return ms_signals_emulate_sigaction(args);
}

uint64_t ms_signals_begin_handler(int signal)
{
	const struct ms_signals_sigaction now = actions[signal];

	if (now.flags & MS_SIGNALS_ACTION_RESETHAND)
		set_action((uint64_t)signal, (struct ms_signals_sigaction){ 0 });
	return ms_signals_has_handler(&now) ? now.handler : handlers[signal];
}
