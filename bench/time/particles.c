/*
 * particles.c - particles in a grid of cells: density around each one, the same after they were
 * sorted by cell, the motion, and the count of particles in each cell.
 *
 * fix: gather_unsorted gather_sorted 2
 * fix: deposit_unsorted deposit_sorted 2
 */
#include "phase.h"

struct particle {
	float x, y, vx, vy;
	uint32_t cell, kind;
};

#define GATHER(name)                                                                  \
	PHASE_FUNCTION float name(struct particle *all, size_t n, const float *field, \
				  size_t width, size_t rounds)                        \
	{                                                                             \
		for (size_t round = 0; round < rounds; round++)                       \
			for (size_t i = 0; i < n; i++) {                              \
				const float *at = field + all[i].cell;                \
                                                                                      \
				all[i].vx += 0.5F * (at[1] - at[0]);                  \
				all[i].vy += 0.5F * (at[width] - at[0]);              \
			}                                                             \
		return all[n / 2].vx;                                                 \
	}

GATHER(gather_unsorted)
GATHER(gather_sorted)

#define DEPOSIT(name)                                                                   \
	PHASE_FUNCTION float name(float *density, const struct particle *all, size_t n, \
				  size_t rounds)                                        \
	{                                                                               \
		for (size_t round = 0; round < rounds; round++)                         \
			for (size_t i = 0; i < n; i++)                                  \
				density[all[i].cell] += all[i].x;                       \
		return density[0];                                                      \
	}

DEPOSIT(deposit_unsorted)
DEPOSIT(deposit_sorted)

PHASE_FUNCTION float move_particles(struct particle *all, size_t n, size_t rounds)
{
	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i++) {
			all[i].x += 0.01F * all[i].vx;
			all[i].y += 0.01F * all[i].vy;
		}
	return all[n / 2].x;
}

static int by_cell(const void *left, const void *right)
{
	const struct particle *a = (const struct particle *)left,
			      *b = (const struct particle *)right;

	return (a->cell > b->cell) - (a->cell < b->cell);
}

int main(void)
{
	size_t n = phase_size((size_t)1 << 19, 512), width = phase_size(4096, 32),
	       cells = width * width;
	size_t total = (size_t)1 << 21;
	struct particle *all = (struct particle *)phase_alloc(n, sizeof(*all));
	float *field = (float *)phase_alloc(cells + width + 1, sizeof(*field));
	float *density = (float *)phase_alloc(cells + width + 1, sizeof(*density));
	uint64_t state = PHASE_SEED;

	for (size_t i = 0; i < n; i++)
		all[i] = (struct particle){
			.x = 1, .y = 1, .cell = (uint32_t)((phase_random(&state) >> 24) % cells)
		};
	PHASE(gather_unsorted(all, n, field, width, phase_rounds(total, n)));
	PHASE(deposit_unsorted(density, all, n, phase_rounds(2 * total, n)));
	PHASE(move_particles(all, n, phase_rounds(20 * total, n)));
	qsort(all, n, sizeof(*all), by_cell);
	PHASE(gather_sorted(all, n, field, width, phase_rounds(2 * total, n)));
	PHASE(deposit_sorted(density, all, n, phase_rounds(4 * total, n)));
	return phase_end_program();
}
