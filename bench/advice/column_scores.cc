// advice: loop-order data: table set: held-out
// Scores of the columns of a table for many weights, column by column; afterwards row by row.
#include <cstdio>
#include <vector>

static const int rows = 384, columns = 1088, rounds = 200;

__attribute__((noipa)) static void add_scores(const std::vector<float> &table, const std::vector<float> &weight,
					      std::vector<float> &score)
{
#ifdef AFTER
	for (int i = 0; i < rows; i++)
		for (int j = 0; j < columns; j++)
			score[j] += weight[i] * table[i * columns + j];
#else
	for (int j = 0; j < columns; j++)
		for (int i = 0; i < rows; i++)
			score[j] += weight[i] * table[i * columns + j];
#endif
}

int main()
{
	std::vector<float> table(rows * columns, 0.5f), weight(rows, 0.25f), score(columns);

	for (int r = 0; r < rounds; r++)
		add_scores(table, weight, score);
	std::printf("%g\n", static_cast<double>(score[columns / 3]));
	return 0;
}
