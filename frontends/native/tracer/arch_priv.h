/* arch_priv.h - what the folder of each architecture provides for the tracer. */
#ifndef MS_NATIVE_TRACER_ARCH_PRIV_H
#define MS_NATIVE_TRACER_ARCH_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch.h"
#include "unwind/unwind.h"

struct ms_thread;
struct ms_window;

/* --- live.c, gather.c, emit.c, exits.c --- */

void ms_decode_forget(void);
void ms_gather(struct ms_gather *g, uint64_t pc);
void ms_emit_start(void);
void ms_emit(struct ms_thread *t, struct ms_block *block, struct ms_gather *g);
/* Makes the branch go to the block. */
void ms_emit_link(const struct ms_link *link, const struct ms_block *to);
/* Makes the entry of an older version of a block branch to `to`. */
void ms_emit_forward(const struct ms_block *old, const struct ms_block *to);
/* The next block is emitted for this branch; NULL: for any. */
void ms_emit_for(const struct ms_link *link);

/* --- processor.c --- */

/* Examines the processor. False: the tracer does not work on it, and has printed why. */
bool ms_processor_start(void);
/* Entries of the table of indirect branches, a power of two. */
uint64_t ms_processor_table(void);
/* Makes code that has been written visible to instruction fetch on all processors. */
void ms_cache_sync(const void *from, const void *to);

/* --- context.c --- */

/* Puts into the frame what the program would have natively, at pc. */
void ms_context_true(const struct ms_window *w, uint64_t *uc, uint64_t pc);
/* Likewise at a fault, where the registers that the block uses are known. */
void ms_context_fault(const struct ms_window *w, const struct ms_block *b,
		      const struct ms_site *site, uint64_t *uc);
/* The interrupted code continues traced. */
void ms_context_go(struct ms_thread *t, uint64_t *uc);
/* For the unwinder. */
struct ms_frame ms_context_frame(const struct ms_window *w);
/* After a system call: sets the registers that the instruction destroys. */
void ms_context_called(struct ms_window *w);
/* Whether a system call is at pc; otherwise it is a request. */
bool ms_context_is_call(uint64_t pc);
/* The system call changes the register that identifies the thread. The tracer must not be active
 * meanwhile. */
bool ms_context_moves_thread(uint64_t number, const uint64_t *args);
/* At a function's entry: the caller's frame, as it will be after the return. */
struct ms_frame ms_context_caller(const struct ms_window *w);
/* At a function's entry: continues after the call. */
void ms_context_return(struct ms_window *w);
void ms_context_glue(struct ms_window *w);

/* --- clone.c --- */

/* Code that makes the system call at pc. The child, whose result is 0, continues natively. */
ms_code *ms_clone_site(uint64_t pc);

/* --- vectors.c --- */

/* The window is left through this frame: puts those vector registers into it that system calls of C
 * have not preserved. May not return. */
void ms_vectors_leave(struct ms_window *w, uint64_t *uc);
/* Memspy's signal has arrived. If it was sent to deliver a signal of the program through such a
 * frame, delivers that. */
void ms_vectors_arrived(struct ms_thread *t, uint64_t *uc);
/* Whether a thread with this frame can be traced. */
bool ms_vectors_can_go(const uint64_t *uc);

/* --- enter.S --- */

extern const uint8_t ms_glue_full[], ms_glue_link[], ms_glue_miss[], ms_glue_call[],
	ms_glue_changed[];
/* All registers hold the program's values, except for the thread register, where there is one. */
extern const uint8_t ms_glue_go[];
extern const uint8_t ms_signal_entry[], ms_call_ready[], ms_call_insn[], ms_call_done[];
extern const uint8_t ms_deliver_done[], ms_clone_done[];
/* 0: the call was made; 1: a signal is held, and the call was not made. */
int ms_call_program(struct ms_thread *t);
int ms_clone_program(struct ms_thread *t);
void ms_deliver_program(struct ms_thread *t);
/* rt_sigreturn with the program's stack pointer. */
_Noreturn void ms_sigreturn_program(struct ms_thread *t);
/* Calls f(a, b, address of the saved vector registers), and preserves vector registers. */
uint64_t ms_keep_vectors(uint64_t (*f)(void *, void *, const uint8_t *), void *a, void *b);

#endif
