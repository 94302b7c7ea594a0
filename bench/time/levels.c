/* levels.c - the same reading loop over data of the size of each cache level and of memory. */
#include "phase.h"

typedef double pair __attribute__((vector_size(16)));

#define READ(name)                                                         \
	PHASE_FUNCTION double name(const pair *a, size_t n, size_t rounds) \
	{                                                                  \
		pair first = { 0 }, second = { 0 };                        \
		pair third = { 0 }, fourth = { 0 };                        \
                                                                           \
		for (size_t round = 0; round < rounds; round++)            \
			for (size_t i = 0; i < n; i += 4) {                \
				first += a[i];                             \
				second += a[i + 1];                        \
				third += a[i + 2];                         \
				fourth += a[i + 3];                        \
			}                                                  \
		return (first + second + third + fourth)[0];               \
	}

READ(read_first_level)
READ(read_second_level)
READ(read_last_level)
READ(read_memory)

int main(void)
{
	size_t total = (size_t)128 << 20, most = MIB(128) / sizeof(pair);
	pair *a = (pair *)phase_alloc(phase_size(most, 1024), sizeof(*a));

	PHASE(read_first_level(a, 1024, phase_rounds(total, 1024)));
	size_t n = phase_size(KIB(512) / sizeof(*a), 1024);
	PHASE(read_second_level(a, n, phase_rounds(total, n)));
	n = phase_size(MIB(16) / sizeof(*a), 1024);
	PHASE(read_last_level(a, n, phase_rounds(total, n)));
	n = phase_size(most, 1024);
	PHASE(read_memory(a, n, phase_rounds(total, n)));
	return phase_end_program();
}
