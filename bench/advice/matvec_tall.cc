// advice: loop-order data: matrix set: textbook
// y = A^T x of a flat row-major matrix, one result after the other; afterwards row by row.
#include <cstdio>
#include <vector>

static const std::size_t rows = 6000, columns = 1500;

__attribute__((noipa)) static void multiply(const std::vector<double> &matrix, const std::vector<double> &x,
					    std::vector<double> &y)
{
#ifdef AFTER
	for (std::size_t i = 0; i < rows; i++)
		for (std::size_t j = 0; j < columns; j++)
			y[j] += matrix[i * columns + j] * x[i];
#else
	for (std::size_t j = 0; j < columns; j++) {
		double sum = 0;

		for (std::size_t i = 0; i < rows; i++)
			sum += matrix[i * columns + j] * x[i];
		y[j] += sum;
	}
#endif
}

int main()
{
	std::vector<double> matrix(rows * columns, 1.5), x(rows, 2), y(columns);

	for (int r = 0; r < 4; r++)
		multiply(matrix, x, y);
	std::printf("%g\n", y[columns / 2]);
	return 0;
}
