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

/* What an instruction does with values that may be addresses on the stack: stack_addresses.c. */
enum ms_decode_effect_kind {
	MS_EFFECT_OTHER,      /* the registers that it writes get unknown values */
	MS_EFFECT_SUM,        /* to = from + (other << shift) + constant */
	MS_EFFECT_DIFFERENCE, /* to = from - (other << shift) */
	MS_EFFECT_PRODUCT,    /* to = from * constant */
	MS_EFFECT_SHIFT,      /* to = from >> shift */
	MS_EFFECT_ALIGN,      /* to = from & constant, without its lowest bits */
	MS_EFFECT_SELECT,     /* to = from, or other */
	MS_EFFECT_LOAD,       /* to, and other, from memory: 8 bytes each */
	MS_EFFECT_STORE,      /* from, and other, to memory */
	MS_EFFECT_CALL,
	MS_EFFECT_JUMP, /* to an address in a register or in memory */
	MS_EFFECT_NOTHING,
};

enum { MS_UNKNOWN_VALUE = -2 }; /* instead of a register: a value from memory */

struct ms_decode_effect {
	uint8_t kind; /* enum ms_decode_effect_kind */
	int8_t to, from, other;
	uint8_t shift;
	bool narrow; /* only the lower half of the result: not an address */
	int64_t constant;
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
	int8_t copied_to; /* register with the address that it copies the operand to; else
			     MS_NO_REGISTER */
	struct ms_decode_effect effect;
};

enum { MS_VECTORS_AT = 32 };

/* Instructions start at multiples of this. */
extern const unsigned ms_decode_step;
extern const unsigned ms_decode_load_cycles;   /* of a load that hits in the first-level cache */
extern const unsigned ms_decode_stack_pointer; /* its register number */
extern const unsigned ms_decode_registers;     /* general registers, with the stack pointer */
extern const uint32_t ms_decode_call_clobbers; /* registers that a call may change: one bit each */
extern const int64_t ms_decode_entry_depth;    /* of the stack pointer below the CFA at entry */
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
