/* strides.c - loads at distances of 64 bytes to a page and a line, in 64 MiB. */
#include "phase.h"

#define WALK(name)                                                                                \
	PHASE_FUNCTION uint64_t name(const char *at, size_t stride, size_t mask, size_t accesses) \
	{                                                                                         \
		uint64_t sum = 0;                                                                 \
		size_t where = 0;                                                                 \
                                                                                                  \
		for (size_t k = 0; k < accesses; k++) {                                           \
			uint64_t value;                                                           \
                                                                                                  \
			memcpy(&value, at + (where & mask), sizeof(value));                       \
			sum += value;                                                             \
			where += stride;                                                          \
		}                                                                                 \
		return sum;                                                                       \
	}

WALK(walk_64)
WALK(walk_128)
WALK(walk_320)
WALK(walk_1024)
WALK(walk_4160)
WALK(walk_backwards)

int main(void)
{
	size_t bytes = phase_size(MIB(64), KIB(16)), accesses = (size_t)8 << 20;
	char *at = (char *)phase_alloc(bytes + 64, 1);

	PHASE(walk_64(at, 64, bytes - 1, 2 * accesses));
	PHASE(walk_128(at, 128, bytes - 1, accesses));
	PHASE(walk_320(at, 320, bytes - 1, accesses));
	PHASE(walk_1024(at, 1032, bytes - 1, accesses));
	PHASE(walk_4160(at, 4160, bytes - 1, accesses));
	PHASE(walk_backwards(at, (size_t)-64, bytes - 1, 2 * accesses));
	return phase_end_program();
}
