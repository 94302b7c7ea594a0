/*
 * hidden_actions.c - sigaction() and signal() of a program that is not traced: the kernel keeps
 * memspy's handlers for signals of memspy, and memspy's entry for handlers that need it, and the
 * program reads back what it has set. See signal_hiding.c.
 */
#include "interpose/function_numbers.h"
#include "interpose/interpose.h"
#include "raw_syscall.h"
#include "runtime/config.h"
#include "runtime/hooks.h"
#include "runtime/runtime.h"
#include "runtime/thread_state.h"
#include "signals/altstack.h"
#include "signals/cpu_timer.h"
#include "signals/program_actions.h"
#include "signals/signal_action.h"
#include "signals/signal_hiding_priv.h"
#include "signals/signal_overflow.h"

/* Of the C library. */
struct libc_sigaction {
	uint64_t handler;
	struct ms_signals_libc_sigset mask;
	int32_t flags;
	uint64_t restorer;
};

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

/* Whether this thread may set the process's handlers for traced threads. A child is excluded: a
 * vfork child shares the memory but not the signal actions. */
static bool sets_traced_handlers(const struct ms_runtime_thread *t)
{
	return !ms_runtime_config.no_tracing && ms_runtime_active &&
	       t->thread_pointer == ms_runtime_get_thread_pointer() && ms_signals_is_sampled(t);
}

/*
 * Whether the kernel is to call the tracer's entry instead of the handler. Another thread may be in
 * a window: a handler that the kernel calls there directly would find the tracer's registers, and
 * might never return to the tracer. Where no code is traced, only handlers with SA_ONSTACK need it:
 * the kernel has memspy's alternate stack (altstack.c). A vfork child is excluded, because it
 * shares the memory but not the signal actions. A fork child has its own memory, and memspy is off
 * there.
 */
static bool needs_signal_entry(int signal, const struct libc_sigaction *wanted)
{
	const struct ms_runtime_thread *t = ms_runtime_get_thread();

	if (signal < 1 || signal > 64 || wanted->handler <= 1 ||
	    (signal == MS_SIGNALS_TRACER_SIGNAL && !ms_runtime_config.no_tracing))
		return false;
	if (sets_traced_handlers(t))
		return true;
	if (t->thread_pointer != ms_runtime_get_thread_pointer() ||
	    ms_signals_get_altstack(t)->memspy_stack == 0)
		return false;
	return ((uint32_t)wanted->flags & MS_SIGNALS_ACTION_ONSTACK) != 0 &&
	       (!ms_runtime_active || ms_signals_is_sampled(t));
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

/* Records that the signal has no handler any more; after signal(), which chooses flags itself, the
 * tracer's entry replaces the handler. */
static void take_handler(int signal)
{
	if (sets_traced_handlers(ms_runtime_get_thread()))
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
