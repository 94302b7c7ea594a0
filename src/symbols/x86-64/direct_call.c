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
