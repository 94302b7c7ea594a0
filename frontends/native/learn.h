/*
 * learn.h - which address an instruction has: a breakpoint of the processor stops the thread before
 * the next execution of it, once. For loads that overwrite the register that they are addressed by.
 */
#ifndef MS_NATIVE_LEARN_H
#define MS_NATIVE_LEARN_H

#include <stdbool.h>
#include <stdint.h>

struct ms_thread;

/* Of each struct ms_thread. */
struct ms_learn {
	int32_t fd;     /* of the kernel's event, above 0; 0: there is none */
	uint32_t armed; /* it has not been hit yet */
	uint64_t site;
};

void ms_learn_start(void);
/* False: the kernel does not permit it, or another one is waited for. */
bool ms_learn_watch(struct ms_thread *t, uint64_t site);
/* The thread ends, or has; or this is a child of fork. */
void ms_learn_end(struct ms_thread *t);

#endif
