/* advice: soa data: particle */
/* Moves particles, one component a loop; afterwards each component is an array. */
#include "common.h"

enum { N = 1000000, ROUNDS = 24 };

#ifdef AFTER
static struct {
	float *x, *y, *z, *vx, *vy, *vz, *mass, *charge;
} particle;
#define AT(member, i) particle.member[i]
#else
struct particle {
	float x, y, z, vx, vy, vz, mass, charge;
};
static struct particle *particle;
#define AT(member, i) particle[i].member
#endif

static KEEP void move_x(float step)
{
	for (int i = 0; i < N; i++)
		AT(x, i) += step * AT(vx, i);
}

static KEEP float sum_mass(void)
{
	float sum = 0;

	for (int i = 0; i < N; i++)
		sum += AT(mass, i);
	return sum;
}

int main(void)
{
	float sum = 0;

#ifdef AFTER
	float **all[] = { &particle.x,  &particle.y,  &particle.z,    &particle.vx,
			  &particle.vy, &particle.vz, &particle.mass, &particle.charge };
	for (int k = 0; k < 8; k++)
		*all[k] = calloc(N, sizeof(float));
#else
	particle = calloc(N, sizeof(*particle));
#endif
	for (int i = 0; i < N; i++) {
		AT(vx, i) = (float)i / N;
		AT(mass, i) = 1;
	}
	for (int r = 0; r < ROUNDS; r++) {
		move_x(0.5f);
		sum += sum_mass();
	}
	printf("%g\n", (double)(sum + AT(x, N / 2)));
	return 0;
}
