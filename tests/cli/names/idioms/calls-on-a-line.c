/* Calls of one line that allocate are distinguished by their columns. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) static double smooth(const double *values, int n)
{
	double *work = malloc((size_t)n * sizeof(*work)), sum = 0;

	for (int i = 0; i < n; i++)
		work[i] = values[i] * 2;
	for (int i = 0; i < n; i++)
		sum += work[n - 1 - i];
	free(work);
	return sum;
}

static double both(const double *left, const double *right)
{
	return smooth(left, 4000) + smooth(right, 5000);
}

int main(void)
{
	static double left[4000], right[5000];
	/* clang-format off */
	char *text = strdup("text"); text = realloc(text, 9000);
	/* clang-format on */

	memset(text, 1, 9000);
	printf("%f %d\n", both(left, right), text[17]);
	return 0;
}
