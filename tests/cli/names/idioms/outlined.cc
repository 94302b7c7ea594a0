/* Functions that the compiler outlines for OpenMP have the name of their function. */
#include <vector>

namespace sim {
void __attribute__((noinline)) advance(std::vector<double> &x)
{
#pragma omp parallel for
	for (long i = 0; i < (long)x.size(); i++)
		x[i] += i;
#pragma omp parallel for
	for (long i = 0; i < (long)x.size(); i++)
		x[i] *= 2;
}
}

int main()
{
	std::vector<double> x(4096);

	sim::advance(x);
	return x[7] < 0;
}
