// advice: allocation data: row
// Each round of a loop makes a vector; afterwards one is kept and cleared.
#include <cstdio>
#include <vector>

static const int ROUNDS = 3000000;

__attribute__((noipa)) static long work(int round, std::vector<int> &row)
{
	long sum = 0;

	for (int i = 0; i < 8; i++)
		row.push_back(round ^ i);
	for (int v : row)
		sum += v;
	return sum;
}

int main()
{
	long sum = 0;
#ifdef AFTER
	std::vector<int> row;
#endif

	for (int r = 0; r < ROUNDS; r++) {
#ifdef AFTER
		row.clear();
#else
		std::vector<int> row;
#endif
		sum += work(r, row);
	}
	std::printf("%ld\n", sum);
}
