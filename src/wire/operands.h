/*
 * wire/operands.h - which registers an instruction reads and writes, in one word.
 *
 * A block's description has such a word for each instruction (struct ms_wire_block). The reader
 * follows registers from instruction to instruction, and so finds out which loads the address of a
 * reference depends on. It need not know the architecture: front-ends number the registers alike.
 *
 *     bits  0- 7, 8-15     registers written; 0: none
 *     bits 16-23 ... 40-47 registers read, four of them; 0: none
 *     bits 48-51           bit k: register read k is part of the address of a load or store
 *     bits 52-55           enum ms_wire_operation
 *     bit  56              the second register written is the base after write-back, or the stack
 *                          pointer after a push or pop: it does not depend on the loaded value
 *     bit  57              the first one is that
 *
 * An instruction with more operands keeps its address registers first, then other registers read;
 * of those written, the data before the base that is written back.
 *
 * A write that keeps a part of a register reads it, too. The flags are an exception: processors
 * rename their parts separately. Freestanding, like wire.h.
 */
#ifndef MS_WIRE_OPERANDS_H
#define MS_WIRE_OPERANDS_H

#include <stdint.h>

/* The numbers of registers. 0 is none, also for a register that is always zero. */
enum ms_wire_register {
	MS_WIRE_NO_REGISTER,
	/* Integer registers, the stack pointer (x86-64: number 4; aarch64: number 31), and on
	 * x86-64 after the integer registers the masks (16 to 23) and those of x87 and MMX (24 to
	 * 31). */
	MS_WIRE_INTEGER_REGISTER,
	MS_WIRE_VECTOR_REGISTER = 33,
	MS_WIRE_FLAGS = 65,
	MS_WIRE_BLOCK_VALUE = 66, /* from here on: values that only this block knows */
	MS_WIRE_REGISTERS = 256,
};

/* What an instruction does besides loading and storing. */
enum ms_wire_operation {
	MS_WIRE_OP_INTEGER,        /* add, logic, shift, compare, move, address computation */
	MS_WIRE_OP_MULTIPLY,       /* of integers */
	MS_WIRE_OP_DIVIDE,         /* of integers */
	MS_WIRE_OP_FLOAT_ADD,      /* also conversions, compares */
	MS_WIRE_OP_FLOAT_MULTIPLY, /* also fused multiply-add */
	MS_WIRE_OP_FLOAT_DIVIDE,   /* also square root */
	MS_WIRE_OP_VECTOR,         /* vectors of integers; moves of vector registers */
	MS_WIRE_OP_BRANCH,         /* unconditional, direct */
	MS_WIRE_OP_CONDITIONAL_BRANCH,
	MS_WIRE_OP_INDIRECT_BRANCH,
	MS_WIRE_OP_CALL, /* direct or indirect */
	MS_WIRE_OP_RETURN,
	MS_WIRE_OP_ATOMIC,
	MS_WIRE_OP_OTHER, /* barriers, system registers */
	MS_WIRE_OPERATIONS,
};

enum {
	MS_WIRE_WRITTEN = 2, /* registers, at most */
	MS_WIRE_READS = 4,   /* likewise */
	MS_WIRE_READS_AT = 16,
	MS_WIRE_ADDRESS_AT = 48,
	MS_WIRE_OPERATION_AT = 52,
	MS_WIRE_SECOND_WRITE_BACK_AT = 56,
	MS_WIRE_FIRST_WRITE_BACK_AT = 57,
	MS_WIRE_OPERAND_BITS = 58,
};

/* --- reading --- */

/* Register written `i`, below MS_WIRE_WRITTEN. */
static inline uint32_t ms_wire_written_register(uint64_t operands, uint32_t i)
{
	return operands >> 8 * i & 0xff;
}

/* Whether that register is a base or stack pointer that the access moves: it does not depend on the
 * loaded value. */
static inline uint32_t ms_wire_is_write_back(uint64_t operands, uint32_t i)
{
	return operands >> (i == 0 ? MS_WIRE_FIRST_WRITE_BACK_AT : MS_WIRE_SECOND_WRITE_BACK_AT) &
	       1;
}

/* Register read `i`, below MS_WIRE_READS. */
static inline uint32_t ms_wire_read_register(uint64_t operands, uint32_t i)
{
	return operands >> (MS_WIRE_READS_AT + 8 * i) & 0xff;
}

/* Whether that register is part of an address. */
static inline uint32_t ms_wire_is_address(uint64_t operands, uint32_t i)
{
	return operands >> (MS_WIRE_ADDRESS_AT + i) & 1;
}

static inline uint32_t ms_wire_operation_of(uint64_t operands)
{
	return operands >> MS_WIRE_OPERATION_AT & 0xf;
}

/* Whether a word has only known operations, and marks only registers that are there. */
static inline uint32_t ms_wire_are_operands(uint64_t operands)
{
	if (operands >> MS_WIRE_OPERAND_BITS != 0 ||
	    ms_wire_operation_of(operands) >= MS_WIRE_OPERATIONS)
		return 0;
	for (uint32_t i = 0; i < MS_WIRE_READS; i++)
		if (ms_wire_is_address(operands, i) && ms_wire_read_register(operands, i) == 0)
			return 0;
	for (uint32_t i = 0; i < MS_WIRE_WRITTEN; i++)
		if (ms_wire_is_write_back(operands, i) &&
		    ms_wire_written_register(operands, i) == 0)
			return 0;
	return 1;
}

/* --- writing: each starts from 0, or from what another one returned --- */

/* Address registers must be added before others. */
static inline uint64_t ms_wire_add_read(uint64_t operands, uint32_t reg, uint32_t is_address)
{
	for (uint32_t i = 0; i < MS_WIRE_READS && reg != 0; i++) {
		uint32_t at = MS_WIRE_READS_AT + 8 * i, have = ms_wire_read_register(operands, i);

		if (have != 0 && have != reg)
			continue;
		return operands | (uint64_t)reg << at |
		       (uint64_t)(is_address != 0) << (MS_WIRE_ADDRESS_AT + i);
	}
	return operands;
}

/* Data must be added before a base that is written back. */
static inline uint64_t ms_wire_add_written(uint64_t operands, uint32_t reg, uint32_t is_write_back)
{
	for (uint32_t i = 0; i < MS_WIRE_WRITTEN && reg != 0; i++) {
		uint32_t have = ms_wire_written_register(operands, i);

		if (have == reg)
			return operands;
		if (have != 0)
			continue;
		operands |= (uint64_t)reg << 8 * i;
		if (is_write_back)
			operands |= UINT64_C(1) << (i == 0 ? MS_WIRE_FIRST_WRITE_BACK_AT
							   : MS_WIRE_SECOND_WRITE_BACK_AT);
		return operands;
	}
	return operands;
}

static inline uint64_t ms_wire_set_operation(uint64_t operands, uint32_t operation)
{
	return (operands & ~(UINT64_C(0xf) << MS_WIRE_OPERATION_AT)) |
	       (uint64_t)operation << MS_WIRE_OPERATION_AT;
}

#endif
