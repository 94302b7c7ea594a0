// Sorts numbers: passes over parts that fit in ever smaller caches.
#include <algorithm>
#include <cstdio>
#include <vector>

int main()
{
	std::vector<unsigned> numbers(3000000);
	unsigned state = 61;

	for (unsigned &n : numbers)
		n = state = state * 1664525U + 1013904223U;
	std::sort(numbers.begin(), numbers.end());
	std::printf("%u\n", numbers[numbers.size() / 2]);
}
