/* chain_levels.c - one chain of pointers through data of each level's size, and one in the order of
 * addresses. */
#include "chain.h"

#define CHASE(name)                                                       \
	PHASE_FUNCTION uint64_t name(const struct cell *at, size_t steps) \
	{                                                                 \
		for (size_t k = 0; k < steps; k++)                        \
			at = at->next;                                    \
		return at->value[0];                                      \
	}

CHASE(chase_first_level)
CHASE(chase_second_level)
CHASE(chase_last_level)
CHASE(chase_memory)
CHASE(chase_in_order)

static struct cell *shuffled(size_t bytes)
{
	size_t n = phase_size(bytes, KIB(32)) / sizeof(struct cell);

	return chain_shuffle(chain_make(n), n);
}

int main(void)
{
	struct cell *first = shuffled(KIB(32)), *second = shuffled(KIB(512));
	struct cell *last = shuffled(MIB(12)), *memory = shuffled(MIB(128));
	struct cell *ordered = chain_make(phase_size(MIB(64), KIB(32)) / sizeof(struct cell));

	PHASE(chase_first_level(first, 20000000));
	PHASE(chase_second_level(second, 8000000));
	PHASE(chase_last_level(last, 800000));
	PHASE(chase_memory(memory, 600000));
	PHASE(chase_in_order(ordered, 10000000));
	return phase_end_program();
}
