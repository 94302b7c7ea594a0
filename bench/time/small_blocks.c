/*
 * small_blocks.c - small heap blocks: allocated and freed at random, visited in the order of a
 * table, and taken from a pool instead.
 *
 * fix: replace_blocks replace_from_pool 2
 * fix: visit_blocks visit_pool 3
 * calls: replace_blocks *malloc* *free* *tcache* *consolidate* *unlink_chunk*
 */
#include <malloc.h>

#include "phase.h"

struct block {
	uint64_t value;
	char text[40];
};

PHASE_FUNCTION uint64_t replace_blocks(struct block **blocks, size_t mask, size_t times)
{
	uint64_t state = PHASE_SEED, sum = 0;

	for (size_t k = 0; k < times; k++) {
		struct block **at = &blocks[(phase_random(&state) >> 24) & mask];

		sum += *at != NULL ? (*at)->value : 0;
		free(*at);
		*at = (struct block *)malloc(sizeof(**at) + (state & 63));
		(*at)->value = k;
	}
	return sum;
}

/* As malloc() and free() do: the block that was freed last is used next. */
PHASE_FUNCTION uint64_t replace_from_pool(struct block **blocks, struct block *pool, size_t mask,
					  size_t times)
{
	uint64_t state = PHASE_SEED, sum = 0;
	struct block *unused = pool;

	for (size_t k = 0; k < times; k++) {
		struct block **at = &blocks[(phase_random(&state) >> 24) & mask], *freed = *at;

		sum += freed->value;
		*at = unused;
		unused->value = k;
		unused = freed;
	}
	return sum;
}

#define VISIT(name)                                                                        \
	PHASE_FUNCTION uint64_t name(struct block *const *blocks, size_t n, size_t rounds) \
	{                                                                                  \
		uint64_t sum = 0;                                                          \
                                                                                           \
		for (size_t round = 0; round < rounds; round++)                            \
			for (size_t i = 0; i < n; i++)                                     \
				sum += blocks[i]->value;                                   \
		return sum;                                                                \
	}

VISIT(visit_blocks)
VISIT(visit_pool)

/* Pages of the heap that stay when blocks are freed: phases do not measure page faults. */
static void make_heap(size_t bytes)
{
	mallopt(M_MMAP_THRESHOLD, INT32_MAX);
	mallopt(M_TRIM_THRESHOLD, INT32_MAX);
	free(phase_alloc(bytes, 1));
}

int main(void)
{
	size_t n = phase_size((size_t)1 << 18, 128), times = (size_t)1 << 20;
	struct block **blocks = (struct block **)phase_alloc(n, sizeof(struct block *));
	struct block **pooled = (struct block **)phase_alloc(n, sizeof(struct block *));
	struct block *pool = (struct block *)phase_alloc(n + 1, sizeof(*pool));

	for (size_t i = 0; i < n; i++) {
		pooled[i] = &pool[i];
		pool[i].value = i;
	}
	make_heap(phase_size(n * 128, 4096));
	PHASE(visit_pool(pooled, n, phase_rounds(24000000, n)));
	PHASE(replace_blocks(blocks, n - 1, times));
	for (size_t i = 0; i < n; i++)
		if (blocks[i] == NULL)
			blocks[i] = pooled[i];
	PHASE(visit_blocks(blocks, n, phase_rounds(8000000, n)));
	PHASE(replace_from_pool(pooled, &pool[n], n - 1, 2 * times));
	return phase_end_program();
}
