/*
 * decode/stored_result.h - where the result of a call is stored, from the code that follows the
 * call: in a register, in memory at an address or at a distance from a register, or in what a
 * pointer there points to.
 *
 * The code is followed in a straight line: conditional branches are not taken, because what follows
 * a call mostly begins with a test for failure.
 */
#ifndef MS_DECODE_STORED_RESULT_H
#define MS_DECODE_STORED_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Memory relative to a register as it was when the call returned, or at an address. */
struct ms_decode_result_place {
	int64_t offset; /* or the address */
	int8_t base;    /* a register; MS_NO_REGISTER: none */
	bool indexed;   /* and something unknown is added */
};

enum ms_decode_stored_kind {
	MS_STORED_IN_REGISTER, /* place.base */
	MS_STORED_IN_PLACE,
	MS_STORED_THROUGH, /* the place has a pointer, and the result is where that points to */
};

struct ms_decode_stored_result {
	enum ms_decode_stored_kind kind;
	/* The instruction that accesses the place; the one after that which sets the register. */
	uint64_t pc;
	struct ms_decode_result_place place, target; /* target: relative to the pointer */
};

enum { MS_DECODE_STORED_RESULTS = 8 };

struct ms_decode_stored_results {
	struct ms_decode_stored_result at[MS_DECODE_STORED_RESULTS]; /* in the order of execution */
	size_t n;
	bool returned; /* the function returns it */
};

/* bytes: the code at pc, to which the call returns. */
void ms_decode_find_stored_results(const uint8_t *bytes, size_t n, uint64_t pc,
				   struct ms_decode_stored_results *out);

#endif
