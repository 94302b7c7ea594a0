/* decode/decode_priv.h - one instruction, whatever the architecture. */
#ifndef MS_DECODE_DECODE_PRIV_H
#define MS_DECODE_DECODE_PRIV_H

#include "decode/decode.h"

enum ms_flow {
	MS_FLOW_ON,     /* the next one follows */
	MS_FLOW_BRANCH, /* or it goes to target */
	MS_FLOW_AWAY,   /* jumps, calls, returns: the next one does not follow */
	MS_FLOW_KERNEL, /* a system call */
};

struct ms_instruction {
	uint64_t pc, target;
	uint8_t length;
	uint8_t flow;  /* enum ms_flow */
	bool memory;   /* operand says where */
	bool repeats;  /* it is interrupted before it is done */
	int8_t result; /* the register that gets all of what is loaded, if it is as long as an
			  address; else MS_NO_REGISTER */
	int32_t moves; /* what it adds to the operand's base, if it changes that to a known value */
	int32_t adds;  /* what it adds to the one register that it writes, if it does just that */
	/* A bit for each register: general ones below, vectors above. */
	uint64_t reads, writes;
	uint64_t data;             /* of those that it reads: not as part of an address */
	struct ms_operand operand; /* by registers as they are before it */
};

enum { MS_VECTORS_AT = 32 };

/* Instructions start at multiples of it. */
extern const unsigned ms_decode_step;
extern const unsigned ms_decode_stack_pointer; /* its number */
/* The one at bytes, of which there are n. False: it is none, or cut off. */
bool ms_decode_one(const uint8_t *bytes, size_t n, uint64_t pc, struct ms_instruction *in);
/* How far it goes on in each turn of its loop, less than a line; 0: farther, or who knows. first:
 * where decoding the code may start. */
int8_t ms_decode_stride(const struct ms_code_around *code, uint32_t first,
			const struct ms_instruction *in);
/* Whether another load of the loop says where it goes. */
bool ms_decode_is_led(const struct ms_code_around *code, uint32_t first,
		      const struct ms_instruction *in);

#endif
