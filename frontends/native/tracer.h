/*
 * tracer.h - what the runtime asks of the tracer: a thread's code runs from a cache of translated
 * blocks that write every reference into the thread's lane.
 *
 * A window is the time between entering the cache and leaving it. Whatever the tracer does not know
 * ends the window: the program runs on natively, nothing is wrong, and why is counted.
 *
 *    ms_tracer_start      once
 *    ms_tracer_thread     for each thread, on it, before
 *    ms_tracer_enter      opens a window: it returns traced
 *
 * Signals: while any window may open, the handlers of the program are called through the tracer's
 * own; a signal that comes in the middle of a block is held until the block's end, and a fault is
 * shown to the program with the registers and the pc that it would have natively.
 */
#ifndef MS_NATIVE_TRACER_H
#define MS_NATIVE_TRACER_H

#include <stdbool.h>
#include <stdint.h>

struct ms_thread;

/* Of each struct ms_thread, for the tracer. */
enum { MS_TRACER_BYTES = 128 * 1024 };

/* False: it cannot work here (and has said why to the log). */
bool ms_tracer_start(void);
/* Called on the thread, with ms_self() set. */
void ms_tracer_thread(struct ms_thread *t);
/* Returns traced; natively where it cannot. */
void ms_tracer_enter(struct ms_thread *t);
/* Before that, where the thread has run natively for a while: what it has set of signals. */
void ms_tracer_signals(void);
/* A handler that the program has set natively; and what it has set, where the kernel has ours. */
void ms_tracer_take(uint64_t signal);
struct ms_action;
bool ms_tracer_action_of(uint64_t signal, struct ms_action *was);
/* What the kernel has in place of a handler of the program's, and its flags; what the handler is.
 */
uint64_t ms_tracer_entry(void);
uint64_t ms_tracer_entry_flags(uint64_t flags);
void ms_tracer_record(uint64_t signal, const struct ms_action *action);
/*
 * In a handler: what it interrupted goes on traced. False: it cannot, there.
 */
bool ms_tracer_enter_at(struct ms_thread *t, uint64_t *uc);
/* In a handler of a traced thread: it comes to C at the end of its block. */
void ms_tracer_look(struct ms_thread *t);
/* A timer opens a window, wherever the thread is then. True: for that the thread must not go on
 * with MS_SIGNAL blocked. */
bool ms_tracer_soon(struct ms_thread *t);
/* Traced code that calls it returns natively. */
void ms_tracer_leave(void);
void ms_tracer_thread_end(struct ms_thread *t);
/* The window ended too soon: it is opened again after a while. */
void ms_again_arm(struct ms_thread *t);
/* Code there goes, or has changed. System calls of traced code need not be told. */
void ms_tracer_forget(uint64_t start, uint64_t size);
/* Nor those that are made natively, if they come here first. */
void ms_tracer_changes(uint64_t number, const uint64_t args[6]);
/* The call, made natively, may be the last one that we may make, too: then we leave the program. */
void ms_tracer_restricts(struct ms_thread *t, uint64_t number, const uint64_t args[6]);
enum { MS_SIGNAL = 62 }; /* the tracer's own; one that the program sends itself it still gets */
/* Whether the program ignores it; and takes it again where the kernel was told so. */
bool ms_tracer_ignores(void);
void ms_tracer_take_back(void);
/* The system call rt_sigaction of it, made natively. */
int64_t ms_tracer_own_action(const uint64_t args[6]);
/* Where the thread goes on, while it is traced. */
uint64_t ms_tracer_pc(const struct ms_thread *t);
/* Traced code comes to C at pc from now on: ms_own_watches() says so. */
void ms_tracer_watch(uint64_t pc);
/*
 * In a child of fork, on its only thread, before it writes to a stream of its own: every block will
 * be described again. The window that the thread is in stays open.
 */
void ms_tracer_forked(struct ms_thread *t);

/* How often all translated code was made anew. */
uint64_t ms_tracer_restarts(void);

/* Memory that generated code reaches; NULL: there is none. */
void *ms_tracer_near(uint64_t bytes);

/* Why windows ended. */
#define MS_TRACER_ENDS(X)                                                  \
	X(ASKED, "it was asked for")                                       \
	X(CODE, "code that restarts, or a jump to where there is none")    \
	X(INSTRUCTION, "an instruction that the translator does not know") \
	X(SEGMENT, "the program uses a register that is ours")             \
	X(FULL, "the code cache is full")                                  \
	X(FAULT, "a fault that ends the program")                          \
	X(OWN, "it had opened below a function of memspy's")

enum ms_tracer_end {
#define MS_TRACER_END(name, text) MS_END_##name,
	MS_TRACER_ENDS(MS_TRACER_END)
#undef MS_TRACER_END
		MS_END_KINDS,
};

struct ms_tracer_stats {
	uint64_t windows, ends[MS_END_KINDS];
	uint64_t blocks, instructions, code_bytes, links; /* translated, made, patched */
	uint64_t restarts;                                /* of the code cache, which was full */
	uint64_t misses; /* indirect branches that C had to look up */
	uint64_t signals, held, faults;
	uint64_t calls;
};
void ms_tracer_count(struct ms_tracer_stats *stats);
/*
 * The program ends, or will not be traced any more: what of it was not, in t's lane. to_its_end:
 * nor will the rest be. threads: that never were.
 */
void ms_tracer_tell(struct ms_thread *t, bool to_its_end, uint64_t threads);

#endif
