/*
 * x86-64: "call distance", or "call *distance(%rip)" through a slot of the GOT. Instructions can
 * begin anywhere: other bytes look like a call, but hardly ever of the function that is compared.
 */
#include <string.h>

#include "symbols/direct_call_priv.h"

const unsigned ms_symbols_call_alignment = 1;

struct ms_symbols_direct_call ms_symbols_call_before(const uint8_t *code, size_t n, uint64_t end)
{
	enum { CALL = 0xe8, INDIRECT = 0xff, RIP_RELATIVE_CALL = 0x15 };
	const uint8_t *p = code + n;
	int32_t distance;

	if (n < 6)
		return (struct ms_symbols_direct_call){ 0 };
	memcpy(&distance, p - 4, sizeof(distance));
	uint64_t target = end + (uint64_t)(int64_t)distance;
	if (p[-5] == CALL)
		return (struct ms_symbols_direct_call){ 1, target };
	if (p[-6] == INDIRECT && p[-5] == RIP_RELATIVE_CALL)
		return (struct ms_symbols_direct_call){ 2, target };
	return (struct ms_symbols_direct_call){ 0 };
}

/* MOV reg, RAX: REX.W 89 /0 with a register; REX.B selects R8 to R15. */
int ms_symbols_result_copy(const uint8_t *code, size_t n, size_t *length)
{
	/* RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI as DWARF numbers them. */
	static const int dwarf[] = { 0, 2, 1, 3, 7, 6, 4, 5 };

	*length = 3;
	if (n < 3 || (code[0] & 0xfe) != 0x48 || code[1] != 0x89 || (code[2] & 0xf8) != 0xc0)
		return -1;
	unsigned reg = code[2] & 7;
	return (code[0] & 1) != 0 ? 8 + (int)reg : dwarf[reg];
}
