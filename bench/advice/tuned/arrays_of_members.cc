// Moves particles whose members are arrays of their own: all bytes of all lines are used.
#include <cstdio>
#include <vector>

static const int n = 1000000, rounds = 12;

struct Particles {
	std::vector<float> x, y, vx, vy;
};

__attribute__((noipa)) static void move(Particles &p, float step)
{
	for (int i = 0; i < n; i++) {
		p.x[i] += p.vx[i] * step;
		p.y[i] += p.vy[i] * step;
	}
}

int main()
{
	Particles p;

	for (std::vector<float> *member : {&p.x, &p.y, &p.vx, &p.vy})
		member->assign(n, 0.5f);
	for (int r = 0; r < rounds; r++)
		move(p, 0.01f);
	std::printf("%g\n", p.x[n / 2]);
	return 0;
}
