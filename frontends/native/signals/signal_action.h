/*
 * signal_action.h - signal actions: the kernel's struct sigaction, which is the same on all
 * supported architectures, and its system call.
 */
#ifndef MS_NATIVE_SIGNALS_SIGNAL_ACTION_H
#define MS_NATIVE_SIGNALS_SIGNAL_ACTION_H

#include <stddef.h>
#include <stdint.h>

#include "raw_syscall.h"

struct ms_signals_sigaction {
	uint64_t handler, flags, restorer, mask;
};

/* SA_SIGINFO, SA_RESTORER, SA_ONSTACK, SA_RESTART, SA_NODEFER, SA_RESETHAND. */
#define MS_SIGNALS_ACTION_SIGINFO   UINT64_C(4)
#define MS_SIGNALS_ACTION_RESTORER  UINT64_C(0x04000000)
#define MS_SIGNALS_ACTION_ONSTACK   UINT64_C(0x08000000)
#define MS_SIGNALS_ACTION_RESTART   UINT64_C(0x10000000)
#define MS_SIGNALS_ACTION_NODEFER   UINT64_C(0x40000000)
#define MS_SIGNALS_ACTION_RESETHAND UINT64_C(0x80000000)

static inline int64_t ms_signals_set_action(uint64_t signal, const struct ms_signals_sigaction *now,
					    struct ms_signals_sigaction *old)
{
	return ms_runtime_syscall(__NR_rt_sigaction, (long)signal, (long)now, (long)old, 8, 0, 0);
}

/* The action of a handler of memspy: it blocks all signals, and runs on memspy's alternate stack
 * (altstack.c). */
static inline struct ms_signals_sigaction ms_signals_make_memspy_action(uint64_t handler)
{
	uint64_t restorer = ms_runtime_get_restorer();
	uint64_t flags =
		MS_SIGNALS_ACTION_SIGINFO | MS_SIGNALS_ACTION_ONSTACK | MS_SIGNALS_ACTION_RESTART;

	return (struct ms_signals_sigaction){
		handler, restorer != 0 ? flags | MS_SIGNALS_ACTION_RESTORER : flags, restorer, ~0ull
	};
}

/* Ends the process by a signal whose default action the program has kept. */
static inline void ms_signals_end_program_by(uint64_t signal)
{
	static const struct ms_signals_sigaction by_default;

	ms_signals_set_action(signal, &by_default, NULL);
	ms_runtime_syscall(SYS_kill, ms_runtime_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0), (long)signal,
			   0, 0, 0, 0);
}

#endif
