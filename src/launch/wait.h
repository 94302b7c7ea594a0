/* launch/wait.h - waits for the program's end, and forwards signals to it. */
#ifndef MS_LAUNCH_WAIT_H
#define MS_LAUNCH_WAIT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "launch/follow_children.h"
#include "launch/launch.h"
#include "wire/wire.h"

/* Blocks the signals that are forwarded; to be called before the program is started. */
void ms_launch_wait_prepare(void);
void ms_launch_wait_restore_in_child(void);

struct ms_launch_wait {
	pid_t pid;
	const struct ms_wire_stream *stream; /* that the program writes */
	struct ms_launch_exec_watch *exec_watch;
	struct ms_launch_follow *children; /* NULL: children are not followed */
	/* Called several times a second; started: when the wait began. */
	void (*look)(double started, void *arg);
	void *arg;
	double children_seconds; /* result: processor time of children that are not followed */
};

/* end: enum ms_run_end. */
void ms_launch_wait_for(struct ms_launch_wait *wait, uint32_t *end, int *exit_status);
/* Likewise for a process that is not a child of memspy: until it ends, so many seconds have passed
 * (0: no limit), or the user interrupts memspy. */
void ms_launch_wait_attached(const struct ms_launch_wait *wait, double seconds);
/* Whether a signal has arrived since ms_launch_wait_prepare(). */
bool ms_launch_wait_interrupted(void);
void ms_launch_wait_finish(void);

#endif
