/* task_state.h - the kernel's state of a thread of this process. */
#ifndef MS_NATIVE_RUNTIME_TASK_STATE_H
#define MS_NATIVE_RUNTIME_TASK_STATE_H

#include <stdbool.h>
#include <stdint.h>

struct ms_runtime_thread;

enum {
	MS_RUNTIME_TASK_RUNNING = 'R',
	MS_RUNTIME_TASK_TRACING_STOP = 't',
	MS_RUNTIME_TASK_UNKNOWN = '?'
};

/* The letter in /proc/self/task/TID/stat; MS_RUNTIME_TASK_UNKNOWN if it cannot be read. */
char ms_runtime_get_task_state(uint32_t tid);
/* Whether the thread is running or runnable, according to the kernel. */
bool ms_runtime_is_thread_running(const struct ms_runtime_thread *t);

#endif
