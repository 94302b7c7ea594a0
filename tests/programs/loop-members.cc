/*
 * Members by loop: main() initialises all members of an array in inlined code, then reads one of
 * them in a loop of its own, and after that two others in a third loop.
 */
#include <cstdio>
#include <vector>

struct star {
	double x, y, z;
	float mass, size;
};

enum { STARS = 1 << 16, PASSES = 10 };

int main()
{
	std::vector<star> stars(STARS);
	double sum = 0;

	for (int pass = 0; pass < PASSES; pass++)
		for (const star &s : stars)
			sum += s.mass;
	for (const star &s : stars)
		sum += s.x + s.y;
	printf("%g\n", sum);
}
