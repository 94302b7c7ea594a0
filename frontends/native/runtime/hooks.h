/*
 * hooks.h - calls from a part of the runtime to the parts above it. Parts include and call only
 * those to their left:
 *
 *    runtime  maps  unwind  heap  syscalls  signals  tracer  sampling  interpose
 *
 * startup.c, which composes all of them, defines the table. No hook is called by generated code;
 * the most frequent ones are called once when generated code calls C.
 */
#ifndef MS_NATIVE_RUNTIME_HOOKS_H
#define MS_NATIVE_RUNTIME_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

struct ms_runtime_thread;
struct ms_maps_loaded_module;

struct ms_runtime_hooks {
	/* --- threads --- */

	/* Bytes that others need after a struct ms_runtime_thread. */
	uint64_t (*get_thread_bytes)(void);
	/* The struct of a thread that has ended is used for another one. */
	void (*thread_reused)(struct ms_runtime_thread *t);
	/* Finds the stack of the running thread; and the default size of stacks. */
	void (*find_stack)(struct ms_runtime_thread *t);
	uint64_t (*get_stack_limit)(void);
	/* The number of the call path that consists of the thread's start function. */
	uint32_t (*number_start)(struct ms_runtime_thread *t);
	/* The running thread creates another one, or has. */
	void (*thread_creation_begins)(const struct ms_runtime_thread *t);
	void (*thread_creation_ends)(const struct ms_runtime_thread *t);
	/* Before the thread gets a lane; false: it must run untraced. */
	bool (*thread_arrives)(struct ms_runtime_thread *t);
	/* The thread has been reported; true: it is to be traced from here on. */
	bool (*thread_begins)(struct ms_runtime_thread *t);
	/* The thread's function has returned, or it makes its last system call. */
	void (*thread_returns)(struct ms_runtime_thread *t);
	/* The thread ends: the kernel will clear `word` and wake the threads that wait there. */
	void (*thread_wakes)(struct ms_runtime_thread *t, uint64_t word);
	/* Before the end of the thread is recorded; and after its lane was released. */
	void (*thread_ends)(struct ms_runtime_thread *t);
	void (*thread_ended)(struct ms_runtime_thread *t);
	/* In a forked child, whose only thread this is. */
	void (*thread_forked)(struct ms_runtime_thread *t);

	/* --- lanes --- */

	/* Before a chunk of the thread is published. */
	void (*chunk_published)(struct ms_runtime_thread *t);
	/* Whether the thread writes events only, because it is in no window. */
	bool (*is_outside_window)(const struct ms_runtime_thread *t);
	/* The reader has gone, or nothing more is written. */
	void (*stream_abandoned)(void);
	/* Several threads write from here on, or one again. */
	void (*lanes_split)(bool several);

	/* --- the process --- */

	/* The configuration names an allocator of the program: "own=". */
	void (*private_allocator_named)(const char *text);
	/* The configuration has a table of variables on the stack: "frames=". */
	void (*stack_table_given)(const char *text);
	/* Before the stream ends: the process ends, or memspy leaves it; why: for the log. */
	void (*process_ends)(struct ms_runtime_thread *t);
	void (*program_left)(struct ms_runtime_thread *t, const char *why);
	/* In a forked child, whose only thread this is: it leaves the stream of its parent. */
	void (*process_forked)(struct ms_runtime_thread *t);

	/* --- maps --- */

	/* The program headers of a module that is being recorded. */
	void (*headers_found)(uint64_t bias, const void *headers, uint32_t count);
	/* A file's code is mapped; only where code is traced. */
	void (*module_found)(const struct ms_maps_loaded_module *module, const char *path);
	/* Before and after the removal of a module that was unmapped. */
	void (*module_leaves)(uint64_t start, uint64_t size);
	void (*module_left)(void);
	/* Untraced code has unmapped this code. */
	void (*code_unmapped)(uint64_t start, uint64_t size);

	/* --- heap --- */

	/* Generated code must call C before it continues at pc, from now on. */
	void (*pc_watched)(uint64_t pc);
	/* Or may run on without C again. */
	void (*pc_unwatched)(uint64_t pc);

	/* --- system calls of traced code --- */

	/* The thread may block in the call: before anything is recorded, and after that. */
	void (*may_block)(struct ms_runtime_thread *t);
	void (*blocks_now)(struct ms_runtime_thread *t);
	/* The thread has recorded that it was woken; it has woken so many threads. */
	void (*wake_recorded)(struct ms_runtime_thread *t);
	void (*threads_woken)(struct ms_runtime_thread *t, uint64_t count);
	/* After every call; is_process: it creates processes or threads. */
	void (*syscall_made)(struct ms_runtime_thread *t, bool is_process);
	/* The process may execute another program: before that is recorded, before the call, and
	 * after a call that failed. */
	void (*exec_announced)(struct ms_runtime_thread *t);
	void (*exec_begins)(struct ms_runtime_thread *t);
	void (*exec_failed)(struct ms_runtime_thread *t);
	/* Code is mapped here: earlier code may have been unmapped by an unobserved call. */
	void (*code_replaced)(uint64_t start, uint64_t size);
	/* rt_sigprocmask, with these arguments. */
	void (*mask_changed)(struct ms_runtime_thread *t, const uint64_t args[6]);

	/* --- signals --- */

	/* The handler that the kernel has instead of the program's. */
	uint64_t (*get_signal_entry)(void);
	/* The traced thread is about to make a system call that must be observed. */
	void (*stay_traced)(struct ms_runtime_thread *t);
	/* The thread's timer, which was stopped temporarily, may be armed again. */
	void (*timer_may_run)(struct ms_runtime_thread *t);
	/* Functions that execute programs must be wrapped from now on. */
	void (*exec_wrappers_required)(void);

	/* --- tracer --- */

	/* Whether pc is a function that interpose.S calls from traced code although it calls the
	 * program: the other functions that do (MS_RUNTIME_CALLS_PROGRAM) are returned into. */
	bool (*is_wrapper_call)(uint64_t pc);
	/* CPU time of a system call that created a process. */
	void (*fork_timed)(struct ms_runtime_thread *t, uint64_t nanoseconds);
	/* The thread of a sampled program continues; false: its window has ended. */
	bool (*may_continue)(struct ms_runtime_thread *t);
	/* The chunk is full, or the requested number of words is written. */
	void (*chunk_filled)(struct ms_runtime_thread *t);
	/* The thread leaves traced code; too_soon: it cannot be traced here. Then its native code
	 * begins; or it is traced again without native execution in between. */
	void (*window_ended)(struct ms_runtime_thread *t, bool too_soon);
	void (*native_time_begins)(struct ms_runtime_thread *t);
	void (*native_time_cancelled)(struct ms_runtime_thread *t);
	/* Whether the open window will close. */
	bool (*is_window_closing)(void);
	/* Whether all references are counted, in windows and between them. */
	bool (*is_everything_counted)(void);
};
extern const struct ms_runtime_hooks ms_native_hooks;

#endif
