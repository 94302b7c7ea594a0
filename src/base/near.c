#include "base/near.h"

#include <stdbool.h>
#include <string.h>

/* Longer words are not typing mistakes worth guessing. */
enum { LONGEST = 31 };

static size_t min(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The number of letters to change, add, drop or swap with a neighbour. */
static size_t distance(const char *a, size_t n, const char *b, size_t m)
{
	size_t d[LONGEST + 1][LONGEST + 1];

	for (size_t i = 0; i <= n; i++)
		d[i][0] = i;
	for (size_t j = 0; j <= m; j++)
		d[0][j] = j;
	for (size_t i = 1; i <= n; i++) {
		for (size_t j = 1; j <= m; j++) {
			size_t changed = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);

			d[i][j] = min(min(d[i - 1][j], d[i][j - 1]) + 1, changed);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d[i][j] = min(d[i][j], d[i - 2][j - 2] + 1);
		}
	}
	return d[n][m];
}

/* "procs" for "processors": three letters or more from the beginning, others in their order. */
static bool is_contraction(const char *word, const char *candidate)
{
	if (strncmp(word, candidate, 3) != 0)
		return false;
	for (; *candidate != '\0'; candidate++)
		word += *word == *candidate;
	return *word == '\0';
}

/* A prefix of the candidate counts as one mistake: users abbreviate. */
static size_t how_far(const char *word, const char *candidate)
{
	size_t n = strlen(word);
	size_t m = strlen(candidate);

	if (n >= 2 && n < m && strncmp(word, candidate, n) == 0)
		return 1;
	if (n >= 4 && n < m && is_contraction(word, candidate))
		return 2;
	if (n > LONGEST || m > LONGEST)
		return LONGEST;
	return distance(word, n, candidate, m);
}

static size_t tolerance(const char *word)
{
	size_t n = strlen(word);

	return n < 2 ? 0 : n < 5 ? 1 : n < 9 ? 2 : 3;
}

void ms_near_try(struct ms_near *near, const char *candidate)
{
	size_t far = how_far(near->word, candidate);

	if (far > tolerance(near->word) || (near->best != NULL && far >= near->distance))
		return;
	near->best = candidate;
	near->distance = far;
}
