/*
 * runtime.h - the runtime as a whole: the shared object of the native front-end that is
 * preloaded into the program, whether or not any code is traced.
 *
 * The runtime shares a process with the program, so it follows strict rules. It does not call libc,
 * because libc may be interrupted in the middle of an operation, and because the program may
 * replace its functions. It makes raw system calls. It gets memory from mmap(), never from the
 * program's heap. It never ends the process: an operation that fails is omitted. All symbols are
 * hidden, except the functions that it interposes (interpose.S).
 *
 * While runtime code runs on a thread, the thread's `busy` is set. What a signal handler does
 * during that time is not recorded.
 */
#ifndef MS_NATIVE_RUNTIME_RUNTIME_H
#define MS_NATIVE_RUNTIME_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/config.h"

struct ms_runtime_thread;

/* 1 while there is a stream; the wrappers test it. */
extern uint32_t ms_runtime_state_page[];
#define ms_runtime_active ms_runtime_state_page[0]
/*
 * Marks runtime functions that call the program natively. If a window opens in such a call, traced
 * code returns into the middle of the runtime function.
 */
#define MS_RUNTIME_CALLS_PROGRAM __attribute__((noinline, section("ms_runtime_calls_program")))
extern const uint8_t __start_ms_runtime_calls_program[] __attribute__((visibility("hidden")));
extern const uint8_t __stop_ms_runtime_calls_program[] __attribute__((visibility("hidden")));

/* The code of this object, by symbols of the linker. */
#define ms_runtime_text_start __ehdr_start
#define ms_runtime_text_end   etext
extern const uint8_t ms_runtime_text_start[] __attribute__((visibility("hidden")));
extern const uint8_t ms_runtime_text_end[] __attribute__((visibility("hidden")));

/* The program runs on untraced for good; why: the reason for the log. */
void ms_runtime_leave_program(struct ms_runtime_thread *t, const char *why);
/* Likewise, where the state of the stream may be inconsistent: nothing more is written to it. */
void ms_runtime_abandon_program(const char *why);
/* The process ends, with this status. */
void ms_runtime_end_process(struct ms_runtime_thread *t, uint32_t code);

#endif
