/*
 * x86-64: compilers address variables relative to the register that the unwind tables use, so the
 * prologue is not needed.
 */
#include "symbols/frame_size_priv.h"

const unsigned ms_symbols_stack_register = 7;

uint64_t ms_symbols_prologue_bytes(const uint8_t *code, size_t n)
{
	(void)code;
	(void)n;
	return 0;
}
