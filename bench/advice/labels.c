/* advice: gather data: label */
/* Spreads labels over the edges of a graph with random vertex numbers; afterwards vertices have the
 * numbers of their neighbourhood. */
#include "common.h"

enum { VERTICES = 1 << 21, DEGREE = 4, ROUNDS = 12 };

static uint32_t *label, *neighbour;

static KEEP void spread(void)
{
	for (uint32_t v = 0; v < VERTICES; v++) {
		uint32_t least = label[v];

		for (int k = 0; k < DEGREE; k++) {
			uint32_t other = label[neighbour[v * DEGREE + k]];

			least = other < least ? other : least;
		}
		label[v] = least;
	}
}

int main(void)
{
	uint32_t *number = malloc(VERTICES * sizeof(*number));
	uint64_t seed = 43;

	label = malloc(VERTICES * sizeof(*label));
	neighbour = malloc((size_t)VERTICES * DEGREE * sizeof(*neighbour));
	shuffle(number, VERTICES, 47);
#ifdef AFTER
	for (uint32_t v = 0; v < VERTICES; v++)
		number[v] = v;
#endif
	for (uint32_t v = 0; v < VERTICES; v++) {
		label[v] = v;
		for (int k = 0; k < DEGREE; k++)
			neighbour[number[v] * DEGREE + k] =
				number[(v + next_random(&seed) % 64) % VERTICES];
	}
	for (int r = 0; r < ROUNDS; r++)
		spread();
	printf("%u\n", label[VERTICES / 2] != 0);
	return 0;
}
