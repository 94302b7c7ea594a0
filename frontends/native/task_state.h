/* task_state.h - the kernel's state of a thread of this process. */
#ifndef MS_NATIVE_TASK_STATE_H
#define MS_NATIVE_TASK_STATE_H

#include <stdbool.h>
#include <stdint.h>

struct ms_thread;

enum { MS_TASK_RUNNING = 'R', MS_TASK_TRACED = 't', MS_TASK_UNKNOWN = '?' };

/* The letter in /proc/self/task/TID/stat; MS_TASK_UNKNOWN if it cannot be read. */
char ms_task_state(uint32_t tid);
/* Whether the thread is running or runnable, according to the kernel. */
bool ms_together_runs(const struct ms_thread *t);

#endif
