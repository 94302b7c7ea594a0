/* Forces between some hundred bodies: all of them are in the first-level cache. */
#include <math.h>

#include "../common.h"

enum { N = 400, STEPS = 100 };

static double x[N], y[N], vx[N], vy[N];

static KEEP void step(void)
{
	for (int i = 0; i < N; i++) {
		double fx = 0, fy = 0;

		for (int j = 0; j < N; j++) {
			double dx = x[j] - x[i], dy = y[j] - y[i], d = dx * dx + dy * dy + 0.01;
			double f = 1 / (d * sqrt(d));

			fx += f * dx;
			fy += f * dy;
		}
		vx[i] += 1e-5 * fx;
		vy[i] += 1e-5 * fy;
	}
	for (int i = 0; i < N; i++) {
		x[i] += vx[i];
		y[i] += vy[i];
	}
}

int main(void)
{
	uint64_t seed = 59;

	for (int i = 0; i < N; i++) {
		x[i] = (double)(next_random(&seed) % 1000);
		y[i] = (double)(next_random(&seed) % 1000);
	}
	for (int s = 0; s < STEPS; s++)
		step();
	printf("%g\n", x[N / 2]);
	return 0;
}
