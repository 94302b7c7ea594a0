/*
 * decode/stack_addresses_priv.h - the parts of stack_addresses.c: values of registers, and the
 * function's code as basic blocks.
 */
#ifndef MS_DECODE_STACK_ADDRESSES_PRIV_H
#define MS_DECODE_STACK_ADDRESSES_PRIV_H

#include "decode/decode_priv.h"
#include "decode/stack_addresses.h"

/* --- stack_values.c: what is known of a register --- */

enum ms_decode_value_kind {
	MS_VALUE_UNKNOWN,
	MS_VALUE_NUMBER,
	MS_VALUE_RESULT, /* of a call: an address of another function's, or none at all */
	MS_VALUE_ADDRESS,
};

/* Symbols that addresses are relative to: then the function's variables, then its instructions. */
enum { MS_SYMBOL_CFA = 0, MS_SYMBOL_VARIABLES = 1 };

struct ms_decode_value {
	int64_t offset;  /* from the symbol, or the number: in the first iteration of a loop */
	uint32_t symbol; /* of an address */
	uint32_t origin; /* the instruction that has computed it from a base, plus 1; 0: a base */
	uint8_t kind;    /* enum ms_decode_value_kind */
	uint8_t shift;   /* the address is shifted to the right by so many bits */
	bool varies;     /* in later iterations, or by something unknown */
	bool vague;      /* the offset is not even that of the first iteration */
};

/* 8 bytes of the frame that hold an address. */
struct ms_decode_slot {
	int64_t offset;
	uint32_t symbol;
	struct ms_decode_value value;
};

enum { MS_DECODE_STACK_REGISTERS = 32, MS_DECODE_SLOTS = 24 };

struct ms_decode_values {
	struct ms_decode_value of[MS_DECODE_STACK_REGISTERS];
	struct ms_decode_slot slots[MS_DECODE_SLOTS];
	uint32_t slot_count;
	bool reached;
};

struct ms_decode_value ms_decode_make_address(uint32_t symbol, int64_t offset);
bool ms_decode_is_exact_address(const struct ms_decode_value *value);
/* a + (b << shift) + constant */
struct ms_decode_value ms_decode_add_values(struct ms_decode_value a, struct ms_decode_value b,
					    unsigned shift, int64_t constant);
struct ms_decode_value ms_decode_subtract_values(struct ms_decode_value a, struct ms_decode_value b,
						 unsigned shift);
struct ms_decode_value ms_decode_shift_value(struct ms_decode_value a, unsigned shift);
/* a & mask, which clears the lowest bits */
struct ms_decode_value ms_decode_align_value(struct ms_decode_value a, int64_t mask);

/* Whether both offsets from the symbol are in one variable. */
typedef bool ms_decode_same_variable(const void *arg, uint32_t symbol, int64_t a, int64_t b);
/* Adds what is known on another path; returns whether that has changed anything. */
bool ms_decode_join_value(struct ms_decode_value *into, const struct ms_decode_value *from,
			  ms_decode_same_variable *same, const void *arg);
bool ms_decode_join_values(struct ms_decode_values *into, const struct ms_decode_values *from,
			   ms_decode_same_variable *same, const void *arg);

/* The value at an exact address; NULL: unknown. */
const struct ms_decode_value *ms_decode_find_slot(const struct ms_decode_values *values,
						  const struct ms_decode_value *address);
/* Stores a value, of which nothing is known if it is NULL. */
void ms_decode_set_slot(struct ms_decode_values *values, const struct ms_decode_value *address,
			uint64_t size, const struct ms_decode_value *value);

/* --- stack_blocks.c: the code --- */

struct ms_decode_stack_block {
	uint32_t first, end; /* instructions */
	uint32_t next;       /* the block that follows it; MS_NO_BLOCK: execution never goes on */
	uint32_t target;     /* of its branch; MS_NO_BLOCK: none, or outside of the function */
	bool jumps;          /* to an address that is not known, perhaps of the function */
};

#define MS_NO_BLOCK UINT32_MAX

struct ms_decode_stack_blocks {
	MS_VEC(struct ms_decode_instruction) code; /* by pc in each range */
	MS_VEC(struct ms_decode_stack_block) at;
};

/* False: it is too long, or cannot be decoded. */
bool ms_decode_make_blocks(const struct ms_decode_stack_function *function,
			   struct ms_decode_stack_blocks *blocks);
void ms_decode_free_blocks(struct ms_decode_stack_blocks *blocks);

#endif
