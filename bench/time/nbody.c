/*
 * nbody.c - bodies that attract each other: all pairs, partners from a list of random numbers and
 * from one of near numbers, and the motion.
 *
 * fix: attract_far_partners attract_near_partners 2
 */
#include "phase.h"

struct body {
	float x, y, z, mass;
	float fx, fy, fz, unused;
	float vx, vy, vz, age;
	float other[4];
};

/* What `from` adds to the force on `to`. */
#define ATTRACT(to, from)                                                        \
	do {                                                                     \
		float dx = (from)->x - (to)->x, dy = (from)->y - (to)->y,        \
		      dz = (from)->z - (to)->z;                                  \
		float square = dx * dx + dy * dy + dz * dz + 0.01F;              \
		float force = (from)->mass / (square * __builtin_sqrtf(square)); \
                                                                                 \
		(to)->fx += force * dx;                                          \
		(to)->fy += force * dy;                                          \
		(to)->fz += force * dz;                                          \
	} while (0)

PHASE_FUNCTION float attract_all(struct body *all, size_t n, size_t rounds)
{
	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < n; j++)
				ATTRACT(&all[i], &all[j]);
	return all[n / 2].fx;
}

enum { PARTNERS = 8 };

#define ATTRACT_PARTNERS(name)                                                              \
	PHASE_FUNCTION float name(struct body *all, const uint32_t *partners, size_t n,     \
				  size_t rounds)                                            \
	{                                                                                   \
		for (size_t round = 0; round < rounds; round++)                             \
			for (size_t i = 0; i < n; i++)                                      \
				for (size_t k = 0; k < PARTNERS; k++)                       \
					ATTRACT(&all[i], &all[partners[i * PARTNERS + k]]); \
		return all[n / 2].fx;                                                       \
	}

ATTRACT_PARTNERS(attract_far_partners)
ATTRACT_PARTNERS(attract_near_partners)

PHASE_FUNCTION float move_bodies(struct body *all, size_t n, size_t rounds)
{
	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i++) {
			all[i].vx += 0.01F * all[i].fx;
			all[i].vy += 0.01F * all[i].fy;
			all[i].vz += 0.01F * all[i].fz;
			all[i].x += 0.01F * all[i].vx;
			all[i].y += 0.01F * all[i].vy;
			all[i].z += 0.01F * all[i].vz;
		}
	return all[n / 2].x;
}

static uint32_t *choose(size_t n, size_t reach)
{
	uint32_t *partners = (uint32_t *)phase_alloc(n * PARTNERS, sizeof(*partners));
	uint64_t state = PHASE_SEED;

	for (size_t i = 0; i < n * PARTNERS; i++)
		partners[i] = (uint32_t)((i / PARTNERS + (phase_random(&state) >> 24) % reach) % n);
	return partners;
}

int main(void)
{
	enum { FEW = 256 };
	size_t n = phase_size((size_t)1 << 19, FEW), total = (size_t)1 << 19;
	struct body *all = (struct body *)phase_alloc(n, sizeof(*all));
	uint32_t *far = choose(n, n), *near = choose(n, phase_size(256, n));

	for (size_t i = 0; i < n; i++)
		all[i] = (struct body){
			.x = (float)(i % 1000), .y = (float)(i % 77), .z = 1, .mass = 1
		};
	PHASE(attract_all(all, FEW, 80));
	PHASE(attract_far_partners(all, far, n, phase_rounds(total, n)));
	PHASE(attract_near_partners(all, near, n, phase_rounds(2 * total, n)));
	PHASE(move_bodies(all, n, phase_rounds(24 * total, n)));
	return phase_end_program();
}
