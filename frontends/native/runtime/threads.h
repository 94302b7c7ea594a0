/* threads.h - begin and end of threads, and the list of all. */
#ifndef MS_NATIVE_RUNTIME_THREADS_H
#define MS_NATIVE_RUNTIME_THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/thread_state.h"

/* Number of threads that got no lane. */
extern uint32_t ms_runtime_untraced_threads;
/* Creates the first thread and sets ms_runtime_get_thread(). NULL: out of memory. */
struct ms_runtime_thread *ms_runtime_create_first_thread(void);
/* The running thread; NULL: it is unknown, or the runtime is already active on it. */
struct ms_runtime_thread *ms_runtime_get_current_thread(void);
void ms_runtime_report_thread(struct ms_runtime_thread *t, uint32_t maker);
/* The thread creates another one, with this stack. */
void ms_runtime_record_clone(struct ms_runtime_thread *t, uint64_t stack, uint64_t size,
			     uint64_t cleared);
/* Iterates over all threads, also those that ended. */
struct ms_runtime_thread *ms_runtime_get_next_thread(const struct ms_runtime_thread *t);
/* The number of the thread with this kernel id; 0: none. */
uint32_t ms_runtime_find_thread_number(uint32_t tid);
/* Whether the kernel clears this word when a thread ends. */
bool ms_runtime_is_cleared_at_exit(uint64_t word);
/* Registers the running thread, which existed before memspy attached; NULL: no memory, or no
 * lane. */
struct ms_runtime_thread *ms_runtime_adopt_thread(void);
/* The thread ends; the process too, if it was the last. */
void ms_runtime_end_thread(struct ms_runtime_thread *t, uint32_t code);
/* In a forked child: the other threads do not exist, and this one is the first. */
void ms_runtime_reset_threads(struct ms_runtime_thread *t);

#endif
