/* arch_priv.h - what the folder of each architecture provides for the tracer. */
#ifndef MS_NATIVE_TRACER_ARCH_PRIV_H
#define MS_NATIVE_TRACER_ARCH_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch.h"
#include "unwind/unwind.h"

struct ms_runtime_thread;
struct ms_tracer_window;

/* --- liveness.c, superblocks.c, block_emitter.c, block_exits.c --- */

void ms_tracer_forget_decoded(void);
void ms_tracer_build_superblock(struct ms_tracer_superblock *g, uint64_t pc, bool recorded);
void ms_tracer_start_emitter(void);
void ms_tracer_emit_block(struct ms_runtime_thread *t, struct ms_tracer_block *block,
			  struct ms_tracer_superblock *g);
/* Makes the branch go to the block. */
void ms_tracer_patch_link(const struct ms_tracer_link *link, const struct ms_tracer_block *to);
/* Makes the entry of an older version of a block branch to `to`. */
void ms_tracer_forward_to_version(const struct ms_tracer_block *old,
				  const struct ms_tracer_block *to);
/* The next block is emitted for this branch; NULL: for any. */
void ms_tracer_set_emit_hint(const struct ms_tracer_link *link);

/* --- processor_features.c --- */

/* Examines the processor. False: the tracer does not work on it, and has printed why. */
bool ms_tracer_check_processor(void);
/* Entries of a table of indirect branches at first and at most, powers of two. They are equal where
 * generated code has the size as a constant. */
struct ms_tracer_branch_table_sizes {
	uint64_t first, most;
};
struct ms_tracer_branch_table_sizes ms_tracer_get_branch_table_sizes(void);
/* Makes code that has been written visible to instruction fetch on all processors. */
void ms_tracer_sync_instruction_cache(const void *from, const void *to);

/* --- register_context.c --- */

/* Puts into the frame what the program would have natively, at pc. */
void ms_tracer_show_native_context(const struct ms_tracer_window *w, uint64_t *uc, uint64_t pc);
/* Likewise at a fault, where the registers that the block uses are known. */
void ms_tracer_show_fault_context(const struct ms_tracer_window *w, const struct ms_tracer_block *b,
				  const struct ms_tracer_insn_site *site, uint64_t *uc);
/* The interrupted code continues traced. */
void ms_tracer_resume_traced(struct ms_runtime_thread *t, uint64_t *uc);
/* For the unwinder. */
struct ms_unwind_frame ms_tracer_get_frame(const struct ms_tracer_window *w);
/* After a system call: sets the registers that the instruction destroys. */
void ms_tracer_drop_syscall_registers(struct ms_tracer_window *w);
/* Whether a system call is at pc; otherwise it is a request. */
bool ms_tracer_is_syscall_at(uint64_t pc);
/* The system call changes the register that identifies the thread. The tracer must not be active
 * meanwhile. */
bool ms_tracer_changes_thread_pointer(uint64_t number, const uint64_t *args);
/* At a function's entry: the caller's frame, as it will be after the return. */
struct ms_unwind_frame ms_tracer_get_caller_frame(const struct ms_tracer_window *w);
/* At a function's entry: continues after the call. */
void ms_tracer_return_to_caller(struct ms_tracer_window *w);
void ms_tracer_set_stub_addresses(struct ms_tracer_window *w);

/* --- clone_call.c --- */

/* Code that makes the system call at pc. The child, whose result is 0, continues natively. */
ms_tracer_code_unit *ms_tracer_emit_clone_call(uint64_t pc);

/* --- vector_registers.c --- */

/* The window is left through this frame: puts those vector registers into it that system calls of C
 * have not preserved. May not return. */
void ms_tracer_restore_vectors(struct ms_tracer_window *w, uint64_t *uc);
/* Memspy's signal has arrived. If it was sent to deliver a signal of the program through such a
 * frame, delivers that. */
void ms_tracer_handle_vector_signal(struct ms_runtime_thread *t, uint64_t *uc);
/* Whether a thread with this frame can be traced. */
bool ms_tracer_can_trace_vectors(const uint64_t *uc);

/* --- context_switch.S --- */

extern const uint8_t ms_tracer_stub_full[], ms_tracer_stub_link[], ms_tracer_stub_miss[],
	ms_tracer_stub_call[], ms_tracer_stub_changed[];
/* All registers hold the program's values, except for the thread register, where there is one. */
extern const uint8_t ms_tracer_stub_dispatch[];
extern const uint8_t ms_tracer_signal_entry[], ms_tracer_syscall_ready[], ms_tracer_syscall_insn[],
	ms_tracer_syscall_done[];
extern const uint8_t ms_tracer_deliver_done[], ms_tracer_clone_done[];
/* 0: the call was made; 1: a signal is held, and the call was not made. */
int ms_tracer_call_syscall(struct ms_runtime_thread *t);
int ms_tracer_call_clone(struct ms_runtime_thread *t);
void ms_tracer_deliver_pending(struct ms_runtime_thread *t);
/* rt_sigreturn with the program's stack pointer. */
_Noreturn void ms_tracer_call_sigreturn(struct ms_runtime_thread *t);
/* Calls f(a, b, address of the saved vector registers), and preserves vector registers. */
uint64_t ms_tracer_call_with_vectors_saved(uint64_t (*f)(void *, void *, const uint8_t *), void *a,
					   void *b);

#endif
