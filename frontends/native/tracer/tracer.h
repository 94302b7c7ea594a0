/*
 * tracer.h - the tracer's interface to the runtime. The tracer runs a thread's code from a cache of
 * translated basic blocks, which write every reference into the thread's lane.
 *
 * A window is the time between entering the code cache and leaving it. Code that the tracer cannot
 * translate ends the window: the program continues natively and correctly, and the reason is
 * counted.
 *
 *    ms_tracer_start      once
 *    ms_tracer_add_thread     for each thread, on it, before
 *    ms_tracer_open_window      opens a window: it returns traced
 *
 * Signals: while a window may open, the kernel calls a handler of the tracer, which calls the
 * program's. A signal that arrives in the middle of a block is deferred to the end of the block. A
 * fault is delivered to the program with the registers and the pc that it would have natively.
 */
#ifndef MS_NATIVE_TRACER_TRACER_H
#define MS_NATIVE_TRACER_TRACER_H

#include <stdbool.h>
#include <stdint.h>

struct ms_runtime_thread;

/* How code is translated: it records references; it counts references (speed_probe.c); it counts
 * references and how often each exit is taken (counted_start.c). */
enum ms_tracer_code_kind {
	MS_TRACER_CODE_RECORDS,
	MS_TRACER_CODE_COUNTS_REFS,
	MS_TRACER_CODE_COUNTS_EXITS,
	MS_TRACER_CODE_KINDS
};

/* False: it cannot work here, and has logged why. */
bool ms_tracer_start(void);
/* Called on the thread, with ms_runtime_get_thread() set. */
void ms_tracer_add_thread(struct ms_runtime_thread *t);
/* Returns traced, or natively where tracing is not possible. */
void ms_tracer_open_window(struct ms_runtime_thread *t);
/* Called before that if the thread has run natively: reads the signal actions that it has set. */
void ms_tracer_refresh_handlers(void);
/* The handler that the kernel has instead of the program's. */
uint64_t ms_tracer_get_signal_entry(void);
/*
 * Called in a handler: the interrupted code continues traced. False: not possible at that place.
 */
bool ms_tracer_open_window_at(struct ms_runtime_thread *t, uint64_t *uc);
/* Called in a handler of a traced thread: the thread calls C at the end of its block. */
void ms_tracer_interrupt_at_block_end(struct ms_runtime_thread *t);
/* A timer opens a window, wherever the thread is. True: MS_SIGNALS_TRACER_SIGNAL must be unblocked
 * when the thread continues. */
bool ms_tracer_schedule_window(struct ms_runtime_thread *t);
/* Traced code that calls this function returns natively. */
void ms_tracer_close_window(void);
void ms_tracer_remove_thread(struct ms_runtime_thread *t);
/* The window ended too soon: arms a timer that opens it again. */
void ms_tracer_schedule_reopen(struct ms_runtime_thread *t);
/* Code there is unmapped or has changed. The tracer sees system calls of traced code itself. */
void ms_tracer_forget_code(uint64_t start, uint64_t size);
/* It also handles system calls that are made natively, if they are passed to this function
 * first. */
void ms_tracer_handle_code_change(uint64_t number, const uint64_t args[6]);
/* The native call may forbid later system calls (seccomp), also the runtime's: then memspy leaves
 * the program. */
void ms_tracer_handle_restriction(struct ms_runtime_thread *t, uint64_t number,
				  const uint64_t args[6]);
/* The pc at which the traced thread continues. */
uint64_t ms_tracer_get_pc(const struct ms_runtime_thread *t);
/* Traced code calls C at pc from now on, because of ms_heap_is_watched(). */
void ms_tracer_stop_linking_to(uint64_t pc);
/* Traced code need not call C at pc any longer: blocks near it can be longer now. */
void ms_tracer_retranslate_near(uint64_t pc);
/*
 * In a forked child, on its only thread, before it writes to its own stream: every block will be
 * described again. The thread's window stays open.
 */
void ms_tracer_handle_fork(struct ms_runtime_thread *t);

/* How often the whole code cache was flushed. */
uint64_t ms_tracer_count_cache_restarts(void);

/* Memory within reach of generated code's relative addresses; NULL: none. */
void *ms_tracer_map_near_code(uint64_t bytes);

/* Why windows ended. */
#define MS_TRACER_END_REASONS(X)                                              \
	X(ASKED, "it was asked for")                                          \
	X(CODE, "code that restarts, or a jump to where there is none")       \
	X(INSTRUCTION, "an instruction that the translator does not support") \
	X(SEGMENT, "the program uses a register that is ours")                \
	X(FULL, "the code cache is full")                                     \
	X(FAULT, "a fault that ends the program")                             \
	X(OWN, "it had opened below a function of memspy's")

enum ms_tracer_end_reason {
#define MS_TRACER_END_REASON(name, text) MS_TRACER_END_##name,
	MS_TRACER_END_REASONS(MS_TRACER_END_REASON)
#undef MS_TRACER_END_REASON
		MS_TRACER_END_KINDS,
};

struct ms_tracer_stats {
	uint64_t windows, ends[MS_TRACER_END_KINDS];
	uint64_t blocks, instructions, code_bytes, links; /* translated, made, patched */
	uint64_t restarts;                                /* flushes of the full code cache */
	uint64_t misses;                                  /* indirect branches that C looked up */
	uint64_t signals, held, faults;
	uint64_t calls;
};
void ms_tracer_collect_stats(struct ms_tracer_stats *stats);
/*
 * The program ends, or is not traced any more: records in t's lane what was not traced. to_its_end:
 * the rest will not be traced either. threads: number of threads that never were.
 */
void ms_tracer_report_all_untraced(struct ms_runtime_thread *t, bool to_its_end, uint64_t threads);

#endif
