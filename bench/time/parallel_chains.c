/*
 * parallel_chains.c - one, two, four and eight independent chains of pointers at a time, in 64 MiB.
 *
 * fix: chase_one chase_eight 4
 */
#include "chain.h"

PHASE_FUNCTION uint64_t chase_one(struct cell *const *start, size_t steps)
{
	const struct cell *a = start[0];

	for (size_t k = 0; k < steps; k++)
		a = a->next;
	return a->value[0];
}

PHASE_FUNCTION uint64_t chase_two(struct cell *const *start, size_t steps)
{
	const struct cell *a = start[0], *b = start[1];

	for (size_t k = 0; k < steps; k += 2) {
		a = a->next;
		b = b->next;
	}
	return a->value[0] + b->value[0];
}

PHASE_FUNCTION uint64_t chase_four(struct cell *const *start, size_t steps)
{
	const struct cell *a = start[0], *b = start[1], *c = start[2], *d = start[3];

	for (size_t k = 0; k < steps; k += 4) {
		a = a->next;
		b = b->next;
		c = c->next;
		d = d->next;
	}
	return a->value[0] + b->value[0] + c->value[0] + d->value[0];
}

PHASE_FUNCTION uint64_t chase_eight(struct cell *const *start, size_t steps)
{
	const struct cell *a = start[0], *b = start[1], *c = start[2], *d = start[3];
	const struct cell *e = start[4], *f = start[5], *g = start[6], *h = start[7];

	for (size_t k = 0; k < steps; k += 8) {
		a = a->next;
		b = b->next;
		c = c->next;
		d = d->next;
		e = e->next;
		f = f->next;
		g = g->next;
		h = h->next;
	}
	return a->value[0] + b->value[0] + c->value[0] + d->value[0] + e->value[0] + f->value[0] +
	       g->value[0] + h->value[0];
}

int main(void)
{
	size_t n = phase_size(MIB(64) / sizeof(struct cell), 512), steps = (size_t)1 << 19;
	struct cell *cells = chain_shuffle(chain_make(n), n), *start[8];

	/* As far from each other along the ring as they can be. */
	struct cell *at = cells;
	for (size_t i = 0; i < n; i++) {
		if (i % (n / 8) == 0)
			start[i / (n / 8)] = at;
		at = at->next;
	}
	PHASE(chase_one(start, steps));
	PHASE(chase_two(start, steps));
	PHASE(chase_four(start, 2 * steps));
	PHASE(chase_eight(start, 4 * steps));
	return phase_end_program();
}
