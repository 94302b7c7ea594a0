// advice: pointer-chasing data: items set: held-out
// Sums a std::list that was sorted after it was filled; afterwards it is copied in its order.
#include <cstdio>
#include <list>

static const int N = 300000, ROUNDS = 20;

__attribute__((noipa)) static long add_up(const std::list<long> &items)
{
	long sum = 0;

	for (long item : items)
		sum += item;
	return sum;
}

int main()
{
	std::list<long> items;
	unsigned long seed = 53, sum = 0;

	for (int i = 0; i < N; i++) {
		seed = seed * 6364136223846793005UL + 1442695040888963407UL;
		items.push_back(static_cast<long>(seed >> 33));
	}
	items.sort();
#ifdef AFTER
	std::list<long> copy(items.begin(), items.end());
	items.swap(copy);
#endif
	for (int r = 0; r < ROUNDS; r++)
		sum += static_cast<unsigned long>(add_up(items));
	std::printf("%lu\n", sum);
}
