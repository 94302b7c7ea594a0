/*
 * collect/remote.h - a thread of another process, stopped by ptrace, is made to call a function; a
 * file per architecture. For collect/ only.
 *
 *    ms_remote_save       what it has in its registers, vectors too
 *    ms_remote_call       any number of times
 *    ms_remote_restore    it goes on as if nothing had been, but for the register that finds
 * memspy's own memory
 */
#ifndef MS_COLLECT_REMOTE_H
#define MS_COLLECT_REMOTE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"

enum { MS_REMOTE_REGS = 512, MS_REMOTE_VECTORS = 32768 };
struct ms_remote {
	pid_t tid;
	_Alignas(16) uint8_t regs[MS_REMOTE_REGS];
	size_t vector_bytes;
	uint8_t vectors[MS_REMOTE_VECTORS];
};

/* What came while a function ran: the program's signals, a bit for each, which are to be sent
 * again; and whether a timer of the runtime's expired, which the program never hears of. */
struct ms_remote_meanwhile {
	uint64_t signals;
	bool expired;
	bool windows; /* not all of it is to be traced: there is a timer for that, too */
};

int ms_remote_save(struct ms_remote *remote, pid_t tid, struct ms_err *err);
/* Where it is; call: the system call that it is in, or -1. */
void ms_remote_where(const struct ms_remote *remote, uint64_t *pc, long *call);
/* text: what the function's first argument points to. *meanwhile: added to. */
int ms_remote_call(struct ms_remote *remote, uint64_t function, const char *text, uint64_t second,
		   uint64_t *result, struct ms_remote_meanwhile *meanwhile, struct ms_err *err);
int ms_remote_restore(struct ms_remote *remote, struct ms_err *err);

/* attach.c: runs the thread to its next stop, which is to be a fault at address 0: the function has
 * returned. */
int ms_remote_run(pid_t tid, struct ms_remote_meanwhile *meanwhile, struct ms_err *err);

#endif
