// Arrays and objects of the stack in C++, also those of functions that are inlined.
#include <array>
#include <cstddef>

namespace sim {

struct Matrix {
	std::array<double, 16> cells;
	double &at(std::size_t row, std::size_t column) { return cells[row * 4 + column]; }
};

class Filter {
public:
	__attribute__((noinline)) double run(int n)
	{
		double taps[8] = {};
		Matrix state{};

		for (int i = 0; i < n; i++) {
			taps[i % 8] += i;
			for (std::size_t k = 0; k < 4; k++)
				state.cells[k * 5] += taps[(i + (int)k) % 8];
		}
		return state.cells[0] + state.cells[15] + taps[3];
	}
};

} // namespace sim

int main(int argc, char **)
{
	sim::Filter filter;

	return filter.run(100 + argc) < 0;
}
