/*
 * launch/remote_call.h - makes a thread of another process, stopped by ptrace, call a function; one
 * file for each architecture. For collect/ only.
 *
 *    ms_launch_remote_save       saves the thread's registers, vector registers included
 *    ms_launch_remote_call       calls a function; any number of times
 *    ms_launch_remote_restore    restores the registers, except the one that points to memspy's
 * memory
 */
#ifndef MS_LAUNCH_REMOTE_CALL_H
#define MS_LAUNCH_REMOTE_CALL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"

enum { MS_LAUNCH_REMOTE_REGS = 512, MS_LAUNCH_REMOTE_VECTORS = 32768 };
struct ms_launch_remote {
	pid_t tid;
	_Alignas(16) uint8_t regs[MS_LAUNCH_REMOTE_REGS];
	size_t vector_bytes;
	uint8_t vectors[MS_LAUNCH_REMOTE_VECTORS];
};

/* Signals that arrived while a function ran: a bit for each of the program's, which must be sent
 * again; and whether a timer of the runtime expired, which is hidden from the program. */
struct ms_launch_remote_meanwhile {
	uint64_t signals;
	bool expired;
	bool windows; /* only windows are traced: the runtime has a timer for them, too */
};

int ms_launch_remote_save(struct ms_launch_remote *remote, pid_t tid, struct ms_err *err);
/* The thread's program counter; call: the system call that it is in, or -1. */
void ms_launch_remote_where(const struct ms_launch_remote *remote, uint64_t *pc, long *call);
/* text: the string that the function's first argument points to. *meanwhile: signals are added. */
int ms_launch_remote_call(struct ms_launch_remote *remote, uint64_t function, const char *text,
			  uint64_t second, uint64_t *result,
			  struct ms_launch_remote_meanwhile *meanwhile, struct ms_err *err);
int ms_launch_remote_restore(struct ms_launch_remote *remote, struct ms_err *err);

/* attach.c: runs the thread until the function returns: its return address is 0, which faults. */
int ms_launch_remote_run(pid_t tid, struct ms_launch_remote_meanwhile *meanwhile,
			 struct ms_err *err);

#endif
