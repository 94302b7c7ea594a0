/* collect/events/block_calls.c - finds the calls and returns of a block from its description. */
#include <string.h>

#include "bins/registers.h"
#include "collect/events/events.h"
#include "wire/operands.h"

/*
 * Whether the instruction sets the stack pointer to the value of another register: longjmp() and
 * functions that switch stacks or end the unwinding of an exception. The end of a function that has
 * a frame pointer restores it from there.
 */
static bool sets_stack_pointer(uint64_t operands)
{
	bool writes = false, reads_other = false;

	for (uint32_t i = 0; i < MS_WIRE_WRITTEN; i++)
		writes |= ms_wire_written_register(operands, i) == ms_bins_stack_pointer &&
			  !ms_wire_is_write_back(operands, i);
	for (uint32_t i = 0; i < MS_WIRE_READS; i++) {
		uint32_t reg = ms_wire_read_register(operands, i);

		reads_other |= reg != MS_WIRE_NO_REGISTER && reg != MS_WIRE_FLAGS &&
			       reg != ms_bins_stack_pointer && reg != ms_bins_frame_pointer;
	}
	return writes && reads_other;
}

/* VEX describes the plain jump of aarch64 as a call, too. */
static bool is_call(uint64_t operands)
{
	bool links = ms_bins_link_register == MS_WIRE_NO_REGISTER;

	for (uint32_t i = 0; i < MS_WIRE_WRITTEN; i++)
		links |= ms_wire_written_register(operands, i) == ms_bins_link_register;
	return links;
}

/* Returns false if the instruction does not change the call stack. */
static bool find_kind(uint64_t operands, bool other_stack, enum ms_engine_transfer_kind *kind)
{
	switch (ms_wire_operation_of(operands)) {
	case MS_WIRE_OP_CALL:
		*kind = MS_ENGINE_TRANSFER_CALL;
		return is_call(operands);
	case MS_WIRE_OP_RETURN:
		*kind = other_stack ? MS_ENGINE_TRANSFER_STACK_SWITCH : MS_ENGINE_TRANSFER_RETURN;
		return true;
	case MS_WIRE_OP_INDIRECT_BRANCH:
		*kind = MS_ENGINE_TRANSFER_STACK_SWITCH;
		return other_stack;
	default:
		return false;
	}
}

void ms_collect_bind_calls(struct ms_collect_state *c, const struct ms_collect_event *e,
			   struct ms_engine_block *block)
{
	struct ms_wire_block head;
	struct ms_engine_transfer transfers[MS_WIRE_RESERVE_WORDS];
	bool other_stack = false;
	uint32_t n = 0;

	memcpy(&head, e->words, sizeof(head));
	const uint64_t *pcs = e->words + 1;
	const uint64_t *operands = e->words + e->n - head.instructions;

	if (head.instructions == 0)
		return;
	block->entry = pcs[0];
	block->function = ms_bins_function(c->binding.binder, pcs[0]);
	for (uint32_t i = 0; i < head.instructions && head.operands != 0; i++) {
		enum ms_engine_transfer_kind kind;

		other_stack |= sets_stack_pointer(operands[i]);
		if (!find_kind(operands[i], other_stack, &kind))
			continue;
		/* The stack pointer was set for a large frame or alloca(), not for a jump. */
		if (kind == MS_ENGINE_TRANSFER_CALL)
			other_stack = false;
		transfers[n++] = (struct ms_engine_transfer){
			.pc = pcs[i],
			.next_pc = i + 1 < head.instructions ? pcs[i + 1] : 0,
			.call_site = kind == MS_ENGINE_TRANSFER_CALL
					     ? ms_bins_call_site(c->binding.binder, pcs[i])
					     : MS_ENGINE_NO_CALL_SITE,
			.function = ms_bins_function(c->binding.binder, pcs[i]),
			.next_function = i + 1 < head.instructions
						 ? ms_bins_function(c->binding.binder, pcs[i + 1])
						 : 0,
			.instruction = (uint16_t)i,
			.kind = (uint16_t)kind,
		};
	}
	ms_engine_describe_calls(block, &c->binding.arena, transfers, n);
}
