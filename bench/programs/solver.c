/*
 * solver.c [SIDE [STEPS]] - conjugate gradients for Poisson's equation on a square grid whose nodes
 * are numbered at random: a sparse matrix in compressed rows, dot products, vector updates.
 */
#include "number.h"

enum { NEIGHBOURS = 4 };

struct system {
	uint64_t rows;
	uint32_t *start, *column;
	double *value;
};

static __attribute__((noinline)) void number_nodes(uint32_t *name, uint64_t n)
{
	uint64_t state = 88172645463325252ULL;

	for (uint64_t i = 0; i < n; i++)
		name[i] = (uint32_t)i;
	for (uint64_t i = n; i > 1; i--) {
		uint64_t other = (next_random(&state) >> 20) % i;
		uint32_t swap = name[i - 1];

		name[i - 1] = name[other];
		name[other] = swap;
	}
}

static __attribute__((noinline)) void assemble(struct system *s, uint64_t side,
					       const uint32_t *name)
{
	uint32_t *place = room(s->rows, sizeof(*place));
	uint32_t k = 0;

	for (uint64_t i = 0; i < s->rows; i++)
		place[name[i]] = (uint32_t)i;
	for (uint64_t row = 0; row < s->rows; row++) {
		uint64_t at = place[row], x = at % side, y = at / side;
		uint64_t around[NEIGHBOURS], n = 0;

		if (x > 0)
			around[n++] = at - 1;
		if (x + 1 < side)
			around[n++] = at + 1;
		if (y > 0)
			around[n++] = at - side;
		if (y + 1 < side)
			around[n++] = at + side;
		s->start[row] = k;
		s->column[k] = (uint32_t)row;
		s->value[k++] = NEIGHBOURS;
		for (uint64_t i = 0; i < n; i++, k++) {
			s->column[k] = name[around[i]];
			s->value[k] = -1;
		}
	}
	s->start[s->rows] = k;
	free(place);
}

static __attribute__((noinline)) void multiply(double *y, const struct system *s, const double *x)
{
	for (uint64_t i = 0; i < s->rows; i++) {
		double sum = 0;

		for (uint32_t k = s->start[i]; k < s->start[i + 1]; k++)
			sum += s->value[k] * x[s->column[k]];
		y[i] = sum;
	}
}

static __attribute__((noinline)) double dot(const double *a, const double *b, uint64_t n)
{
	double sum = 0;

	for (uint64_t i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

static __attribute__((noinline)) void add_scaled(double *a, double factor, const double *b,
						 uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		a[i] += factor * b[i];
}

static __attribute__((noinline)) void scale_and_add(double *a, double factor, const double *b,
						    uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		a[i] = factor * a[i] + b[i];
}

int main(int argc, char **argv)
{
	uint64_t side = number(argc, argv, 1, 700), steps = number(argc, argv, 2, 12),
		 n = side * side;
	struct system s = { n, room(n + 1, sizeof(uint32_t)),
			    room(n * (NEIGHBOURS + 1), sizeof(uint32_t)),
			    room(n * (NEIGHBOURS + 1), sizeof(double)) };
	uint32_t *name = room(n, sizeof(*name));
	double *x = room(n, sizeof(*x)), *r = room(n, sizeof(*r));
	double *p = room(n, sizeof(*p)), *q = room(n, sizeof(*q));

	number_nodes(name, n);
	assemble(&s, side, name);
	for (uint64_t i = 0; i < n; i++)
		p[i] = r[i] = 1;
	double rest = dot(r, r, n);
	for (uint64_t step = 0; step < steps; step++) {
		multiply(q, &s, p);
		double length = rest / dot(p, q, n);
		add_scaled(x, length, p, n);
		add_scaled(r, -length, q, n);
		double next = dot(r, r, n);
		scale_and_add(p, next / rest, r, n);
		rest = next;
	}
	printf("solver %.6g\n", rest);
	return 0;
}
