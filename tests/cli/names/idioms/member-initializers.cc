// Members that are initialised where they are declared, and in the list of a constructor.
#include <cstdio>
#include <memory>
#include <vector>

template <typename T> struct Grid {
	int width;
	std::vector<T> cells;
	Grid(int width, int height) : width(width), cells(width * height)
	{
	}
};

static std::unique_ptr<int[]> make_ids(int n)
{
	return std::make_unique<int[]>(n);
}

class Solver {
	Grid<double> cur{60, 60}, next{60, 60};
	Grid<float> listed;
	std::unique_ptr<double[]> weights = std::make_unique<double[]>(300);
	std::unique_ptr<int[]> ids = make_ids(300);
	std::vector<std::vector<int>> buckets;

    public:
	Solver() : listed(50, 50), buckets(16, std::vector<int>(500))
	{
	}

	double sum() const
	{
		double s = 0;

		for (double c : cur.cells)
			s += c;
		for (double c : next.cells)
			s += c;
		for (float c : listed.cells)
			s += c;
		for (int i = 0; i < 300; i++)
			s += weights[i] + ids[i];
		for (const auto &bucket : buckets)
			for (int x : bucket)
				s += x;
		return s;
	}
};

int main()
{
	Solver solver;

	printf("%f\n", solver.sum());
	return 0;
}
