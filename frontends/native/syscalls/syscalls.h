/* syscalls.h - system calls of the program that the runtime observes or emulates. */
#ifndef MS_NATIVE_SYSCALLS_SYSCALLS_H
#define MS_NATIVE_SYSCALLS_SYSCALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ms_thread;
struct ms_frame;

/* Before and after every system call of a traced thread; frame: its registers, with the pc after
 * the call. */
void ms_call_before(struct ms_thread *t, uint64_t number, const uint64_t args[6],
		    const struct ms_frame *frame);
void ms_call_after(struct ms_thread *t, uint64_t number, const uint64_t args[6], int64_t result,
		   const struct ms_frame *frame);

/* place.c: a system call that binds threads or memory to processors or nodes. */
void ms_place_call(struct ms_thread *t, uint64_t number, const uint64_t args[6]);
/* This thread wakes the threads that wait at this word. */
void ms_call_wakes(struct ms_thread *t, uint64_t word);

/* --- follow.c: children --- */

/* Called before code of the program runs. */
void ms_follow_start(void);
/* Keeps the list of live blocks, for a child. */
void ms_follow_alloc(uint32_t kind, uint32_t path, uint64_t address, uint64_t size);
void ms_follow_free(uint64_t address);
/* Requests a stream from memspy (enum ms_wire_ask_kind); ms_config gets its descriptors. False:
 * refused. t: NULL before there are threads. */
bool ms_follow_ask(struct ms_thread *t, uint32_t kind);
/* Before and after a fork, in the parent: waits until the child, pid, has requested a stream.
 * Negative: the fork failed. */
void ms_follow_fork(struct ms_thread *t);
void ms_follow_forked(struct ms_thread *t, int64_t pid);
/* A process executes the program at path; "": exec failed. */
void ms_follow_becomes(uint32_t process, const char *path);
/* A process that shared the memory of this one (vfork) has executed a program, or ended. */
void ms_follow_spawned(uint32_t process);
/* In a forked child, with its own stream: records paths and blocks. */
void ms_follow_restart(struct ms_thread *t);

/* --- limits.c --- */

/* Called before and after the runtime maps its memory. */
void ms_limits_begin(void);
void ms_limits_begun(void);
/* Bytes that may be mapped until the program reaches its limit; UINT64_MAX: there is no permanent
 * limit. */
uint64_t ms_limits_left(void);
/* Emulates a system call on the address space limit; false: it is another system call. */
bool ms_limits_call(uint64_t number, const uint64_t args[6], uint64_t *result);

/* --- request.c --- */

/* A client request of include/memspy.h, with its args; returns the answer. frame: where it was
 * made; called: frame's pc is a return address. */
uint64_t ms_request(struct ms_thread *t, const uint64_t *args, const struct ms_frame *frame,
		    bool called);

#endif
