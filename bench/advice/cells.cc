// advice: soa data: cells
// Counts the living cells of a std::vector of cells; afterwards the flags are a vector of their
// own.
#include <cstdint>
#include <cstdio>
#include <vector>

struct Cell {
	double temperature, pressure, humidity;
	bool alive;
};

static const int N = 1500000, ROUNDS = 40;

#ifdef AFTER
struct Cells {
	std::vector<double> temperature, pressure, humidity;
	std::vector<uint8_t> alive;
};
static Cells cells{ std::vector<double>(N), std::vector<double>(N), std::vector<double>(N),
		    std::vector<uint8_t>(N) };
#else
static std::vector<Cell> cells(N);
#endif

__attribute__((noipa)) static int count_alive()
{
	int n = 0;

#ifdef AFTER
	for (uint8_t alive : cells.alive)
		n += alive;
#else
	for (const Cell &cell : cells)
		n += cell.alive;
#endif
	return n;
}

int main()
{
	long n = 0;

	for (int i = 0; i < N; i++) {
#ifdef AFTER
		cells.alive[i] = i % 3 == 0;
#else
		cells[i].alive = i % 3 == 0;
#endif
	}
	for (int r = 0; r < ROUNDS; r++)
		n += count_alive();
	std::printf("%ld\n", n);
}
