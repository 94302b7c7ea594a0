// advice: streaming-stores data: table set: held-out
// Computes tables that are used much later; afterwards with streaming stores.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include "stream.h"

static const std::size_t n = 12000000;
static const int rounds = 30;

__attribute__((noipa)) static void compute(std::uint64_t *table, std::uint64_t step)
{
	std::uint64_t x = step;

	for (std::size_t i = 0; i < n; i += 2) {
		std::uint64_t y = x + step;

#ifdef AFTER
		stream_pair(&table[i], x, y);
#else
		table[i] = x;
		table[i + 1] = y;
#endif
		x = y + step;
	}
}

int main()
{
	auto *table = static_cast<std::uint64_t *>(std::aligned_alloc(64, n * sizeof(std::uint64_t)));

	for (int r = 0; r < rounds; r++)
		compute(table, 3 + r);
	std::printf("%llu\n", static_cast<unsigned long long>(table[n / 2]));
	return 0;
}
