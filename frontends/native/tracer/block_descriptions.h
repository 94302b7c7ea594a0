/* block_descriptions.h - descriptions of blocks, which the reader gets before their executions. */
#ifndef MS_NATIVE_TRACER_BLOCK_DESCRIPTIONS_H
#define MS_NATIVE_TRACER_BLOCK_DESCRIPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/wire.h"

struct ms_runtime_thread;

struct ms_tracer_description {
	const uint64_t *pcs;
	const uint64_t *operands; /* by instruction (wire/operands.h); NULL: unknown */
	uint32_t instructions;
	uint32_t ref_count;
	const struct ms_wire_ref *refs;
	struct ms_wire_exit *exits;
	uint32_t exit_count;
};

/* Describes a block before its first execution; returns the number of its first exit. */
uint32_t ms_tracer_describe_block(struct ms_runtime_thread *t,
				  const struct ms_tracer_description *block);

/*
 * With sampled sets: an execution is recorded without its references. The references to sampled
 * sets are recorded before it, each as an execution of its own.
 */
bool ms_tracer_start_ref_blocks(void);
/* As ms_tracer_describe_block(); the exits' numbers of references are stored here. */
uint32_t ms_tracer_describe_block_without_refs(struct ms_runtime_thread *t,
					       const struct ms_tracer_description *block);
/* The exit of an execution that is one reference of the instruction at pc. The instruction makes
 * `times` references of this size and kind each time. */
uint32_t ms_tracer_describe_ref_block(struct ms_runtime_thread *t, uint64_t pc,
				      const uint64_t *operands, uint16_t size, uint16_t kind,
				      uint32_t times);
/* The number of exits described so far. */
uint32_t ms_tracer_count_exits(void);
/* Whether an execution that left a block by this exit has written to memory. */
bool ms_tracer_does_exit_write(uint32_t exit);
/* References made up to an exit, recorded or not. */
extern uint16_t *ms_tracer_exit_refs;
static inline uint32_t ms_tracer_get_exit_refs(uint32_t exit)
{
	return exit < MS_WIRE_EXITS ? ms_tracer_exit_refs[exit] : 0;
}
/* Code was unmapped: other instructions may be mapped there. */
void ms_tracer_forget_ref_blocks(void);

/* For a new stream: numbers start again. */
void ms_tracer_restart_descriptions(void);

#endif
