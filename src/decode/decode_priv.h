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
	uint8_t flow;  /* enum ms_decode_flow */
	bool memory;   /* operand holds the address */
	bool repeats;  /* can be interrupted before it completes */
	int8_t result; /* the register that receives the whole loaded value, if it has the size of
			  an address; else MS_NO_REGISTER */
	int32_t moves; /* what it adds to the operand's base, if the new value is known */
	int32_t adds;  /* what it adds to the only register it writes, if it does only that */
	/*
	 * One bit per register: general registers in the lower half, vector registers in the upper
	 * half.
	 */
	uint64_t reads, writes;
	uint64_t data;                    /* those of `reads` that are not part of an address */
	struct ms_decode_operand operand; /* in terms of the registers before the instruction */
};

enum { MS_VECTORS_AT = 32 };

/* Instructions start at multiples of this. */
extern const unsigned ms_decode_step;
extern const unsigned ms_decode_stack_pointer; /* its register number */
/* Decodes the instruction at bytes, of which n are readable. False: it is invalid or cut off. */
bool ms_decode_one(const uint8_t *bytes, size_t n, uint64_t pc, struct ms_decode_instruction *in);
/*
 * The stride of the operand in its loop, less than a line; 0: larger, or not known. first: where
 * decoding of the code may start.
 */
int8_t ms_decode_stride(const struct ms_decode_code_around *code, uint32_t first,
			const struct ms_decode_instruction *in);
/* Whether another load of the loop provides its address. */
bool ms_decode_is_led(const struct ms_decode_code_around *code, uint32_t first,
		      const struct ms_decode_instruction *in);

#endif
