/* symbols/direct_call_priv.h - direct calls in machine code; one file per architecture. */
#ifndef MS_SYMBOLS_DIRECT_CALL_PRIV_H
#define MS_SYMBOLS_DIRECT_CALL_PRIV_H

#include <stddef.h>
#include <stdint.h>

/* What a call instruction calls: an address, or the slot that has it. */
struct ms_symbols_direct_call {
	int form; /* of the instruction; 0: there is no such call */
	uint64_t target;
};

/* Calls begin at multiples of this. */
extern const unsigned ms_symbols_call_alignment;
/* The call that ends at `end`, an address; `n` bytes of code before it are at `code`. */
struct ms_symbols_direct_call ms_symbols_call_before(const uint8_t *code, size_t n, uint64_t end);

#endif
