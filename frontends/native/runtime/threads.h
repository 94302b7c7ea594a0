/* threads.h - begin and end of threads, and the list of all. */
#ifndef MS_NATIVE_RUNTIME_THREADS_H
#define MS_NATIVE_RUNTIME_THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/thread_state.h"

/* Number of threads that got no lane. */
extern uint32_t ms_thread_untraced;
/* Creates the first thread and sets ms_self(). NULL: out of memory. */
struct ms_thread *ms_thread_first(void);
/* The running thread; NULL: it is unknown, or the runtime is already active on it. */
struct ms_thread *ms_thread_here(void);
void ms_thread_tell(struct ms_thread *t, uint32_t maker);
/* The thread creates another one, with this stack. */
void ms_thread_makes(struct ms_thread *t, uint64_t stack, uint64_t size, uint64_t cleared);
/* Iterates over all threads, also those that ended. */
struct ms_thread *ms_thread_next(const struct ms_thread *t);
/* The number of the thread with this kernel id; 0: none. */
uint32_t ms_thread_of(uint32_t tid);
/* Whether the kernel clears this word when a thread ends. */
bool ms_thread_clears(uint64_t word);
/* Registers the running thread, which existed before memspy attached; NULL: no memory, or no
 * lane. */
struct ms_thread *ms_thread_comes(void);
/* The thread ends; the process too, if it was the last. */
void ms_run_thread_end(struct ms_thread *t, uint32_t code);
/* In a forked child: the other threads do not exist, and this one is the first. */
void ms_thread_forked(struct ms_thread *t);

#endif
