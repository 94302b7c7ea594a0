// advice: soa or split set: textbook
// The centre of gravity of bodies with many other members; afterwards positions have arrays of their own.
#include <cstdio>
#include <vector>

struct Body {
	float x, y, z;
	float vx, vy, vz;
	float mass, charge;
	int id, group;
};

static const int n = 2000000, rounds = 8;

#ifdef AFTER
struct Bodies {
	std::vector<float> x, y, z, mass;
};
__attribute__((noipa)) static float centre(const Bodies &bodies)
{
	float sum = 0, mass = 0;

	for (int i = 0; i < n; i++) {
		sum += bodies.mass[i] * (bodies.x[i] + bodies.y[i] + bodies.z[i]);
		mass += bodies.mass[i];
	}
	return sum / mass;
}
#else
__attribute__((noipa)) static float centre(const std::vector<Body> &bodies)
{
	float sum = 0, mass = 0;

	for (const Body &b : bodies) {
		sum += b.mass * (b.x + b.y + b.z);
		mass += b.mass;
	}
	return sum / mass;
}
#endif

int main()
{
	double all = 0;
#ifdef AFTER
	Bodies bodies;

	bodies.x.assign(n, 1);
	bodies.y.assign(n, 2);
	bodies.z.assign(n, 3);
	bodies.mass.assign(n, 4);
#else
	std::vector<Body> bodies(n, Body{1, 2, 3, 0, 0, 0, 4, 1, 0, 0});
#endif
	for (int r = 0; r < rounds; r++)
		all += centre(bodies);
	std::printf("%g\n", all);
	return 0;
}
