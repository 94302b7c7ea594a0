/* decode/decode_priv.h - one decoded instruction, for all architectures. */
#ifndef MS_DECODE_DECODE_PRIV_H
#define MS_DECODE_DECODE_PRIV_H

#include "decode/decode.h"

enum ms_decode_flow {
	MS_FLOW_ON,     /* execution continues at the next one */
	MS_FLOW_BRANCH, /* or continues at target */
	MS_FLOW_AWAY,   /* jumps, calls, returns: never continues at the next one */
	MS_FLOW_KERNEL, /* a system call */
};

struct ms_decode_instruction {
	uint64_t pc, target;
	uint8_t length;
	uint8_t flow; /* enum ms_decode_flow */
	bool memory;  /* operand holds the address */
	bool repeats; /* can be interrupted before it completes */
	bool sets_flags, uses_flags;
	int8_t result; /* the register that receives the whole loaded value, if it has the size of
			  an address; else MS_NO_REGISTER */
	int32_t moves; /* what it adds to the operand's base, if the new value is known */
	int32_t adds;  /* what it adds to the only register it writes, if it does only that */
	int8_t adds_register; /* likewise: the register that it adds; else MS_NO_REGISTER */
	uint8_t latency;      /* cycles from its operands to its result, without the load */
	/*
	 * One bit per register: general registers in the lower half, vector registers in the upper
	 * half.
	 */
	uint64_t reads, writes;
	uint64_t constant; /* that it sets the only register it writes to; 0: not known */
	uint64_t data;     /* those of `reads` that are not part of an address */
	struct ms_decode_operand operand; /* in terms of the registers before the instruction */
};

enum { MS_VECTORS_AT = 32 };

/* Instructions start at multiples of this. */
extern const unsigned ms_decode_step;
extern const unsigned ms_decode_load_cycles;   /* of a load that hits in the first-level cache */
extern const unsigned ms_decode_stack_pointer; /* its register number */
/* Decodes the instruction at bytes, of which n are readable. False: it is invalid or cut off. */
bool ms_decode_one(const uint8_t *bytes, size_t n, uint64_t pc, struct ms_decode_instruction *in);

/* --- loop.c --- */

enum { MS_DECODE_ROW = 96 };

/* Consecutive instructions, of which [begin, end) may be a loop. */
struct ms_decode_row {
	struct ms_decode_instruction at[MS_DECODE_ROW];
	uint32_t n;
	uint32_t here; /* the instruction in question; n: it is not among them */
	uint32_t begin, end;
	bool is_loop; /* the first one follows the last */
};

/* Decodes the code around the instruction at pc; false: it is not among that code. first: where
 * decoding of the code may start. */
bool ms_decode_read_row(const struct ms_decode_code_around *code, uint32_t first, uint64_t pc,
			struct ms_decode_row *row);
/* Registers that receive computed values, without those that only advance with the address. */
uint64_t ms_decode_results(const struct ms_decode_instruction *in);
/* Fills in how the operand advances in each iteration of its loop. */
void ms_decode_find_stride(const struct ms_decode_code_around *code, uint32_t first,
			   const struct ms_decode_instruction *in,
			   struct ms_decode_operand *operand);
/* Whether another load of the loop provides its address. */
bool ms_decode_is_led(const struct ms_decode_code_around *code, uint32_t first,
		      const struct ms_decode_instruction *in);

/* --- loop_time.c --- */

/* The innermost loop around the instruction at pc, and how this instruction is part of its time. */
void ms_decode_time_loop(const struct ms_decode_code_around *code, uint32_t first, uint64_t pc,
			 struct ms_decode_loop *loop);

#endif
