/*
 * Operands of an instruction as a text, for comparisons: registers written, "=", registers read,
 * the operation. "x1 x2! = [x2] v3 flags float-add": x2 is written back, and is part of an address.
 */
#ifndef MS_TESTS_OPERANDS_TEXT_H
#define MS_TESTS_OPERANDS_TEXT_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "wire/operands.h"

static const char *const operation_names[MS_WIRE_OPERATIONS] = {
	[MS_WIRE_OP_INTEGER] = "integer",
	[MS_WIRE_OP_MULTIPLY] = "multiply",
	[MS_WIRE_OP_DIVIDE] = "divide",
	[MS_WIRE_OP_FLOAT_ADD] = "float-add",
	[MS_WIRE_OP_FLOAT_MULTIPLY] = "float-multiply",
	[MS_WIRE_OP_FLOAT_DIVIDE] = "float-divide",
	[MS_WIRE_OP_VECTOR] = "vector",
	[MS_WIRE_OP_BRANCH] = "branch",
	[MS_WIRE_OP_CONDITIONAL_BRANCH] = "conditional-branch",
	[MS_WIRE_OP_INDIRECT_BRANCH] = "indirect-branch",
	[MS_WIRE_OP_CALL] = "call",
	[MS_WIRE_OP_RETURN] = "return",
	[MS_WIRE_OP_ATOMIC] = "atomic",
	[MS_WIRE_OP_OTHER] = "other",
};

/* integers: the architecture's names of registers 1 to 32. */
static inline size_t add_register(char *text, size_t n, const char *const *integers, uint32_t reg)
{
	if (reg >= MS_WIRE_BLOCK_VALUE)
		return (size_t)sprintf(text + n, "t%u", reg - MS_WIRE_BLOCK_VALUE);
	if (reg == MS_WIRE_FLAGS)
		return (size_t)sprintf(text + n, "flags");
	if (reg >= MS_WIRE_VECTOR_REGISTER)
		return (size_t)sprintf(text + n, "v%u", reg - MS_WIRE_VECTOR_REGISTER);
	return (size_t)sprintf(text + n, "%s", integers[reg - MS_WIRE_INTEGER_REGISTER]);
}

static inline const char *operands_text(uint64_t operands, const char *const *integers)
{
	static char text[200];
	size_t n = 0;

	for (uint32_t i = 0; i < MS_WIRE_WRITTEN; i++) {
		uint32_t reg = ms_wire_written_register(operands, i);

		if (reg == 0)
			continue;
		n += add_register(text, n, integers, reg);
		n += (size_t)sprintf(text + n, "%s ",
				     ms_wire_is_write_back(operands, i) ? "!" : "");
	}
	n += (size_t)sprintf(text + n, "= ");
	for (uint32_t i = 0; i < MS_WIRE_READS; i++) {
		uint32_t reg = ms_wire_read_register(operands, i);
		bool is_address = ms_wire_is_address(operands, i);

		if (reg == 0)
			continue;
		n += (size_t)sprintf(text + n, "%s", is_address ? "[" : "");
		n += add_register(text, n, integers, reg);
		n += (size_t)sprintf(text + n, "%s ", is_address ? "]" : "");
	}
	sprintf(text + n, "%s", operation_names[ms_wire_operation_of(operands)]);
	return text;
}

#endif
