/*
 * decode/stack_addresses.h - finds the instructions of a function that access its variables on the
 * stack, from the machine code alone: the addresses in registers are followed from the stack
 * pointer on.
 *
 * The caller knows, from debug information, where variables are: at a distance from the canonical
 * frame address (CFA, the stack pointer before the call), or where a register points to. An
 * address may be computed from that of a variable by any number of additions, and may be kept in
 * registers and in 8-byte places of the frame. Where several paths lead to an instruction, all must
 * have addresses in the same variable. Of a loop, the address of the first iteration decides.
 *
 * Not followed: addresses that come from other memory, from a caller or from a called function.
 */
#ifndef MS_DECODE_STACK_ADDRESSES_H
#define MS_DECODE_STACK_ADDRESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

/* One range of the function's code; the first one begins with its entry. */
struct ms_decode_stack_code {
	uint64_t pc;
	const uint8_t *bytes;
	size_t n;
};

enum { MS_DECODE_CFA = -2 }; /* instead of a register */

/* In [from, to), the register is this far below the CFA. */
struct ms_decode_stack_rule {
	uint64_t from, to;
	int64_t depth;
	int8_t reg;
};

enum ms_decode_stack_place_kind {
	MS_PLACE_AT,      /* the variable is at base + offset */
	MS_PLACE_THROUGH, /* its address is stored there */
};

/* Where a variable is in [from, to). */
struct ms_decode_stack_place {
	uint64_t from, to;
	int64_t offset;
	uint32_t variable;
	int8_t base; /* a register, or MS_DECODE_CFA */
	uint8_t kind;
	uint16_t depth; /* of its scope */
};

struct ms_decode_stack_variable {
	uint64_t size;   /* 0: known at run time only */
	uint64_t origin; /* how far below it the element with the indices 0 would be */
	uint64_t row;    /* bytes from one index to the next, of the outermost dimension */
};

struct ms_decode_stack_function {
	MS_VEC(struct ms_decode_stack_code) code;
	MS_VEC(struct ms_decode_stack_rule) rules; /* by from */
	MS_VEC(struct ms_decode_stack_place) places;
	MS_VEC(struct ms_decode_stack_variable) variables;
};

/* An instruction that accesses a variable. kind: as in struct ms_decode_operand. */
struct ms_decode_stack_access {
	uint64_t pc;
	uint32_t variable;
	uint8_t kind;
};

struct ms_decode_stack_accesses {
	MS_VEC(struct ms_decode_stack_access) at; /* by pc */
};

/* Adds nothing if the code is too long. */
void ms_decode_find_stack_accesses(const struct ms_decode_stack_function *function,
				   struct ms_decode_stack_accesses *out);
void ms_decode_free_stack_function(struct ms_decode_stack_function *function);

/* The number of a general register that DWARF numbers so; MS_NO_REGISTER: it is none. */
int8_t ms_decode_register_of_dwarf(unsigned number);

#endif
