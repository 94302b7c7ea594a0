/* symbols/frame_size_priv.h - what the prologue of a function shows; one file per architecture. */
#ifndef MS_SYMBOLS_FRAME_SIZE_PRIV_H
#define MS_SYMBOLS_FRAME_SIZE_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ms_symbols_module;

/* DWARF's number of the stack pointer. */
extern const unsigned ms_symbols_stack_register;
/* How far the prologue at the beginning of this code moves the stack pointer; 0: not known. */
uint64_t ms_symbols_prologue_bytes(const uint8_t *code, size_t n);

/* call_order.c: the code at an address, and how many bytes of it there are; NULL: none. */
const uint8_t *ms_symbols_code_at(const struct ms_symbols_module *module, uint64_t offset,
				  size_t *n);
/* The same for the function that begins at an address; false: not known. */
bool ms_symbols_frame_size(const struct ms_symbols_module *module, uint64_t entry, uint64_t *size);

#endif
