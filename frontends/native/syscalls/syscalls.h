/* syscalls.h - system calls of the program that the runtime observes or emulates. */
#ifndef MS_NATIVE_SYSCALLS_SYSCALLS_H
#define MS_NATIVE_SYSCALLS_SYSCALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ms_runtime_thread;
struct ms_unwind_frame;

/* Before and after every system call of a traced thread; frame: its registers, with the pc after
 * the call. */
void ms_syscalls_handle_before(struct ms_runtime_thread *t, uint64_t number, const uint64_t args[6],
			       const struct ms_unwind_frame *frame);
void ms_syscalls_handle_after(struct ms_runtime_thread *t, uint64_t number, const uint64_t args[6],
			      int64_t result, const struct ms_unwind_frame *frame);

/* affinity_and_mempolicy.c: a system call that binds threads or memory to processors or nodes. */
void ms_syscalls_report_placement(struct ms_runtime_thread *t, uint64_t number,
				  const uint64_t args[6]);
/* This thread wakes the threads that wait at this word. */
void ms_syscalls_record_waker(struct ms_runtime_thread *t, uint64_t word);

/* --- child_processes.c: children --- */

/* Called before code of the program runs. */
void ms_syscalls_start_following(void);
/* Requests a stream from memspy (enum ms_wire_ask_kind); ms_runtime_config gets its descriptors.
 * False: refused. t: NULL before there are threads. */
bool ms_syscalls_request_stream(struct ms_runtime_thread *t, uint32_t kind);
/* Before and after a fork, in the parent: waits until the child, pid, has requested a stream.
 * Negative: the fork failed. */
void ms_syscalls_prepare_fork(struct ms_runtime_thread *t);
void ms_syscalls_wait_for_child(struct ms_runtime_thread *t, int64_t pid);
/* A process executes the program at path; "": exec failed. */
void ms_syscalls_announce_exec(uint32_t process, const char *path);
/* A process that shared the memory of this one (vfork) has executed a program, or ended. */
void ms_syscalls_announce_spawned_child(uint32_t process);
/* In a forked child, with its own stream: records paths and blocks. */
void ms_syscalls_report_live_state(struct ms_runtime_thread *t);

/* --- exec_environment.c --- */

struct ms_syscalls_exec_environment {
	const char **at;
	size_t bytes;
};
/* A copy of the environment of an executed program, with memspy's variables. False: there is none,
 * as executed programs are not followed so. path: NULL where it is not known. */
bool ms_syscalls_make_exec_environment(const char *path, const char *const *env,
				       struct ms_syscalls_exec_environment *made);
/* exec has failed. */
void ms_syscalls_drop_exec_environment(struct ms_syscalls_exec_environment *made);
/* Whether the program may only be there to start another one: it has not done much itself. */
bool ms_syscalls_may_be_wrapper(void);

/* --- memory_limits.c --- */

/* Called before and after the runtime maps its memory. */
void ms_syscalls_raise_memory_limits(void);
void ms_syscalls_restore_memory_limits(void);
/* Bytes that may be mapped until the program reaches its limit; UINT64_MAX: there is no permanent
 * limit. */
uint64_t ms_syscalls_get_memory_left(void);
/* Emulates a system call on the address space limit; false: it is another system call. */
bool ms_syscalls_emulate_limit_call(uint64_t number, const uint64_t args[6], uint64_t *result);

/* --- shared_memory.c: System V --- */

/* Records that a segment is attached; its size, 0: not known. */
uint64_t ms_syscalls_attach_shared_memory(int id, uint64_t address);
void ms_syscalls_detach_shared_memory(struct ms_runtime_thread *thread, uint64_t address);

/* --- client_requests.c --- */

/* prctl(PR_SET_VMA, PR_SET_VMA_ANON_NAME): a name for a mapping, whether the kernel knows it or
 * not. */
void ms_syscalls_name_mapping(struct ms_runtime_thread *t, const uint64_t args[6]);
/* A client request of include/memspy.h, with its args; returns the answer. frame: where it was
 * made; called: frame's pc is a return address. */
uint64_t ms_syscalls_handle_client_request(struct ms_runtime_thread *t, const uint64_t *args,
					   const struct ms_unwind_frame *frame, bool called);

#endif
