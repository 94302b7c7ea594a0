// build: -O1 -g
// operator new, arrays, containers.
#include <map>
#include <memory>
#include <string>
#include <vector>

struct Particle {
	double x, y, z;
};

__attribute__((noinline)) static void touch(void *p, long n)
{
	for (volatile char *at = static_cast<char *>(p); n > 0; n--)
		*at++ = 1;
}

class Grid {
public:
	explicit Grid(int n) : cells(new double[n]), size(n) {}
	~Grid() { delete[] cells; }
	double *cells;
	int size;
};

int main()
{
	Particle *one = new Particle;
	Particle *many = new Particle[100];
	Grid grid(200);
	std::vector<int> numbers(1000);
	std::vector<long> pushed;
	std::map<int, int> tree;
	auto owned = std::make_unique<Particle[]>(50);

	touch(one, sizeof(Particle));
	touch(many, 100 * sizeof(Particle));
	touch(grid.cells, 200 * sizeof(double));
	touch(numbers.data(), 4000);
	touch(owned.get(), 50 * sizeof(Particle));
	for (long i = 0; i < 100; i++)
		pushed.push_back(i);
	touch(pushed.data(), 800);
	for (int i = 0; i < 20; i++)
		tree[i] = i;
	delete one;
	delete[] many;
	return 0;
}
