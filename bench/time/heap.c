/*
 * heap.c - priority queues whose least key is replaced: of 16 KiB and of 64 MiB, with four children
 * a node, and of numbers of records.
 *
 * fix: replace_large replace_with_four 1
 */
#include "phase.h"

#define REPLACE(name)                                                          \
	PHASE_FUNCTION uint64_t name(uint64_t *heap, size_t n, size_t times)   \
	{                                                                      \
		uint64_t state = PHASE_SEED, sum = 0;                          \
                                                                               \
		for (size_t k = 0; k < times; k++) {                           \
			uint64_t key = heap[1] + (phase_random(&state) >> 24); \
			size_t at = 1;                                         \
                                                                               \
			sum += heap[1];                                        \
			for (size_t child = 2; child < n; child = 2 * at) {    \
				child += heap[child + 1] < heap[child];        \
				if (key <= heap[child])                        \
					break;                                 \
				heap[at] = heap[child];                        \
				at = child;                                    \
			}                                                      \
			heap[at] = key;                                        \
		}                                                              \
		return sum;                                                    \
	}

REPLACE(replace_small)
REPLACE(replace_large)

/* Node i has the children 4i - 2 to 4i + 1, which are in one half of a cache line. */
PHASE_FUNCTION uint64_t replace_with_four(uint64_t *heap, size_t n, size_t times)
{
	uint64_t state = PHASE_SEED, sum = 0;

	for (size_t k = 0; k < times; k++) {
		uint64_t key = heap[1] + (phase_random(&state) >> 24);
		size_t at = 1;

		sum += heap[1];
		for (size_t child = 2; child + 3 < n; child = 4 * at - 2) {
			size_t low = child + (heap[child + 1] < heap[child]);
			size_t high = child + 2 + (heap[child + 3] < heap[child + 2]);

			child = heap[high] < heap[low] ? high : low;
			if (key <= heap[child])
				break;
			heap[at] = heap[child];
			at = child;
		}
		heap[at] = key;
	}
	return sum;
}

struct record {
	uint64_t key, other[7];
};

PHASE_FUNCTION uint64_t replace_records(uint32_t *heap, struct record *records, size_t n,
					size_t times)
{
	uint64_t state = PHASE_SEED, sum = 0;

	for (size_t k = 0; k < times; k++) {
		uint32_t top = heap[1];
		uint64_t key = records[top].key + (phase_random(&state) >> 24);
		size_t at = 1;

		sum += records[top].key;
		records[top].key = key;
		for (size_t child = 2; child < n; child = 2 * at) {
			child += records[heap[child + 1]].key < records[heap[child]].key;
			if (key <= records[heap[child]].key)
				break;
			heap[at] = heap[child];
			at = child;
		}
		heap[at] = top;
	}
	return sum;
}

static uint64_t *sorted(size_t n)
{
	uint64_t *heap = (uint64_t *)phase_alloc(n + 4, sizeof(*heap));

	for (size_t i = 0; i < n; i++)
		heap[i] = i * (((uint64_t)1 << 40) / n);
	return heap;
}

int main(void)
{
	size_t n = phase_size((size_t)8 << 20, 1024), items = phase_size((size_t)1 << 20, 256);
	size_t total = 4000000;
	uint64_t *few = sorted(1024), *large = sorted(n), *four = sorted(n);
	struct record *records = (struct record *)phase_alloc(items, sizeof(*records));
	uint32_t *numbers = (uint32_t *)phase_alloc(items, sizeof(*numbers));
	uint32_t *order = phase_permutation(items);

	for (size_t i = 0; i < items; i++) {
		numbers[i] = order[i];
		records[order[i]].key = i * (((uint64_t)1 << 40) / items);
	}
	PHASE(replace_small(few, 1024, 3 * total / phase_depth(1024)));
	PHASE(replace_large(large, n, total / phase_depth(n)));
	PHASE(replace_with_four(four, n, total / phase_depth(n)));
	PHASE(replace_records(numbers, records, items, total / phase_depth(items)));
	return phase_end_program();
}
