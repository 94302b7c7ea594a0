/*
 * fields.c - records of 64 bytes as an array of structs and as a struct of arrays.
 *
 * fix: sum_field_of_structs sum_field_of_arrays 3
 * fix: move_structs move_arrays 4
 * fix: look_up_arrays look_up_structs 1
 */
#include "phase.h"

struct body {
	double x, y, z, vx, vy, vz, mass, charge;
};

struct bodies {
	double *x, *y, *z, *vx, *vy, *vz, *mass, *charge;
};

PHASE_FUNCTION double sum_field_of_structs(const struct body *all, size_t n, size_t rounds)
{
	double sum = 0;

	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i++)
			sum += all[i].mass;
	return sum;
}

PHASE_FUNCTION double sum_field_of_arrays(const struct bodies *all, size_t n, size_t rounds)
{
	double sum = 0;

	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i++)
			sum += all->mass[i];
	return sum;
}

PHASE_FUNCTION double move_structs(struct body *all, size_t n, size_t rounds)
{
	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i++)
			all[i].x += 0.01 * all[i].vx;
	return all[n / 2].x;
}

PHASE_FUNCTION double move_arrays(const struct bodies *all, size_t n, size_t rounds)
{
	double *x = all->x;
	const double *vx = all->vx;

	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i++)
			x[i] += 0.01 * vx[i];
	return x[n / 2];
}

PHASE_FUNCTION double look_up_structs(const struct body *all, size_t mask, size_t lookups)
{
	uint64_t state = PHASE_SEED;
	double sum = 0;

	for (size_t k = 0; k < lookups; k++) {
		const struct body *one = &all[(phase_random(&state) >> 24) & mask];

		sum += one->x * one->vx + one->y * one->vy + one->z * one->vz;
	}
	return sum;
}

PHASE_FUNCTION double look_up_arrays(const struct bodies *all, size_t mask, size_t lookups)
{
	struct bodies b = *all;
	uint64_t state = PHASE_SEED;
	double sum = 0;

	for (size_t k = 0; k < lookups; k++) {
		size_t i = (phase_random(&state) >> 24) & mask;

		sum += b.x[i] * b.vx[i] + b.y[i] * b.vy[i] + b.z[i] * b.vz[i];
	}
	return sum;
}

int main(void)
{
	size_t n = phase_size((size_t)1 << 20, 256), lookups = (size_t)2 << 20;
	struct body *structs = (struct body *)phase_alloc(n, sizeof(*structs));
	struct bodies arrays;
	double **field[] = { &arrays.x,  &arrays.y,  &arrays.z,    &arrays.vx,
			     &arrays.vy, &arrays.vz, &arrays.mass, &arrays.charge };

	for (size_t i = 0; i < sizeof(field) / sizeof(*field); i++)
		*field[i] = (double *)phase_alloc(n, sizeof(double));
	PHASE(sum_field_of_structs(structs, n, phase_rounds((size_t)14 << 20, n)));
	PHASE(sum_field_of_arrays(&arrays, n, phase_rounds((size_t)42 << 20, n)));
	PHASE(move_structs(structs, n, phase_rounds((size_t)14 << 20, n)));
	PHASE(move_arrays(&arrays, n, phase_rounds((size_t)56 << 20, n)));
	PHASE(look_up_structs(structs, n - 1, lookups));
	PHASE(look_up_arrays(&arrays, n - 1, lookups));
	return phase_end_program();
}
