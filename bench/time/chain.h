/* bench/time/chain.h - cells of one cache line, linked into a ring in random order or in that of
 * their addresses. */
#ifndef BENCH_TIME_CHAIN_H
#define BENCH_TIME_CHAIN_H

#include "phase.h"

struct cell {
	struct cell *next;
	uint64_t value[7];
};

static PHASE_UNUSED struct cell *chain_make(size_t n)
{
	struct cell *cells = (struct cell *)phase_alloc(n, sizeof(*cells));

	for (size_t i = 0; i < n; i++) {
		cells[i].next = &cells[(i + 1) % n];
		cells[i].value[0] = i * 2654435761U;
		cells[i].value[6] = i;
	}
	return cells;
}

static PHASE_UNUSED struct cell *chain_shuffle(struct cell *cells, size_t n)
{
	uint32_t *order = phase_permutation(n);

	for (size_t i = 0; i < n; i++)
		cells[order[i]].next = &cells[order[(i + 1) % n]];
	free(order);
	return cells;
}

#endif
