/* collect/wait.h - waits for the program's end, forwards signals and reports progress. */
#ifndef MS_COLLECT_WAIT_H
#define MS_COLLECT_WAIT_H

#include "collect/collect.h"

struct collector;

void ms_wait_prepare(void);
void ms_wait_restore_in_child(void);
void ms_wait_for(struct collector *collector, pid_t pid, const struct ms_collect_options *options,
		 uint32_t *end, int *exit_status);
/* Likewise for a process that is not a child of memspy: until it ends, the duration has passed (0:
 * no limit), or the user interrupts memspy. */
void ms_wait_attached(struct collector *collector, pid_t pid,
		      const struct ms_collect_options *options);
/* Whether a signal has arrived since ms_wait_prepare(). */
bool ms_wait_interrupted(void);
void ms_wait_finish(void);

#endif
