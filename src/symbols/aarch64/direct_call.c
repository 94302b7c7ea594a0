/* aarch64: a direct call is "bl", with a distance of 26 bits in instructions. */
#include <string.h>

#include "symbols/direct_call_priv.h"

const unsigned ms_symbols_call_alignment = 4;

struct ms_symbols_direct_call ms_symbols_call_before(const uint8_t *code, size_t n, uint64_t end)
{
	enum { BL = 0x25 };
	uint32_t word;

	if (n < sizeof(word))
		return (struct ms_symbols_direct_call){ 0 };
	memcpy(&word, code + n - sizeof(word), sizeof(word));
	if (word >> 26 != BL)
		return (struct ms_symbols_direct_call){ 0 };
	int64_t distance = (int64_t)((uint64_t)word << 38) >> 36;
	return (struct ms_symbols_direct_call){ 1, end - sizeof(word) + (uint64_t)distance };
}
